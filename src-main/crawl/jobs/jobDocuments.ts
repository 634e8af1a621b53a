/** The documents of a job as its page lists them, and captures of a URL in other jobs. */
import { createHash } from 'node:crypto'
import type { DocumentRow } from '../../contract/services/documents.ts'
import { truncationMessage } from '../../contract/states/outcomes.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import {
  documentListStatements,
  urlStatements,
  type CapturedElsewhere,
  type DocumentListRow,
} from '../model/jobDocuments.sql.ts'
import { reasonOf } from './whyMissing.ts'

/** Selects documents of a job; `offset` and `limit` count documents. */
export interface DocumentQuery {
  job: number
  /** An outcome, 'queued' for documents without one, or 'truncated' for incomplete captures. */
  outcome?: string | undefined
  /** Text that the URL contains. */
  text?: string | undefined
  offset: number
  limit: number
}

/** A part of a list of documents. `total` counts all that the query selects. */
export interface DocumentPage {
  rows: DocumentRow[]
  total: number
}

/** Returns a function that lists documents in the order in which the job found them. */
export function documentPages(store: Store): (query: DocumentQuery) => DocumentPage {
  const sql = documentListStatements(store)
  return ({ job, outcome = null, text = null, offset, limit }) => ({
    rows: sql.documents.all({ job, outcome, text, offset, limit }).map(rowOf),
    total: sql.documentsTotal.get({ job, outcome, text })?.total ?? 0,
  })
}

function rowOf({ fetchedMs, reason, detail, ...document }: DocumentListRow): DocumentRow {
  return {
    ...document,
    outcome: document.outcome as DocumentRow['outcome'],
    code: reason,
    reason: whyOf({ reason, detail, truncated: document.truncated }),
    fetched: timeOf(fetchedMs),
  }
}

/** Explains an outcome to the user; null if there is nothing to explain. */
function whyOf({
  reason,
  detail,
  truncated,
}: Pick<DocumentListRow, 'reason' | 'detail' | 'truncated'>): Message | null {
  const cut = truncated ? truncationMessage(truncated) : undefined
  const why = reason === null ? cut : reasonOf(reason)
  const because = detail ? messageFrom(detail) : undefined
  return why && because ? message('reason.because', { reason: why, detail: because }) : (why ?? because ?? null)
}

/** Most captures in other jobs to offer: a longer list would not be read. */
const elsewhereMax = 10

/** Returns a function that finds captures of a URL in jobs other than the given ones, newest first. */
export function capturesElsewhere(store: Store): (url: string, jobs: readonly number[]) => CapturedElsewhere[] {
  const { capturedElsewhere } = urlStatements(store)
  return (url, jobs) => {
    const identity = canonicalUrl(url)
    if (identity === undefined) return []
    const key = createHash('sha256').update(identity).digest()
    return capturedElsewhere.all({ key, jobs: JSON.stringify(jobs), limit: elsewhereMax })
  }
}
