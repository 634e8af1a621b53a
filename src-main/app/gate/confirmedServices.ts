/** Refuses calls for which an account has not given its password again (`contract/confirmed.ts`). */
import type { Confirmations } from '../../access/access.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { confirmedCalls } from '../../contract/confirmed.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'

type Calling = (input: unknown, caller: Caller) => Promise<unknown>

/** Puts the question for the password before services. */
export function confirmedServices(
  { need }: Pick<Confirmations, 'need'>,
  services: LoupeImplementation,
): LoupeImplementation {
  const guarded: Record<string, Record<string, unknown>> = { ...services }
  for (const [service, names] of Object.entries(confirmedCalls)) {
    const members: Record<string, unknown> = { ...guarded[service] }
    for (const name of names) {
      const answer = members[name] as Calling
      members[name] = async (input: unknown, caller: Caller) => {
        need(caller)
        return answer(input, caller)
      }
    }
    guarded[service] = members
  }
  return guarded as LoupeImplementation
}
