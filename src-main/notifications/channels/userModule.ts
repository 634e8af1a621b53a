/** A module of the user that sends notifications in a way that Loupe does not have. It runs in a thread. */
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Threads } from '../../world/world.ts'
import type { Channel } from '../model/channel.ts'
import type { ModuleInput, ModuleOutput } from './userModule.thread.ts'

interface UserModuleSetting {
  threads: Threads
  /** Absolute path; '': there is none. */
  path: () => string
  settings: () => Readonly<Record<string, string>>
}

const thread = new URL('./userModule.thread.ts', import.meta.url)

export function userModuleChannel({ threads, path, settings }: UserModuleSetting): Channel {
  return {
    async send(notification, _recipient, signal) {
      const file = path()
      if (file === '') return { isSent: false, why: message('notification.module.unset'), isLasting: true }
      const input: ModuleInput = {
        ...{ path: file, settings: settings() },
        notification: { ...notification, text: textOf(notification.message) },
      }
      const result = await threads.run<ModuleInput, ModuleOutput>(thread, input, { signal })
      return 'answer' in result
        ? { isSent: true, answer: result.answer }
        : { isSent: false, why: result.why, isLasting: false }
    },
  }
}
