/** Observations: what was seen of a copy over time, as stretches in which it was the same. A look that shows what the last one
 *  showed makes its stretch longer; so what is kept of a copy grows with what happened to it, not with how often
 *  somebody looked. It is written in the transaction that moves the copy's state.
 *  Deliberately not here: what follows from it (`verdict.ts`, `vote.ts`). */
import type { CopyObservation } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { observationsCountMax } from '../files/limits.ts'
import { observationStatements, type SeenAs, type ObservationRow } from './observations.sql.ts'
import type { Seen, Verdict } from './verdict.ts'

export interface Observed {
  seen: SeenAs
  /** Null when it was not read. */
  sha256: string | null
  /** Null when unknown. */
  bytes: number | null
}

export interface Observations {
  /** Must be called within a transaction. */
  note(copy: number, observed: Observed, nowMs: number): void
  /** Of all copies of a file, the newest first. */
  ofFile(name: string): CopyObservation[]
}

export function openObservations(store: Store): Observations {
  const statements = observationStatements(store)
  return {
    note(copy, observed, nowMs) {
      const [last, before] = statements.newest.all({ copy })
      // A clock that was set back makes no look older than the one before it.
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

/** What a look that has this verdict says of the copy. */
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

/** A look that read nothing, between two readings that gave the same, says nothing that they do not say. Kept, it would cost
 *  two rows each time that somebody reads what somebody else only looks for. */
function saysLess(between: Observed, reading: Observed): boolean {
  const isUnread = between.seen === 'present' || between.seen === 'wrongLength'
  return isUnread && between.sha256 === null && reading.sha256 !== null && between.bytes === reading.bytes
}

function shown({ replica, seen, sha256, bytes, firstMs, lastMs, times }: ObservationRow): CopyObservation {
  const first = new Date(firstMs).toISOString()
  return { replica, seen, sha256, bytes, first, last: new Date(lastMs).toISOString(), times }
}
