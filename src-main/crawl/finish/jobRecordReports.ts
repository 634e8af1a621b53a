/** The reports in a job's metadata file from which recovery restores its rows (`jobRecord.ts`). */
import { gzipSync } from 'node:zlib'
import type { Store } from '../../storage/storage.ts'
import { recordedConnections } from '../connections/recordedConnections.ts'
import { definitionIn } from '../definition/storedDefinition.ts'
import { databaseState } from '../ownership/databaseState.sql.ts'
import type { Report } from './report.ts'
import { progressStatements } from '../model/progress.sql.ts'
import { documentsName, jobRecordName, removedName, type DocumentLine, type JobRecord } from './jobRecord.ts'
import { jobRecordStatements, type DocumentDumpRow } from './jobRecord.sql.ts'

/** Documents in one gzip member: some hundred kilobytes of lines, which take a few milliseconds. */
const documentsAtOnce = 1_000
/** gzip level: the lines shrink to a tenth; a higher level takes three times as long for a twentieth less. */
const level = 3

/** Returns the record of the job, the list of its documents, and those that left it. */
export function jobRecordReports(store: Store, { job, metadataName }: { job: number; metadataName: string }): Report[] {
  return [
    {
      part: 'setup',
      name: jobRecordName,
      contentType: 'application/json',
      text: () => [JSON.stringify(jobRecordOf(store, job, metadataName))],
    },
    {
      part: 'logs',
      name: documentsName,
      contentType: 'application/gzip',
      text: () => documentLines(store, job),
    },
    {
      part: 'logs',
      name: removedName,
      contentType: 'application/x-ndjson',
      text: () => removedLines(store, job),
    },
  ]
}

function jobRecordOf(store: Store, job: number, metadataName: string): JobRecord {
  const sql = jobRecordStatements(store)
  const row = sql.job.get({ job })
  if (!row) throw new Error(`job ${job} has gone`)
  const { total, fetched, failed, excluded, duplicate, ...rest } = row
  return {
    version: 1,
    archive: databaseState(store).archiveId,
    job,
    ...rest,
    documents: { total, fetched, failed, excluded, duplicate },
    limits: sql.limits.all({ job }),
    connections: recordedConnections(store, definitionIn(store, job)),
    progress: progressStatements(store).ofRun.all({ job }),
    files: sql.files.all({ job, metadataName }),
  }
}

function* removedLines(store: Store, job: number): Iterable<string> {
  const { removed } = jobRecordStatements(store)
  for (let after = 0; ;) {
    const rows = removed.all({ job, after, limit: documentsAtOnce })
    for (const { id: _, ...line } of rows) yield `${JSON.stringify(line)}\n`
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

function* documentLines(store: Store, job: number): Iterable<Uint8Array> {
  let isEmpty = true
  for (const page of pagesOf(store, job)) {
    yield gzipSync(page.map((line) => `${JSON.stringify(line)}\n`).join(''), { level })
    isEmpty = false
  }
  // At least one member: an empty file is not valid gzip.
  if (isEmpty) yield gzipSync('', { level })
}

/** Yields the documents of a job in the order in which they were found. */
export function* documentsOf(store: Store, job: number): Iterable<DocumentLine> {
  for (const page of pagesOf(store, job)) yield* page
}

function* pagesOf(store: Store, job: number): Iterable<DocumentLine[]> {
  const { documents } = jobRecordStatements(store)
  let rows = documents.all({ job, after: 0, limit: documentsAtOnce })
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows.map(lineOf)
    rows = documents.all({ job, after: last.id, limit: documentsAtOnce })
  }
}

function lineOf(row: DocumentDumpRow): DocumentLine {
  const { id: _, captureId, captureMs, captureStatus, captureDigest, captureFile, captureOffset, ...rest } = row
  const { elsewhereRevisit, elsewhereUrl, elsewhereFile, elsewhereOffset, ...own } = rest
  const { namedDigest, etag, lastModified, firstMs, checkedMs, changes, ...document } = own
  const isCaptured =
    captureId !== null &&
    captureMs !== null &&
    captureStatus !== null &&
    captureDigest !== null &&
    captureFile !== null &&
    captureOffset !== null
  if (!isCaptured) return { ...document, capture: null }
  return {
    ...document,
    capture: {
      id: captureId,
      ms: captureMs,
      status: captureStatus,
      payloadDigest: captureDigest,
      namedDigest,
      etag,
      lastModified,
      file: captureFile,
      offset: captureOffset,
      firstMs: firstMs ?? captureMs,
      checkedMs: checkedMs ?? captureMs,
      changes: changes ?? 1,
      elsewhere:
        elsewhereRevisit !== null && elsewhereUrl !== null && elsewhereFile !== null && elsewhereOffset !== null
          ? { revisit: elsewhereRevisit, url: elsewhereUrl, file: elsewhereFile, offset: elsewhereOffset }
          : null,
    },
  }
}
