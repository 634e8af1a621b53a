/** Status of the copies from the recorded checks: the time since each was last compared, and for bad copies the vote on the right
 *  checksum. Reads only the database, never a replica. */
import type { AgingCopy } from '../../contract/services/checks.ts'
import type { FileVote } from '../../contract/services/votes.ts'
import type { LostFile } from '../../contract/services/archivedFiles.ts'
import { isBadCopy, isStoredCopy } from '../../contract/states/copyStates.ts'
import type { Store } from '../../storage/storage.ts'
import { agingCountMax, clockDoubtMs, lostCountMax, votesCountMax } from '../files/limits.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { copyStatusStatements, type Believed, type SeenRow } from './copyStatus.sql.ts'
import { neededOf, vote, type Answer } from './vote.ts'
import { lostMessage, voteMessage } from './voteMessage.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

export interface Ages {
  replica: string
  /** Number of copies that no check has read since they were stored. The store compared them, so they are in order until they are
   *  overdue. */
  neverChecked: number
  /** Number of copies not known to be bad whose checksums were last compared too long ago, by a check or by the store. */
  overdue: number
  /** When the oldest copy not yet checked becomes overdue; null: there is none. */
  firstCheckDue: string | null
  oldestVerified: string | null
}

export interface CopyStatus {
  /** Ages by replica. A copy last compared outside the given period is overdue. */
  ages(believed: Believed & { forMs: number }): Ages[]
  /** The copies counted by `ages`, by replica, longest unchecked first. */
  aging(believed: Believed): AgingCopy[]
  /** Files without a good copy in any replica: the first ones, and their total number. */
  lost(): { files: LostFile[]; total: number }
  /** Votes on the files that have a bad copy, at most `votesCountMax` files. */
  votes(): FileVote[]
  /** Vote on one file; undefined when the catalogue does not have it. */
  voteOn(name: string): FileVote | undefined
  /** Votes by name, for those of the files that the catalogue has. */
  votesOn(names: readonly string[]): ReadonlyMap<string, FileVote>
}

const dayMs = 86_400_000

/** Period in which a comparison is accepted now. `forMs`: length of the period in the past. */
export function believedAt(nowMs: number, overdueDays: number): Believed & { forMs: number } {
  const forMs = overdueDays * dayMs
  return { beforeMs: nowMs - forMs, untilMs: nowMs + clockDoubtMs, forMs }
}

export type StatusPlace = Pick<ReplicaPlace, 'name' | 'kind'>

/** Opens the copy status. `places`: all replicas of the settings; a replica without a copy counts in the vote as missing. */
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
    copies: replicas.map((replica) => ({ replica, answer: answerOf(copies.find((copy) => copy.replica === replica)) })),
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
    message:
      held.registered !== 'wrong' && isLost(copies, holders) ? lostMessage(held, copies, holders) : voteMessage(held),
  }
}

function answerOf(copy: SeenRow | undefined): Answer {
  if (!copy || !isStoredCopy(copy) || copy.preservation === 'MISSING') return { kind: 'missing' }
  if (copy.foundSha256 !== null) return { kind: 'checksum', checksum: copy.foundSha256 }
  return copy.preservation === 'CORRUPT' ? { kind: 'differs' } : { kind: 'unknown' }
}

/** Whether a file is lost, by the same rule as the SQL statement for lost files. */
function isLost(copies: readonly SeenRow[], holders: readonly string[]): boolean {
  const stored = copies.filter((copy) => holders.includes(copy.replica) && isStoredCopy(copy))
  return stored.length > 0 && stored.every(isBadCopy)
}
