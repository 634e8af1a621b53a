/** The reports that Heritrix writes at the end of a job, in its columns: seeds, queues, processors, progress, and URLs that cannot
 *  be requested. Loupe has one queue per host, in which every URL costs 1; what only Heritrix has is `-`. */
import { messageFrom } from '../../contract/words/message.ts'
import { reasonMessage } from '../../contract/states/outcomes.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Store } from '../../storage/storage.ts'
import type { JobDetail } from '../jobs/jobPage.ts'
import { loggedStatus } from './crawlLog.ts'
import { heritrixReportStatements, type QueueRow } from './heritrixReports.sql.ts'
import { progressStatistics } from './progressStatistics.ts'
import { plainText, type Report } from './report.ts'

/** Rows read at a time. */
const batchCount = 1_000
/** Queues in the frontier report: those with the most URLs. A row takes some hundred bytes of memory while it is written. */
const queuesMax = 100_000

/** Returns the reports of a harvest. */
export function heritrixReports(store: Store, job: JobDetail): Report[] {
  return [
    plainText('reports', 'seeds-report.txt', () => seedsReport(store, job)),
    plainText('reports', 'frontier-report.txt', () => frontierReport(store, job)),
    plainText('reports', 'processors-report.txt', () => processorsReport(store, job)),
    plainText('logs', 'progress-statistics.log', () => progressStatistics(store, job)),
    plainText('logs', 'uri-errors.log', () => uriErrors(store, job)),
  ]
}

function* rowsOf<Row extends { id: number }>(
  statement: { all(input: { job: number; after: number; limit: number }): Row[] },
  job: number,
): Iterable<Row> {
  for (let after = 0; ;) {
    const rows = statement.all({ job, after, limit: batchCount })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < batchCount) return
    after = last.id
  }
}

/** Lists seeds in Heritrix's order: those that were not processed, then by code, the largest first within each sign. */
function* seedsReport(store: Store, { job }: JobDetail): Iterable<string> {
  yield '[code] [status] [seed] [redirect]\n'
  const sql = heritrixReportStatements(store)
  const redirects = new Map(sql.redirects.all({ job }).map(({ seed, url }) => [seed, url]))
  const seeds = Array.from(rowsOf(sql.seeds, job), (row) => {
    const code = loggedStatus(row)
    const columns = [code, code > 0 ? 'CRAWLED' : 'NOTCRAWLED', row.url, redirects.get(row.id) ?? '']
    return { code, line: `${columns.join(' ').trimEnd()}\n` }
  })
  const rank = (code: number) => (code === 0 ? 0 : code < 0 ? 1 : 2)
  for (const { line } of seeds.toSorted((one, other) => rank(one.code) - rank(other.code) || other.code - one.code))
    yield line
}

/** Lists the queues in the columns of Heritrix's `frontier-report.txt` with one line per queue. */
function* frontierReport(store: Store, { job }: JobDetail): Iterable<string> {
  yield 'queue currentSize totalEnqueues sessionBalance lastCost(averageCost) lastDequeueTime wakeTime totalSpend/totalBudget errorCount lastPeekUri lastQueuedUri\n'
  for (const row of heritrixReportStatements(store).queues.all({ job, limit: queuesMax })) yield queueLine(row)
}

function queueLine(row: QueueRow): string {
  const { queue, waiting, enqueued, spent, failed, lastFetchedMs, lastFetched, lastQueued, objectsMax } = row
  const columns = [
    ...[queue, waiting, enqueued, 0, spent > 0 ? '1(1.00)' : '0(0.00)'],
    ...[lastFetchedMs === null ? '-' : new Date(lastFetchedMs).toISOString(), '-'],
    // Heritrix has -1 for a queue without a limit.
    ...[`${spent}/${objectsMax ?? -1}`, failed, lastFetched ?? '-', lastQueued],
  ]
  return `${columns.join(' ')}\n`
}

/** Describes the steps through which URLs went, in the form of Heritrix's report of its processors. */
function* processorsReport(store: Store, job: JobDetail): Iterable<string> {
  const { documents } = job
  const { files, records } = heritrixReportStatements(store).records.get({ job: job.job }) ?? { files: 0, records: 0 }
  const processors: [name: string, task: string, handled: number, more: [name: string, value: number][]][] = [
    ['Scope', 'Decides which URLs are fetched', documents.total, [['URLs excluded', documents.excluded]]],
    [
      'Fetch',
      'Requests URLs and keeps the responses as received',
      documents.fetched + documents.failed,
      [
        ['Responses', documents.fetched],
        ['URLs failed', documents.failed],
        ['Responses truncated', documents.truncated],
        ['Bytes received', job.bytes],
      ],
    ],
    [
      'Records',
      'Writes WARC records; a response whose payload is known becomes a revisit record',
      documents.fetched,
      [
        ['Duplicates', documents.duplicate],
        ['WARC files', files],
        ['Records written', records],
      ],
    ],
  ]
  yield 'Processors report\n'
  yield `  Job being crawled:    ${job.job}\n  Number of Processors: ${processors.length}\n`
  for (const [name, task, handled, more] of processors) {
    yield `\nProcessor: loupe.${name}\n  Function:          ${task}\n  CrawlURIs handled: ${handled}\n`
    for (const [label, value] of more) yield `  ${`${label}:`.padEnd(19)}${value}\n`
  }
}

/** Lists URLs that cannot be requested, with the page that contains them. */
function* uriErrors(store: Store, { job }: JobDetail): Iterable<string> {
  const text = textOf(reasonMessage('badAddress'))
  for (const { url, via, detail, foundMs } of rowsOf(heritrixReportStatements(store).wrongUrls, job)) {
    const more = detail === null ? undefined : messageFrom(detail)
    yield `${new Date(foundMs).toISOString()} ${via ?? 'n/a'} "${text}" ${more ? textOf(more) : url}\n`
  }
}
