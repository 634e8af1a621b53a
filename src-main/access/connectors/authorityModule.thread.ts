/** Runs a module of the user that gives tokens or maps names. */
import { message, type Message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { loadModule, type ChosenModule } from '../../modules/userModule.ts'
import type { Task } from '../../world/world.ts'

/** What a module is asked. */
export interface ModuleQuestion extends ChosenModule {
  /** A function of what the default export of the module returns. */
  function: 'authorize' | 'map'
  /** Absent: the module is loaded and opened, and not asked. */
  user?: string
}

export type ModuleReply = { value: unknown } | { why: Message }

/** What the default export of a module returns. */
interface UserAuthority {
  authorize(user: string, context: { signal: AbortSignal }): unknown
  map(user: string, context: { signal: AbortSignal }): unknown
  /** Called after each question. */
  close?(): unknown
}

export const task: Task<ModuleQuestion, ModuleReply> = async ({ world: { disk }, signal }, question) => {
  const { function: name, user, path } = question
  const unusable = (problem: Message): ModuleReply => ({ why: message('module.unusable', { module: path, problem }) })
  const opened = await loadModule<UserAuthority>(disk, question, [name])
  if ('problem' in opened) return unusable(opened.problem)
  try {
    const value = user === undefined ? undefined : await opened.part[name](user, { signal })
    await opened.part.close?.()
    // What it returns may be anything; only what can be sent leaves the thread.
    return { value: structuredClone(value) }
  } catch (error) {
    return unusable(message('text', { text: messageOf(error) }))
  }
}
