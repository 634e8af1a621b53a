/** The vote on one file: which checksum is right, judged from the registered checksum and the replicas, and which copies differ. Pure
 *  functions; `copyStatus.ts` and `repairConditions.ts` supply the votes, and nothing is repaired here.
 *
 *  NetarchiveSuite has two rules. File-based bit preservation: the registered checksum and each replica have one vote, and the winner
 *  needs a strict majority of all R + 1. Database-based bit preservation: the unique most frequent checksum among the replicas that
 *  have the file wins, and the registered checksum has no vote. Loupe uses the first rule. The registered checksum was computed from
 *  the source before any copy existed, so it is as good as a copy. With two replicas, the most common case, the second rule ends in a
 *  tie at every disagreement, and a single remaining copy would be right whatever it holds. The cost of the first rule is that a
 *  replica that cannot answer counts against a majority; this is intended, since no file should be replaced on the evidence of a
 *  minority. */

/** The votes on one file. */
export interface Ballot {
  /** Checksum computed when the file was registered. */
  registered: string
  /** One entry for each replica of the archive. */
  copies: readonly { replica: string; answer: Answer }[]
}

/** Result of the last check of a replica's copy. `differs`: not as registered, with an unknown checksum. */
export type Answer =
  | { kind: 'checksum'; checksum: string }
  | { kind: 'missing' }
  | { kind: 'differs' }
  | { kind: 'unknown' }

export type CopyVerdict = 'right' | 'corrupt' | 'missing' | 'unknown'

/** The result of a vote. */
export interface Vote {
  /** Checksum with more than half of the R + 1 votes; null when there is none. */
  winner: string | null
  /** Verdict on the registered checksum. `wrong`: the copies agree on another one. */
  registered: 'right' | 'wrong' | 'unknown'
  copies: { replica: string; verdict: CopyVerdict; checksum: string | null }[]
  votes: number
  /** Number of votes needed to win. */
  needed: number
}

/** Counts the votes by the rule above. */
export function vote({ registered, copies }: Ballot): Vote {
  const counts = new Map<string, number>()
  const checksums = [registered, ...copies.map(({ answer }) => checksumOf(answer))]
  for (const checksum of checksums) if (checksum !== null) counts.set(checksum, (counts.get(checksum) ?? 0) + 1)
  const needed = neededOf(copies.length)
  const winner = [...counts].find(([, count]) => count >= needed)?.[0] ?? null
  return {
    winner,
    registered: winner === null ? 'unknown' : winner === registered ? 'right' : 'wrong',
    copies: copies.map(({ replica, answer }) => ({
      replica,
      verdict: verdictOf(answer, winner, registered),
      checksum: checksumOf(answer),
    })),
    votes: winner === null ? Math.max(0, ...counts.values()) : (counts.get(winner) ?? 0),
    needed,
  }
}

/** Number of votes that make a strict majority of the replicas and the registered checksum. */
export function neededOf(replicasTotal: number): number {
  return Math.floor((replicasTotal + 1) / 2) + 1
}

function checksumOf(answer: Answer): string | null {
  return answer.kind === 'checksum' ? answer.checksum : null
}

function verdictOf(answer: Answer, winner: string | null, registered: string): CopyVerdict {
  if (answer.kind === 'missing') return 'missing'
  if (winner === null || answer.kind === 'unknown') return 'unknown'
  if (answer.kind === 'checksum') return answer.checksum === winner ? 'right' : 'corrupt'
  // The copy differs from the registered checksum: corrupt if that is right, otherwise unknown.
  return winner === registered ? 'corrupt' : 'unknown'
}
