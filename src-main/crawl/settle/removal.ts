/** Removes documents from the list of a job: those not found in a run, expired ones, and those of a deleted job. Archived
 *  records stay, so other jobs with the same URLs are not affected; a URL that another job has claimed waits. */
import type { GoneMode } from '../../contract/shapes/recheck.ts'
import type { Store } from '../../storage/storage.ts'
import { removedCountMax } from '../model/limits.ts'
import { removalStatements, type RemovedDocument } from './removal.sql.ts'
import type { RemovalReason } from '../model/recheckResults.ts'

/** Decides about documents that a run did not find again. `isWhole`: the run was complete, so a document it did not find does
 *  not exist; a run that reached a limit or was stopped cannot conclude that. */
export function notFoundResult(mode: GoneMode, isWhole: boolean): 'removed' | 'kept' {
  return isWhole && mode !== 'keep' ? 'removed' : 'kept'
}

/** Tells whether a document that its server reported as gone leaves the list with that answer. The run of a continuous job
 *  has no end at which it could. */
export function leavesAtOnce(mode: GoneMode, isContinuous: boolean): boolean {
  return mode === 'atOnce' || (mode === 'atEnd' && isContinuous)
}

/** Removal of documents in batches. */
export interface Removal {
  /** Claims at most `removedCountMax` documents for the cleanup; returns none if none may be removed now. */
  takeToClean(job: number, why: 'notFound' | 'answered', nowMs: number): RemovedDocument[]
  /** Keeps at most `removedCountMax` documents unchanged; returns how many. */
  keepNotFound(job: number): number
  /** Claims at most `removedCountMax` documents of a job that is being deleted. */
  takeToDelete(job: number, nowMs: number): RemovedDocument[]
  /** Returns at most `removedCountMax` expired documents of all running jobs. */
  expired(nowMs: number): (RemovedDocument & { job: number })[]
  /** Removes documents; called inside a transaction. With a reason each removal is recorded; a job that is deleted as a whole
   *  needs no record. */
  remove(documents: readonly Pick<RemovedDocument, 'id'>[], why: RemovalReason | null, nowMs: number): void
  /** Tells whether documents have to be removed or kept before the run may end. */
  hasToClean(job: number, mode: GoneMode): boolean
  /** Tells whether the list of the job has any document. */
  hasDocuments(job: number): boolean
}

/** Opens the removal of documents of all jobs. */
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
