/** Writes the crawl.log of a run from the database: one line for each URL with an outcome, in the order in which the URLs
 *  ended, in the form that scripts for Heritrix and NetarchiveSuite read (`formats/logs/crawlLogText.ts`). There are no
 *  `dns:` lines, because name lookups are not documents here. */
import { hash } from 'node:crypto'
import { isReason, reasonMessage, type Truncation } from '../../contract/states/outcomes.ts'
import { messageFrom } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import { annotationText, crawlLogText, type CrawlLogEntry } from '../../formats/logs/crawlLogText.ts'
import { quotaAnnotations, statusOf, truncationAnnotations, type NotFetched } from '../../formats/logs/harvestStatus.ts'
import type { Store } from '../../storage/storage.ts'
import { crawlLogStatements, type LoggedDocument } from './crawlLog.sql.ts'

const batchCount = 1_000

/** A run of which a log is made. */
export interface LoggedRun {
  job: number
  /** End of the run; null while it is in progress. A URL that was never processed is dated by its discovery, but not later. */
  endedMs: number | null
}

/** Yields the lines of crawl.log. */
export function* crawlLog(store: Store, run: LoggedRun): Iterable<string> {
  for (const { line } of loggedLines(store, run, null)) yield line
}

/** Yields the lines of local-errors.log: those of crawl.log about URLs that failed, each with the error. */
export function* localErrors(store: Store, run: LoggedRun): Iterable<string> {
  for (const { line, row } of loggedLines(store, run, 'failed'))
    yield `${line.trimEnd()} ${errorText(row).replaceAll(/\s*[\r\n]+\s*/g, ' ')}\n`
}

function errorText({ reason, detail }: LoggedDocument): string {
  const text = textOf(reasonMessage(reason !== null && isReason(reason) ? reason : 'internal'))
  const more = detail ? messageFrom(detail) : undefined
  return more ? `${text}: ${textOf(more)}` : text
}

/** Yields documents with their lines, in the order in which they ended; only those with `outcome` if it is not null. */
function* loggedLines(
  store: Store,
  { job, endedMs }: LoggedRun,
  outcome: 'failed' | null,
): Iterable<{ line: string; row: LoggedDocument }> {
  const sql = crawlLogStatements(store)
  const sourceOf = sourceReader(sql, job)
  sql.forget.run({ job })
  sql.forgetSources.run({})
  sql.order.run({ job, endedMs, outcome })
  for (let after = 0; ;) {
    // In one transaction: each statement outside of one would lock the database for itself, and what it notes of seeds would be a commit.
    const { rows, lines } = store.unsyncedTransaction(() => {
      const found = sql.lines.all({ job, after, limit: batchCount })
      return { rows: found, lines: found.map((row) => ({ line: crawlLogText(entryOf(row, sourceOf(row))), row })) }
    })
    yield* lines
    const last = rows.at(-1)
    if (!last || rows.length < batchCount) break
    after = last.position
  }
  sql.forget.run({ job })
  sql.forgetSources.run({})
}

function entryOf(row: LoggedDocument, source: string | undefined): CrawlLogEntry {
  const place = { url: row.url, hopPath: row.hopPath, via: row.via ?? undefined, source, loggedMs: row.loggedMs }
  return row.outcome === 'fetched' ? { ...place, ...fetched(row) } : { ...place, ...notFetched(row) }
}

type Ended = Omit<CrawlLogEntry, 'url' | 'hopPath' | 'via' | 'source' | 'loggedMs'>

/** Status logged for a file in a folder, which has none: reading it corresponds to an answer with 200. */
const readStatus = 200

function fetched(row: LoggedDocument): Ended {
  const { status, contentBytes, bytes, mediaType, fetchedMs, durationMs, payloadDigest, isNotRequested } = row
  const isRequested = isNotRequested === 0 && fetchedMs !== null
  return {
    status: status ?? row.originalStatus ?? readStatus,
    contentBytes: isRequested ? (contentBytes ?? undefined) : undefined,
    mediaType: mediaType ?? '',
    beganMs: isRequested ? fetchedMs : undefined,
    durationMs: isRequested ? Math.max(0, durationMs ?? 0) : undefined,
    payloadDigest: payloadDigest ?? row.originalDigest ?? '',
    annotations: [
      ...duplicateAnnotations(row),
      ...(row.fileName === null && isNotRequested === 0 ? ['unwritten:nullOutput'] : []),
      ...(row.truncated === null ? [] : [truncationAnnotations[row.truncated as Truncation]]),
      ...attemptsAnnotation(row),
      ...(isRequested && bytes !== null ? [`content-size:${bytes}`] : []),
      ...(row.isGone === 1 ? ['gone'] : []),
    ],
  }
}

