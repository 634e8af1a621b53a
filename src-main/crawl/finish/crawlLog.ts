/** Writes the crawl.log of a run from the database: one line for each URL with an outcome, in the order in which the URLs
 *  ended, in the form that scripts for Heritrix and NetarchiveSuite read (`formats/logs/crawlLogText.ts`). There are no
 *  `dns:` lines, because name lookups are not documents here. */
import { hash } from 'node:crypto'
import { isReason, type Truncation } from '../../contract/states/outcomes.ts'
import { messageFrom } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import { annotationText, crawlLogText, type CrawlLogEntry } from '../../formats/logs/crawlLogText.ts'
import { quotaAnnotations, statusOf, truncationAnnotations } from '../../formats/logs/harvestStatus.ts'
import type { Store } from '../../storage/storage.ts'
import { crawlLogStatements, type LoggedDocument } from './crawlLog.sql.ts'

const batchCount = 1_000

/** Yields the lines of the log. `endedMs` is the end of the run, null while it is in progress. A URL that was never processed
 *  is dated by its discovery, but not later than `endedMs`. */
export function* crawlLog(store: Store, { job, endedMs }: { job: number; endedMs: number | null }): Iterable<string> {
  const sql = crawlLogStatements(store)
  const sourceOf = sourceReader(sql, job)
  sql.forget.run({ job })
  sql.forgetSources.run({})
  sql.order.run({ job, endedMs })
  for (let after = 0; ;) {
    const rows = sql.lines.all({ job, after, limit: batchCount })
    for (const row of rows) yield crawlLogText(entryOf(row, sourceOf(row)))
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

function notFetched(row: LoggedDocument): Ended {
  const { fetchedMs, durationMs } = row
  const detail = row.detail ? messageFrom(row.detail) : undefined
  const outcome = row.outcome === 'failed' ? 'failed' : 'excluded'
  const reason = row.reason !== null && isReason(row.reason) ? row.reason : 'internal'
  const isRequested = outcome === 'failed' && durationMs !== null && fetchedMs !== null
  const quota = quotaAnnotations[reason]
  return {
    status: statusOf({ outcome, reason, detail, isRequested }),
    contentBytes: undefined,
    mediaType: '',
    // For a failure, `fetchedMs` is the end of the request.
    beganMs: isRequested ? fetchedMs - Math.max(0, durationMs) : undefined,
    durationMs: isRequested ? Math.max(0, durationMs) : undefined,
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
