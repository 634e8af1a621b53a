/** The vote on one file: which checksum is the right one, as far as those who have one can say, and who holds something
 *  else. Pure; who was asked and when is `votes.ts`'s business, and nothing is mended by it.
 *
 *  NetarchiveSuite has two rules (file-based and database-based bit preservation). File based: the registered checksum has one vote and so has each
 *  replica, and the winner needs a strict majority of all R + 1. Database based: among the replicas that have the file the
 *  unique most frequent checksum wins, and the register has no vote. Loupe uses the first. Its registered checksum was made
 *  of the source before there was any copy, so it is evidence as good as a copy; with two replicas, which is what most
 *  archives have, the second rule is a tie at every disagreement; and a single copy left over would be right by itself,
 *  whatever it holds. The price: a replica that cannot answer counts against a majority. That is as it should be: nobody
 *  replaces a file on the word of a minority. */

export interface Ballot {
  /** As it was when the file was registered. */
  registered: string
  /** One for each replica of the archive. */
  copies: readonly { replica: string; said: Said }[]
}

/** What a replica's last look says of its copy. `differs`: not as registered, with an unknown checksum. */
export type Said =
  | { kind: 'checksum'; checksum: string }
  | { kind: 'missing' }
  | { kind: 'differs' }
  | { kind: 'unknown' }

export type CopyVerdict = 'right' | 'corrupt' | 'missing' | 'unknown'

export interface Vote {
  /** The checksum that more than half of R + 1 votes are for; null when none has so many. */
  winner: string | null
  /** Of the catalogue's own checksum. `wrong`: the copies agree on another. */
  registered: 'right' | 'wrong' | 'unknown'
  copies: { replica: string; verdict: CopyVerdict; checksum: string | null }[]
  votes: number
  /** How many the winner needs. */
  needed: number
}

export function vote({ registered, copies }: Ballot): Vote {
  const counts = new Map<string, number>()
  const checksums = [registered, ...copies.map(({ said }) => checksumOf(said))]
  for (const checksum of checksums) if (checksum !== null) counts.set(checksum, (counts.get(checksum) ?? 0) + 1)
  const needed = neededOf(copies.length)
  const winner = [...counts].find(([, count]) => count >= needed)?.[0] ?? null
  return {
    winner,
    registered: winner === null ? 'unknown' : winner === registered ? 'right' : 'wrong',
    copies: copies.map(({ replica, said }) => ({
      replica,
      verdict: verdictOf(said, winner, registered),
      checksum: checksumOf(said),
    })),
    votes: winner === null ? Math.max(0, ...counts.values()) : (counts.get(winner) ?? 0),
    needed,
  }
}

/** How many votes are more than half of all: of so many replicas, and of the register. */
export function neededOf(replicasTotal: number): number {
  return Math.floor((replicasTotal + 1) / 2) + 1
}

function checksumOf(said: Said): string | null {
  return said.kind === 'checksum' ? said.checksum : null
}

function verdictOf(said: Said, winner: string | null, registered: string): CopyVerdict {
  if (said.kind === 'missing') return 'missing'
  if (winner === null || said.kind === 'unknown') return 'unknown'
  if (said.kind === 'checksum') return said.checksum === winner ? 'right' : 'corrupt'
  // Not as registered: wrong if the registered checksum is right, and unknown if it is not.
  return winner === registered ? 'corrupt' : 'unknown'
}
