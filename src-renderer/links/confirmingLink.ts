/** A link that asks for the password where the engine needs it again, and then repeats the call. */
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Link } from '../../src-main/contract/calls/service.ts'

/** `ask` resolves with true once the password was right, and with false where the user gives none: then the call stays refused. */
export function confirmingLink(link: Link, ask: () => Promise<boolean>): Link {
  return {
    async call(name, input) {
      try {
        return await link.call(name, input)
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'passwordNeeded' || !(await ask())) throw error
        return link.call(name, input)
      }
    },
    listen: (name, onPayload) => link.listen(name, onPayload),
  }
}
