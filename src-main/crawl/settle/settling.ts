/** Settles documents in the committer's transaction: their outcome in this run, the data of their capture for the next
 *  comparison, when a continuous job checks them again, and the removal of documents that are gone. */
import { message, storedMessage } from '../../contract/words/message.ts'
import { storedDetail } from '../model/detail.ts'
import type { Recheck } from '../../contract/shapes/recheck.ts'
import type { Store } from '../../storage/storage.ts'
import type { Result } from './result.ts'
import type { Place } from '../capture/connectors/connector.ts'
import { noCounts, type Counts } from '../frontier/counts.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { neverMs, rulesMsMax } from '../model/limits.ts'
import { nextCheck } from './checkTime.ts'
import { captureStatements, elsewhereStatements } from './previousCaptures.ts'
import { leavesAtOnce, removalFrom } from './removal.ts'
import { settledStatements, type Next } from './settled.sql.ts'
import { compare } from '../capture/fetch/version.ts'
import type { Comparison } from '../../contract/shapes/comparisons.ts'

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>

const unchangedByList = storedMessage(message('capture.unchangedByList'))

/** Parameters of `settlingOf`. */
export interface SettlingSetting {
  store: Store
  job: number
  recheck: Recheck
  now: () => number
  frontier: Pick<Frontier, 'forget'>
}

/** Settles documents. Each method runs inside a transaction and returns its change to the counters of the run. The counters
 *  count documents, so a document that is settled twice counts once. */
export interface Settling {
  fetched(result: Of<'fetched'>, place: Place | null): Counts
  settleUnchanged(result: Of<'unchanged'>): Counts
  ended(result: Of<'ended'>): Counts
  postponed(result: Of<'postponed'>): Counts
}

/** Prepares the settling of a job's documents. */
export function settlingOf({ store, job, recheck, now, frontier }: SettlingSetting): Settling {
  const isContinuous = recheck.type === 'continuous'
  const sql = settledStatements(store, isContinuous ? 'rescheduled' : 'settled')
  const lastly = settledStatements(store, 'settled')
  const captures = captureStatements(store)
  const elsewhere = elsewhereStatements(store)
  const nextOf = nextChecks({ recheck, now })
  const removal = removalFrom(store)
  const { payloadKnown } = frontierStatements(store)

  /** Counts the outcome and subtracts the previous one. */
  function counted(id: number, outcome: 'fetched' | 'failed' | 'excluded'): Counts {
    const before = sql.counted.get({ id })?.outcome ?? null
    const counts = { ...noCounts, [outcome]: 1 }
    if (before !== null) counts[before] -= 1
    return counts
  }

  return {
    fetched(result, place) {
      const { document, status, bytes, records } = result
      const { payloadDigest } = records
      const comparison = compare(document.previous?.original, { status: status ?? 200, payloadDigest })
      const counts = counted(document.id, 'fetched')
      if (counts.fetched > 0 && payloadKnown.get({ job, payloadDigest })) counts.duplicate = 1
      sql.fetched.run({
        ...{ id: document.id, status, bytes, payloadDigest, comparison, mediaType: result.mediaType },
        ...{
          contentBytes: result.contentBytes,
          truncated: result.truncated,
          detail: result.detail === null ? null : storedDetail(result.detail),
        },
        ...{ fetchedMs: result.fetchedMs, durationMs: result.durationMs },
        ...{ file: place?.file ?? null, fileOffset: place?.offset ?? null },
        ...nextOf(document, comparison),
      })
      noteCapture(captures, result, place)
      noteElsewhere(elsewhere, result)
      if (comparison === 'gone' && leavesAtOnce(recheck.gone, isContinuous)) {
        removal.remove([document], 'answered', now())
        // The document is found again when another one links to it.
        frontier.forget()
      }
      return { ...counts, bytes }
    },
    settleUnchanged({ document }) {
      const counts = counted(document.id, 'fetched')
      sql.settleUnchanged.run({ id: document.id, detail: unchangedByList, ...nextOf(document, 'unchanged') })
      captures.unchanged.run({ id: document.id, nowMs: now(), etag: null, lastModified: null })
      return counts
    },
    ended({ document, outcome, reason, detail, durationMs }) {
      const counts = counted(document.id, outcome)
      const ended = { id: document.id, outcome, reason, detail: storedDetail(detail), durationMs, fetchedMs: now() }
      // A document that a user deleted from the queue is not scheduled again.
      if (reason === 'dropped') lastly.unfetched.run({ ...ended, nextMs: now(), action: 'rescan' })
      else sql.unfetched.run({ ...ended, ...nextOf(document, undefined) })
      return counts
    },
    postponed({ document: { id }, delayMs, attempted, failing }) {
      const nowMs = now()
      const { giveUpMs, failCount } = failing ?? { giveUpMs: null, failCount: null }
      const failMs = giveUpMs === null ? null : nowMs + giveUpMs
      const attempts = attempted ? 0 : 1
      sql.putBack.run({ id, dueMs: nowMs + delayMs, attempts, isFailing: failing ? 1 : 0, failMs, failCount })
      return noCounts
    },
  }
}

