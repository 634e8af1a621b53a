/** What commands that change something have in common. */
import { Fault } from '../../contract/calls/faults.ts'
import { StorageFault } from '../../storage/storage.ts'
import { faultReply, plainReply } from '../model/reply.ts'
import type { Command } from './commands.ts'

/** Marks a command as changing, and answers its faults. */
export function changing(answer: Command['answer']): Pick<Command, 'changes' | 'answer'> {
  return {
    changes: true,
    async answer(question, ...given) {
      try {
        return await answer(question, ...given)
      } catch (error) {
        if (error instanceof Fault) return faultReply(error)
        if (error instanceof StorageFault) return plainReply(error.code === 'full' ? 507 : 500, error.userMessage)
        throw error
      }
    },
  }
}
