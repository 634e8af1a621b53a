/** Opens a module in a thread, to find out whether it can be used: what it does when it is loaded delays nothing. */
import { messageOf } from '../../../contract/text/messageOf.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { openModule, type ChosenModule } from '../../../modules/userModule.ts'
import type { Task } from '../../../world/world.ts'
import { sourceFunctions, type UserSource } from './userSource.ts'

/** Returns what is wrong, as a part of a sentence; undefined when it can be used. */
export const task: Task<Pick<ChosenModule, 'path' | 'settings'>, Message | undefined> = async (
  { world },
  { path, settings },
) => {
  const opened = await openModule<UserSource>(world.disk, path, { settings, functions: sourceFunctions })
  if ('problem' in opened) return opened.problem
  try {
    await opened.part.close?.()
    return undefined
  } catch (error) {
    return message('text', { text: messageOf(error) })
  }
}