/** Returns the function that computes when a document is checked next, after it was compared with its last capture. */
function nextChecks({ recheck, now }: Pick<SettlingSetting, 'recheck' | 'now'>) {
  return ({ previous, role }: Result['document'], comparison: Comparison | undefined): Next => {
    const nowMs = now()
    if (recheck.type !== 'continuous') return { nextMs: nowMs, action: 'rescan' }
    const { checkMs, action } = nextCheck(
      nowMs,
      {
        firstMs: previous?.firstMs ?? nowMs,
        lastMs: nowMs,
        changeCount: (previous?.changeCount ?? 0) + (comparison === 'unchanged' ? 0 : 1),
        // Servers do not report when a document was created: its first capture is the best estimate.
        originMs: previous?.firstMs ?? nowMs,
      },
      recheck,
      // robots.txt decides about a whole host: it is read again in time, and never removed.
      role === 'robots' ? { rescanMsMax: nowMs + rulesMsMax, removeMsMin: neverMs } : {},
    )
    return { nextMs: checkMs ?? neverMs, action }
  }
}

/** Records the capture for the next comparison. `place` is null if its records are not stored. Of a revisit that refers to another job, the
 *  capture there is compared with. */
function noteCapture(
  captures: ReturnType<typeof captureStatements>,
  { document, records, status, fetchedMs, ...result }: Of<'fetched'>,
  place: Place | null,
): void {
  const { id } = document
  const validators = result.validators ?? { etag: null, lastModified: null }
  const { known } = records
  if (known && known === document.previous) {
    captures.unchanged.run({ id, nowMs: fetchedMs, ...validators })
    return
  }
  if (!place) return
  const original = known?.original ?? { ...records, ms: fetchedMs, status: status ?? 200 }
  captures.changed.run({
    ...{ id, recordId: original.id, capturedMs: original.ms, seenMs: fetchedMs, status: original.status },
    etag: validators.etag ?? known?.etag ?? null,
    lastModified: validators.lastModified ?? known?.lastModified ?? null,
    ...{ payloadDigest: original.payloadDigest, namedDigest: original.namedDigest },
    ...{ file: place.file, fileOffset: place.offset },
  })
}

/** Records what the revisit of a document refers to if that is in another job. */
function noteElsewhere(
  sql: ReturnType<typeof elsewhereStatements>,
  { document: { id, url, previous }, records: { known }, status }: Of<'fetched'>,
): void {
  if (known === undefined) sql.forget.run({ id })
  // The previous capture is of this job, or it is noted already.
  else if (known !== previous)
    sql.note.run({
      ...{ id, revisit: status === 304 ? 'notModified' : 'digest', url: known.original.url ?? url },
      ...{ capturedMs: known.original.ms, fileName: known.place.fileName, fileOffset: known.place.offset },
    })
}
