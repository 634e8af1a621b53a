/** Combines the answers of the replicas to one salted spot check. Pure functions. */

import type { Message } from '../../contract/words/message.ts'

/** Answer of one replica for one file and salt. `hmac`: hex. */
export type Answer =
  | { replica: string; kind: 'answered'; hmac: string }
  /** The replica holds only checksums or never got the file, and is not asked. */
  | { replica: string; kind: 'notAsked'; why: Message }
  /** The replica should have answered and did not. */
  | { replica: string; kind: 'failed'; why: Message }
  /** The replica is unavailable, which is reported elsewhere and says nothing about the file. */
  | { replica: string; kind: 'away'; why: Message }

/** Result of one spot. `agree`: at least two replicas hold the same bytes. `single`: only one replica answered, so nothing was
 *  compared. `none`: no replica answered. */
export type SpotVerdict = 'agree' | 'differ' | 'failed' | 'single' | 'none'

/** Verdict on the answers of all replicas for one file. */
export function spotVerdict(answers: readonly Answer[]): SpotVerdict {
  const hmacs = answers.flatMap((answer) => (answer.kind === 'answered' ? [answer.hmac] : []))
  if (new Set(hmacs).size > 1) return 'differ'
  if (answers.some(({ kind }) => kind === 'failed')) return 'failed'
  if (hmacs.length > 1) return 'agree'
  return hmacs.length === 1 ? 'single' : 'none'
}

/** Replicas whose answers are wrong or may be: those that failed, and where answers differ all but the ones that more than half agree
 *  on. */
export function doubtful(answers: readonly Answer[]): string[] {
  const answered = answers.flatMap((answer) => (answer.kind === 'answered' ? [answer] : []))
  const isHeld = (hmac: string) => 2 * answered.filter((answer) => answer.hmac === hmac).length > answered.length
  const differ = new Set(answered.map(({ hmac }) => hmac)).size > 1
  return answers.flatMap((answer) => {
    const isDoubtful = answer.kind === 'failed' || (differ && answer.kind === 'answered' && !isHeld(answer.hmac))
    return isDoubtful ? [answer.replica] : []
  })
}

/** Whether the user must investigate. */
export function isAlarming(verdict: SpotVerdict): boolean {
  return verdict === 'differ' || verdict === 'failed'
}
