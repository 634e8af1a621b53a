/** Removes documents from the list of a job: those not found in a run, those that expired, those of a deleted job. Archived
 *  records stay, so other jobs with the same URLs are not affected; a URL that another job has claimed waits. */
import type { GoneMode } from '../../contract/shapes/recrawl.ts'
import type { Store } from '../../storage/storage.ts'
import { removedCountMax } from '../model/limits.ts'
import { removalStatements, type RemovedDocument } from './removal.sql.ts'
import type { RemovalReason } from '../model/recheckResults.ts'

/** What becomes of what a run has not found again. `isWhole`: everything that there is was looked at, so that what was not
 *  found is not there; a run that met a limit, or was stopped, cannot say so. */
export function fateOfNotFound(mode: GoneMode, isWhole: boolean): 'removed' | 'kept' {
  return isWhole && mode !== 'keep' ? 'removed' : 'kept'
}

/** Whether a document whose server said that it has gone leaves the list with that answer. A continuous job's run has no end
 *  at which it could. */
export function leavesAtOnce(mode: GoneMode, isContinuous: boolean): boolean {
  return mode === 'atOnce' || (mode === 'atEnd' && isContinuous)
}

export interface Removal {
  /** Claims at most `removedCountMax` documents for the cleanup; empty when none may go now. */
  takeToClean(job: number, why: 'notFound' | 'answered', nowMs: number): RemovedDocument[]
  /** Keeps at most `removedCountMax` documents as they were; returns how many. */
  keepNotFound(job: number): number
  takeToDelete(job: number, nowMs: number): RemovedDocument[]
  expired(nowMs: number): (RemovedDocument & { job: number })[]
  /** Inside a transaction. With a reason it is written down what left; a job that goes as a whole needs no account. */
  remove(documents: readonly Pick<RemovedDocument, 'id'>[], why: RemovalReason | null, nowMs: number): void
  /** Whether something is left that leaves, or stays, before the run may end. */
  hasToClean(job: number, mode: GoneMode): boolean
  hasDocuments(job: number): boolean
}

export function removalFrom(store: Store): Removal {
  const sql = removalStatements(store)
  const limit = removedCountMax
  return {
    takeToClean: (job, why, nowMs) => (why === 'notFound' ? sql.takeNotFound : sql.takeGone).all({ job, nowMs, limit }),
    keepNotFound: (job) => sql.keep.run({ job, limit }),
    takeToDelete: (job, nowMs) => sql.takeToDelete.all({ job, nowMs, limit }),
    expired: (nowMs) => sql.expired.all({ nowMs, limit }),
    remove(documents, why, nowMs) {
      for (const { id } of documents) {
        if (why !== null) sql.note.run({ id, why, nowMs })
        sql.remove.run({ id })
      }
    },
    hasToClean: (job, mode) => sql.anyToClean.get({ job, withGone: mode === 'keep' ? 0 : 1 }) !== undefined,
    hasDocuments: (job) => sql.anyLeft.get({ job }) !== undefined,
  }
}
