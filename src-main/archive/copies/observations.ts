/** Observations: the findings on each copy over time, as periods with the same finding. A finding equal to the last one extends its
 *  period, so the stored data grows with changes, not with the number of checks. Written in the transaction that changes the copy's
 *  state. Conclusions are drawn elsewhere (`verdict.ts`, `vote.ts`). */
import type { CopyObservation } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'
import { observationsCountMax } from '../files/limits.ts'
import { observationStatements, type SeenAs, type ObservationRow } from './observations.sql.ts'
import type { Seen, Verdict } from './verdict.ts'

export interface Observed {
  seen: SeenAs
  /** Checksum of the copy; null when it was not read. */
  sha256: string | null
  /** Length of the copy; null when unknown. */
  bytes: number | null
}

export interface Observations {
  /** Records a finding on a copy. Must be called within a transaction. */
  note(copy: number, observed: Observed, nowMs: number): void
  /** Observations of all copies of a file, newest first. */
  ofFile(name: string): CopyObservation[]
}

/** Opens the observations. `note` runs within the caller's transaction. */
export function openObservations(store: Store): Observations {
  const statements = observationStatements(store)
  return {
    note(copy, observed, nowMs) {
      const [last, before] = statements.newest.all({ copy })
      // A clock that was set back must not date an observation before the previous one.
      const atMs = Math.max(nowMs, last?.lastMs ?? nowMs)
      if (last && isSame(last, observed)) {
        statements.again.run({ id: last.id, atMs })
      } else if (last && before && isSame(before, observed) && saysLess(last, observed)) {
        statements.remove.run({ id: last.id })
        statements.again.run({ id: before.id, atMs })
      } else {
        statements.add.run({ copy, ...observed, atMs })
      }
    },
    ofFile: (name) => statements.ofFile.all({ name, limit: observationsCountMax }).map(shown),
  }
}

/** Converts a finding and its verdict to an observation. */
export function observedAs(seen: Seen, { problem }: Verdict): Observed {
  const sha256 = seen.kind === 'hashed' ? seen.sha256 : null
  return {
    seen: problem?.finding ?? (seen.kind === 'hashed' ? 'right' : 'present'),
    sha256,
    bytes: seen.kind === 'hashed' || seen.kind === 'present' ? seen.bytes : null,
  }
}

function isSame(one: Observed, other: Observed): boolean {
  return one.seen === other.seen && one.sha256 === other.sha256 && one.bytes === other.bytes
}

/** Whether an observation without a reading adds nothing to two equal readings around it. Keeping it would cost two rows whenever full
 *  checks and checks for missing files alternate. */
function saysLess(between: Observed, reading: Observed): boolean {
  const isUnread = between.seen === 'present' || between.seen === 'wrongLength'
  return isUnread && between.sha256 === null && reading.sha256 !== null && between.bytes === reading.bytes
}

function shown({ replica, seen, sha256, bytes, firstMs, lastMs, times }: ObservationRow): CopyObservation {
  const first = new Date(firstMs).toISOString()
  return { replica, seen, sha256, bytes, first, last: new Date(lastMs).toISOString(), times }
}
