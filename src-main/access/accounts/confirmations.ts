/**
 * Passwords that accounts give again before their call replaces copies, as NetarchiveSuite compares credentials before it takes out a bad file
 * (`thisCredentials` of a bitarchive). A confirmation is in memory only, and belongs to a session, or to an account and its address where a server in front logs in.
 */
import { isOfThisMachine, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import type { LogIns } from './logIns.ts'

/** Confirmations of callers. */
export interface Confirmations {
  /** Checks the password of the caller's account. Rejects with `Fault`: notAllowed for a wrong one, refused while attempts have to wait, inUse when too
   *  many passwords are being checked. */
  confirm(caller: Caller, password: string): Promise<void>
  /** Throws `Fault` passwordNeeded unless the caller has confirmed lately, or is a shell on the machine of the engine. */
  need(caller: Caller): void
}

/** Opens confirmations that remember nothing. `validMs` is read at each use. */
export function openConfirmations(parts: {
  logIns: Pick<LogIns, 'verify'>
  clock: Pick<Clock, 'elapsed'>
  validMs: () => number
}): Confirmations {
  const { logIns, clock, validMs } = parts
  /** When each caller confirmed, by the monotonic clock. */
  const confirmed = new Map<string, number>()

  function isOver(atMs: number): boolean {
    return clock.elapsed() - atMs >= validMs()
  }

  return {
    async confirm(caller, password) {
      if (isOfThisMachine(caller)) return
      const { account: name, address } = caller
      try {
        await logIns.verify({ name, password, address })
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'notAllowed') throw error
        throw new Fault('notAllowed', message('confirm.wrong'), { fields: [['password']], cause: error })
      }
      for (const [key, atMs] of confirmed) if (isOver(atMs)) confirmed.delete(key)
      confirmed.set(keyOf(caller), clock.elapsed())
    },
    need(caller) {
      if (isOfThisMachine(caller)) return
      const atMs = confirmed.get(keyOf(caller))
      if (atMs === undefined || isOver(atMs)) throw new Fault('passwordNeeded', message('confirm.needed'))
    },
  }
}

function keyOf({ account, session, address }: Caller): string {
  return JSON.stringify([account, session ?? address])
}
