/** Runs a notification module of the user in a thread: its faults and its slowness do not affect others. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { openModule } from '../../modules/userModule.ts'
import type { Task } from '../../world/world.ts'
import type { Sent } from '../model/channel.ts'

export interface ModuleInput {
  /** Absolute path. */
  path: string
  settings: Readonly<Record<string, string>>
  notification: Sent & { text: string }
}

export type ModuleOutput = { answer: string } | { why: Message }

/** What a module returns. */
interface UserChannel {
  /** Sends a notification. What it returns is shown if it is a string; what it throws is the reason why it was not sent. */
  send(notification: Sent & { text: string }, context: { signal: AbortSignal }): unknown
}

export const task: Task<ModuleInput, ModuleOutput> = async ({ world, signal }, { path, settings, notification }) => {
  const opened = await openModule<UserChannel>(world.disk, path, { settings, functions: ['send'] })
  if ('problem' in opened) return { why: message('module.unusable', { module: path, problem: opened.problem }) }
  try {
    const answer = await opened.part.send(notification, { signal })
    return { answer: typeof answer === 'string' ? answer : '' }
  } catch (error) {
    return { why: message('notification.module.failed', { problem: messageOf(error) }) }
  }
}
