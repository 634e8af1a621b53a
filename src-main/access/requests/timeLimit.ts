/** The time limit of a connection: what it does not answer in time is given up. */
import type { AuthorityConnectionRow } from '../../contract/services/authorities.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { inTime } from '../../modules/inTime.ts'
import type { Clock } from '../../world/world.ts'

interface LimitParts {
  clock: Clock
  /** Takes an error of a connector that is a bug. */
  onBug(error: unknown): void
}

/** Asks a connection. Returns its value, or why there is none: it took too long, or threw. The signal is aborted when the limit is over, and
 *  at the end. */
export async function answeredInTime<T>(
  { clock, onBug }: LimitParts,
  { answerSecondsMax: seconds }: Pick<AuthorityConnectionRow, 'answerSecondsMax'>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<{ value: T } | { problem: Message }> {
  const [stop, late] = [new AbortController(), new Error('no answer in time')]
  try {
    return { value: await inTime(clock, { msMax: seconds * 1_000, late }, () => ask(stop.signal)) }
  } catch (error) {
    if (error === late) return { problem: message('authority.late', { seconds }) }
    onBug(error)
    return { problem: message('authority.failed', { problem: messageOf(error) }) }
  } finally {
    stop.abort()
  }
}
