/** Loads and opens a module in a thread, to find out whether it can be used: what it does by itself when it is loaded delays nothing. */
import type { Message } from '../../../contract/words/message.ts'
import type { Task } from '../../../world/world.ts'
import { loadSource, type ModuleOf } from './userSource.ts'

/** Returns what is wrong, as a part of a sentence; undefined when it can be used. */
export const task: Task<ModuleOf, Message | undefined> = async ({ world }, input) => {
  const opened = await loadSource(world.disk, input)
  if ('problem' in opened) return opened.problem
  await opened.part.close?.()
  return undefined
}
