/** Runs a notification module of the user in a thread: its faults and its slowness concern nobody else. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Task } from '../../world/world.ts'
import type { Sent } from '../model/channel.ts'

export interface ModuleInput {
  /** URL of the module. */
  module: string
  settings: Readonly<Record<string, string>>
  notification: Sent & { text: string }
}

export type ModuleOutput = { answer: string } | { why: Message }

/** What a module exports: `default` sends a notification; `checkSettings` returns what is wrong with its settings, or nothing. */
interface NotificationModule {
  default?: unknown
  checkSettings?: unknown
}

export const task: Task<ModuleInput, ModuleOutput> = async ({ signal }, { module, settings, notification }) => {
  try {
    const loaded = (await import(module)) as NotificationModule
    if (typeof loaded.default !== 'function') return { why: message('notification.module.shape') }
    if (typeof loaded.checkSettings === 'function') {
      const problem: unknown = await (loaded.checkSettings as (given: object) => unknown)(settings)
      if (typeof problem === 'string' && problem !== '')
        return { why: message('notification.module.settings', { problem }) }
    }
    const send = loaded.default as (given: object, context: object) => unknown
    const answer: unknown = await send(notification, { settings, signal })
    return { answer: typeof answer === 'string' ? answer : '' }
  } catch (error) {
    return { why: message('notification.module.failed', { problem: messageOf(error) }) }
  }
}