/** Annotates a revisit, or a URL not requested because its list reports no change, with the place of the original, in the
 *  form of NetarchiveSuite's DeDuplicator. */
function duplicateAnnotations({
  revisit,
  isNotRequested,
  originalFile,
  originalOffset,
  originalMs,
}: LoggedDocument): string[] {
  if ((revisit === null && isNotRequested === 0) || originalFile === null || originalMs === null) return []
  const date = new Date(originalMs).toISOString().replace(/\D/g, '')
  return [
    `duplicate:"${originalFile},${originalOffset},${date}"`,
    isNotRequested === 1 ? 'unwritten:unchanged' : `warcRevisit:${revisit}`,
  ]
}

type Unfetched = Pick<LoggedDocument, 'reason' | 'detail' | 'fetchedMs' | 'durationMs'> & { outcome: string | null }

function causeOf(row: Unfetched): NotFetched {
  const outcome = row.outcome === 'failed' ? 'failed' : 'excluded'
  return {
    outcome,
    reason: row.reason !== null && isReason(row.reason) ? row.reason : 'internal',
    detail: row.detail ? messageFrom(row.detail) : undefined,
    isRequested: outcome === 'failed' && row.durationMs !== null && row.fetchedMs !== null,
  }
}

/** Returns the status that crawl.log has for a document; 0 for one without an outcome, as in Heritrix. */
export function loggedStatus(row: Unfetched & Pick<LoggedDocument, 'status' | 'originalStatus'>): number {
  if (row.outcome === null) return 0
  return row.outcome === 'fetched' ? (row.status ?? row.originalStatus ?? readStatus) : statusOf(causeOf(row))
}

function notFetched(row: LoggedDocument): Ended {
  const { fetchedMs, durationMs } = row
  const { outcome, reason, detail, isRequested } = causeOf(row)
  const quota = quotaAnnotations[reason]
  return {
    status: statusOf({ outcome, reason, detail, isRequested }),
    contentBytes: undefined,
    mediaType: '',
    // For a failure, `fetchedMs` is the end of the request.
    beganMs: isRequested && fetchedMs !== null ? fetchedMs - Math.max(0, durationMs ?? 0) : undefined,
    durationMs: isRequested ? Math.max(0, durationMs ?? 0) : undefined,
    payloadDigest: '',
    annotations: [
      ...attemptsAnnotation(row),
      ...(quota === undefined ? [] : [quota]),
      [outcome, reason, ...(detail ? [annotationText(textOf(detail))] : [])].join(':'),
    ],
  }
}

function attemptsAnnotation({ attempts }: LoggedDocument): string[] {
  return attempts !== null && attempts > 1 ? [`${attempts}t`] : []
}

/** Returns a function that finds the seed of each document. Each path to a seed is followed once; results are kept in a
 *  temporary table of the connection, not in memory. */
function sourceReader(sql: ReturnType<typeof crawlLogStatements>, job: number) {
  function seedOf(document: number): number | undefined {
    const way: number[] = []
    let seed: number | undefined
    for (let at: number | null = document; seed === undefined && at !== null;) {
      seed = sql.sourceOf.get({ document: at })?.seed
      if (seed !== undefined) break
      const found: { via: number | null; role: string; host: number } | undefined = sql.place.get({ document: at })
      if (found === undefined) break
      way.push(at)
      if (found.via === null) seed = found.role === 'robots' ? sql.seedOfHost.get({ job, host: found.host })?.id : at
      at = found.via
    }
    if (seed !== undefined) for (const id of way) sql.addSource.run({ document: id, seed })
    return seed
  }

  return ({ document, url, via, hopPath }: LoggedDocument): string | undefined => {
    if (document !== null) {
      const seed = seedOf(document)
      return seed === undefined ? undefined : sql.url.get({ document: seed })?.url
    }
    // The document has left the list: its own row records where it was found.
    if (hopPath === '') return url
    const identity = via === null ? undefined : canonicalUrl(via)
    const from = identity === undefined ? undefined : sql.byKey.get({ job, key: hash('sha256', identity, 'buffer') })
    const seed = from && seedOf(from.id)
    return seed === undefined ? undefined : sql.url.get({ document: seed })?.url
  }
}
