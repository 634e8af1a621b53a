/** What the answers to one salted question mean together. Pure. */

/** What one replica said of one file under the salt. `hmac`: hex. */
export type Answer =
  | { replica: string; kind: 'answered'; hmac: string }
  /** It holds checksums only, or never got the file: it is not asked. */
  | { replica: string; kind: 'notAsked'; why: string }
  /** It should have answered and did not. */
  | { replica: string; kind: 'failed'; why: string }
  /** Its drive is away: that is said elsewhere, and proves nothing about the file. */
  | { replica: string; kind: 'away'; why: string }

/** `agree`: two at least hold the same bytes now. `single`: only one could be asked, so nothing was compared. */
export type SpotVerdict = 'agree' | 'differ' | 'failed' | 'single' | 'none'

export function spotVerdict(answers: readonly Answer[]): SpotVerdict {
  const hmacs = answers.flatMap((answer) => (answer.kind === 'answered' ? [answer.hmac] : []))
  if (new Set(hmacs).size > 1) return 'differ'
  if (answers.some(({ kind }) => kind === 'failed')) return 'failed'
  if (hmacs.length > 1) return 'agree'
  return hmacs.length === 1 ? 'single' : 'none'
}

/** The replicas whose answers are wrong, or may be: of those that differ, all but the ones that more than half agree with. */
export function doubtful(answers: readonly Answer[]): string[] {
  const answered = answers.flatMap((answer) => (answer.kind === 'answered' ? [answer] : []))
  const isHeld = (hmac: string) => 2 * answered.filter((answer) => answer.hmac === hmac).length > answered.length
  const differ = new Set(answered.map(({ hmac }) => hmac)).size > 1
  return answers.flatMap((answer) => {
    const isDoubtful = answer.kind === 'failed' || (differ && answer.kind === 'answered' && !isHeld(answer.hmac))
    return isDoubtful ? [answer.replica] : []
  })
}

/** A person must look at it. */
export function isAlarming(verdict: SpotVerdict): boolean {
  return verdict === 'differ' || verdict === 'failed'
}
