/** How the copies stand, from what the checks wrote down: how long ago each was last compared, and where one is bad, who
 *  is right about it. It only reads the database; nothing here looks at a replica. */
import type { AgingCopy, FileVote, LostFile } from '../../contract/services/archive.ts'
import { isBadCopy } from '../../contract/states/copyStates.ts'
import type { Store } from '../../storage/storage.ts'
import { agingCountMax, clockDoubtMs, lostCountMax, votesCountMax } from '../files/limits.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { copyStatusStatements, type Believed, type SeenRow } from './copyStatus.sql.ts'
import { neededOf, vote, type Said, type Vote } from './vote.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

export interface Ages {
  replica: string
  /** No check has looked at these since they were stored. Storing compared them, so they are fine until they are overdue. */
  neverChecked: number
  /** Not bad as far as anyone knows, but their checksums were compared too long ago, by a check or when they were stored. */
  overdue: number
  /** When the first of those that no check has looked at is overdue; null: there is none. */
  firstCheckDue: string | null
  oldestVerified: string | null
}

export interface CopyStatus {
  /** A copy whose checksum was last compared before this time or after it is overdue. */
  ages(believed: Believed & { forMs: number }): Ages[]
  /** The copies behind those numbers, the longest unseen of each replica first. */
  aging(believed: Believed): AgingCopy[]
  /** Files of which no replica has a good copy, the first of them, and how many there are. */
  lost(): { files: LostFile[]; total: number }
  /** The vote on every file of which a copy is bad. */
  votes(): FileVote[]
  /** Undefined: the catalogue does not know the file. */
  voteOn(name: string): FileVote | undefined
  /** By name, those of the files that the catalogue knows. */
  votesOn(names: readonly string[]): ReadonlyMap<string, FileVote>
}

const dayMs = 86_400_000

/** What a comparison must lie within to be believed now. `forMs`: how long one is believed. */
export function believedAt(nowMs: number, overdueDays: number): Believed & { forMs: number } {
  const forMs = overdueDays * dayMs
  return { beforeMs: nowMs - forMs, untilMs: nowMs + clockDoubtMs, forMs }
}

export type StatusPlace = Pick<ReplicaPlace, 'name' | 'kind'>

/** `places`: all that the archive has by its settings; one that never got a file has a vote that it does not give. */
export function openCopyStatus(store: Store, places: readonly StatusPlace[]): CopyStatus {
  const statements = copyStatusStatements(store)
  const replicas = places.map(({ name }) => name)
  const holders = places.filter(({ kind = 'files' }) => kind === 'files').map(({ name }) => name)
  const asked = {
    replicas: JSON.stringify(replicas),
    holders: JSON.stringify(holders),
    needed: neededOf(replicas.length),
  }
  const votesOver = (rows: readonly SeenRow[]) =>
    [...Map.groupBy(rows, ({ fileId }) => fileId).values()].flatMap(
      (copies) => voteOver(copies, replicas, holders) ?? [],
    )
  return {
    ages: (believed) =>
      replicas.map((replica) => {
        const row = statements.ages.get({ replica, ...believed })
        if (!row) throw new Error('a count gave no row')
        const { neverChecked, overdue, oldestUncheckedMs, oldestVerifiedMs } = row
        const firstCheckDue = timeOf(oldestUncheckedMs && oldestUncheckedMs + believed.forMs)
        return { replica, neverChecked, overdue, firstCheckDue, oldestVerified: timeOf(oldestVerifiedMs) }
      }),
    aging: (believed) =>
      replicas.flatMap((replica) =>
        statements.aging.all({ replica, ...believed, limit: agingCountMax }).map((row) => ({
          replica: row.replica,
          name: row.name,
          finding: row.finding,
          verified: timeOf(row.verifiedMs),
          stored: new Date(row.storedMs).toISOString(),
          job: row.job,
        })),
      ),
    votes: () => votesOver(statements.doubtful.all({ limit: votesCountMax })),
    voteOn: (name) => votesOver(statements.copiesOf.all({ names: JSON.stringify([name]) }))[0],
    votesOn: (names) =>
      new Map(votesOver(statements.copiesOf.all({ names: JSON.stringify(names) })).map((held) => [held.name, held])),
    lost: () => ({
      files: statements.lost.all({ ...asked, limit: lostCountMax }),
      total: statements.lostTotal.get(asked)?.total ?? 0,
    }),
  }
}

function voteOver(
  copies: readonly SeenRow[],
  replicas: readonly string[],
  holders: readonly string[],
): FileVote | undefined {
  const [file] = copies
  if (!file) return undefined
  const held = vote({
    registered: file.sha256,
    copies: replicas.map((replica) => ({ replica, said: saidOf(copies.find((copy) => copy.replica === replica)) })),
  })
  return {
    name: file.name,
    job: file.job,
    bytes: file.bytes,
    registered: file.sha256,
    registeredVerdict: held.registered,
    winner: held.winner,
    votes: held.votes,
    needed: held.needed,
    copies: held.copies,
    text:
      held.registered !== 'wrong' && isLost(copies, holders) ? lostSentence(held, copies, holders) : sentenceOf(held),
  }
}

function saidOf(copy: SeenRow | undefined): Said {
  if (copy?.upload !== 'UPLOAD_COMPLETED' || copy.preservation === 'MISSING') return { kind: 'missing' }
  if (copy.foundSha256 !== null) return { kind: 'checksum', checksum: copy.foundSha256 }
  return copy.preservation === 'CORRUPT' ? { kind: 'differs' } : { kind: 'unknown' }
}

/** As the statement of the lost files has it. */
function isLost(copies: readonly SeenRow[], holders: readonly string[]): boolean {
  const stored = copies.filter(({ replica, upload }) => holders.includes(replica) && upload === 'UPLOAD_COMPLETED')
  return stored.length > 0 && stored.every(isBadCopy)
}

/** A vote would be about nothing: that the register knows which checksum was right brings no byte back. */
function lostSentence({ copies: votes }: Vote, copies: readonly SeenRow[], holders: readonly string[]): string {
  const damaged = copies.filter(({ replica, preservation }) => holders.includes(replica) && preservation === 'CORRUPT')
  const missing = votes.filter(({ replica, verdict }) => holders.includes(replica) && verdict === 'missing')
  const where = [
    ...(damaged.length > 0 ? [`damaged in ${damaged.map(({ replica }) => replica).join(', ')}`] : []),
    ...(missing.length > 0 ? [`missing in ${missing.map(({ replica }) => replica).join(', ')}`] : []),
  ]
  const nothing = damaged.length === 0 ? ' No bytes are left.' : ''
  const advice =
    missing.length > 0
      ? 'If you have another copy of this file, upload it under the same name to restore it where it is missing.'
      : 'Keep the damaged copies. If you have another copy of this file: move one damaged copy out of its replica, run a check for missing files, and upload the file under the same name.'
  return `Lost: no replica has a good copy (${where.join('; ')}).${nothing} ${advice}`
}

/** What the vote means and what to do, for a person. */
function sentenceOf({ winner, registered, copies, votes, needed }: Vote): string {
  const named = (verdict: string) => copies.filter((copy) => copy.verdict === verdict).map(({ replica }) => replica)
  if (winner === null) {
    // Without a winner the verdict on all is unknown; only copies that have not been read can change that.
    const isUnread = copies.some(({ verdict, checksum }) => verdict === 'unknown' && checksum === null)
    const advice = isUnread ? '. Run a checksum check of every replica' : ''
    return `No checksum has a majority: ${votes} of the ${needed} votes needed${advice}.`
  }
  const right = named('right').join(', ')
  if (registered === 'wrong')
    return `${right} agree on a checksum that is not the registered one. Find out which one is right before you repair anything.`
  const parts = [
    right ? `good in ${right}` : 'the registered checksum is right, but no replica has it',
    ...(['corrupt', 'missing', 'unknown'] as const).flatMap((verdict) =>
      named(verdict).length > 0 ? `${words[verdict]} ${named(verdict).join(', ')}` : [],
    ),
  ]
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const words = { corrupt: 'damaged in', missing: 'missing in', unknown: 'not verified since it was stored in' }
