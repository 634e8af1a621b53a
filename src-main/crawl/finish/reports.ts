/** The reports of an ended job, as text, for its metadata WARC. Names and columns follow Heritrix, because curators' scripts
 *  read them. Everything is made from the database, so a report can be made again at any time with the same content. */
import { textOf } from '../../contract/words/render.ts'
import { truncationNames } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import { definitionsSinceDescribed } from '../definition/storedDefinition.ts'
import type { JobDetail } from '../jobs/jobPage.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LogLine } from '../../contract/services/jobs.ts'
import { crawlLog, localErrors } from './crawlLog.ts'
import { heritrixReports } from './heritrixReports.ts'
import { plainText, type Report } from './report.ts'
import { documentCountStatements, documentListStatements } from '../model/jobDocuments.sql.ts'
import { duplicateReductionJobs, duplicateReductionRecord, jobStatements } from '../model/jobs.sql.ts'
import { indexRequestStatements } from '../dedup/indexRequests.sql.ts'

/** Documents read at a time: a report is made step by step, so that its memory is bounded. */
const batchCount = 1_000
/** Lines of the log read at a time. */
const eventsCountMax = 1_000

/** Returns the reports of a job, except its record and document list (`jobRecordReports.ts`). */
export function reportsOf(job: JobDetail, jobs: Jobs, store: Store): Report[] {
  const endedMs = job.ended === null ? null : Date.parse(job.ended)
  return [
    {
      part: 'setup',
      name: 'harvest.json',
      contentType: 'application/json',
      text: () => [JSON.stringify(job.ranWith ?? job.definition, undefined, 2)],
    },
    ...setupRecords(job, store),
    ...changesReport(job, store),
    crawlReport(job),
    ...countReports(job, store),
    plainText('reports', 'truncated-report.txt', () => truncatedReport(job, store)),
    plainText('reports', 'removed-report.txt', () => removedReport(job, store)),
    ...(job.kind === 'event' ? heritrixReports(store, job) : []),
    plainText('logs', 'crawl.log', () => crawlLog(store, { job: job.job, endedMs })),
    plainText('logs', 'local-errors.log', () => localErrors(store, { job: job.job, endedMs })),
    plainText('logs', 'job.log', () => jobLog(job, jobs, store)),
    plainText('logs', 'runtime-errors.log', () => jobLog(job, jobs, store, 'error')),
  ]
}

/** Returns a report with a header and a line for each row; the last column may contain spaces. */
function table(name: string, header: string, rows: (string | number)[][]): Report {
  return plainText('reports', name, () => [`${header}\n`, ...rows.map((row) => `${row.join(' ')}\n`)])
}

/** Returns the numbers of the run as a whole, one per line. */
function crawlReport(job: JobDetail): Report {
  const { documents, findingCounts } = job
  return table('crawl-report.txt', '[name] [value]', [
    ['job', job.job],
    ['harvest', job.harvest],
    ['stopReason', job.stopReason ?? 'DOWNLOAD_UNFINISHED'],
    ['started', job.started ?? '-'],
    ['seconds', Math.round(job.seconds)],
    ['documents', documents.total],
    ['inScope', job.progress.total],
    ['fetched', documents.fetched],
    ['failed', documents.failed],
    ['excluded', documents.excluded],
    ['duplicate', documents.duplicate],
    ['truncated', documents.truncated],
    ...job.byTruncation.map(({ truncation, documents: count }) => [`truncated-${truncation}`, count]),
    ...answerRows(job),
    ['findings', Object.values(findingCounts).reduce((sum, each) => sum + each, 0)],
    ['findingErrors', findingCounts.errors],
    ['findingWarnings', findingCounts.warnings],
    ['findingNotes', findingCounts.notes],
    ['bytes', job.bytes],
  ])
}

/** Returns the reports that count URLs by host, status, media type, reason and comparison with the last run. */
function countReports(job: JobDetail, store: Store): Report[] {
  const { byComparison } = documentCountStatements(store)
  return [
    table(
      'hosts-report.txt',
      '[#urls] [#failed] [#excluded] [#bytes] [host]',
      job.hosts.map(({ origin, fetched, failed, excluded, bytes }) => [fetched, failed, excluded, bytes, origin]),
    ),
    table(
      'responsecode-report.txt',
      '[#urls] [rescode]',
      job.byStatus.map(({ status, documents }) => [documents, status]),
    ),
    table(
      'mimetype-report.txt',
      '[#urls] [#bytes] [mime-types]',
      job.byMediaType.map(({ mediaType, documents, bytes }) => [documents, bytes, mediaType ?? '-']),
    ),
    table(
      'exclusions-report.txt',
      '[#urls] [reason]',
      job.byReason.map(({ reason, documents }) => [documents, reason]),
    ),
    table(
      'changes-report.txt',
      '[#urls] [since the last run]',
      byComparison.all({ job: job.job }).map(({ comparison, documents }) => [documents, comparison]),
    ),
  ]
}

/** Counts the URLs of a harvest by the answer of their server. */
function answerRows({ answers }: JobDetail): (string | number)[][] {
  return Object.entries(answers ?? {}).map(([name, urls]) => [`answers-${name}`, urls])
}

/** Returns what the harvest floor adds to the setup of a generated job, and the jobs with whose captures the run was compared. */
function setupRecords({ job }: JobDetail, store: Store): Report[] {
  const given = jobStatements(store).setupRecords.all({ job })
  const compared = indexRequestStatements(store).jobsOf.get({ job })
  // The generation names the jobs of earlier runs; which of them count was decided when the run began.
  const others = compared ? given.filter(({ name }) => name !== duplicateReductionJobs) : given
  const records = compared ? [...others, duplicateReductionRecord(JSON.parse(compared.jobs) as number[])] : others
  return records.map(({ name, contentType, text }) => ({ part: 'setup', name, contentType, text: () => [text] }))
}

/** Lists the definitions in effect since the last metadata file, if the definition changed during the run. */
function changesReport({ job }: JobDetail, store: Store): Report[] {
  const held = definitionsSinceDescribed(store, job)
  if (held.length < 2) return []
  const rows = held.map(({ run, fromMs, definition }) => ({
    run,
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    definition: JSON.parse(definition) as unknown,
  }))
  const text = () => [JSON.stringify(rows, undefined, 2)]
  return [{ part: 'setup', name: 'harvest-changes.json', contentType: 'application/json', text }]
}

/** Lists the incomplete captures of this run by reason. Incomplete captures of imported files are counted for each file in
 *  the import report. */
function* truncatedReport({ job }: JobDetail, store: Store): Iterable<string> {
  const { truncated } = documentListStatements(store)
  yield '[reason] [status] [#bytes] [url]\n'
  for (const truncation of truncationNames) {
    for (let after = 0; ;) {
      const rows = truncated.all({ job, truncation, after, limit: batchCount })
      for (const { url, status, contentBytes } of rows)
        yield `${truncation} ${status ?? '-'} ${contentBytes ?? '-'} ${url}\n`
      const last = rows.at(-1)
      if (!last || rows.length < batchCount) break
      after = last.id
    }
  }
}

/** Lists the URLs that left the list in this run, with the reason; their captures stay in the archive. */
function* removedReport({ job }: JobDetail, store: Store): Iterable<string> {
  const { removed } = documentListStatements(store)
  yield '[why] [status] [url]\n'
  for (let after = 0; ;) {
    const rows = removed.all({ job, after, limit: batchCount })
    for (const { why, status, url } of rows) yield `${why} ${status ?? '-'} ${url}\n`
    const last = rows.at(-1)
    if (!last || rows.length < batchCount) return
    after = last.id
  }
}

/** Yields the log lines of this run, in English; only those of one level if it is given. A message is one line: recovery reads
 *  the report back line by line. */
function* jobLog({ job }: JobDetail, jobs: Jobs, store: Store, only?: LogLine['level']): Iterable<string> {
  for (let after = jobStatements(store).one.get({ job })?.logBefore ?? 0; ;) {
    const lines = jobs.log(job, after, eventsCountMax)
    for (const { at, level, message } of lines) {
      // An error of another program may have several lines; recovery reads one entry per line.
      const text = textOf(message).replaceAll(/\s*[\r\n]+\s*/g, ' ')
      if (only === undefined || level === only) yield `${at} ${level} ${text}\n`
    }
    const last = lines.at(-1)
    if (!last || lines.length < eventsCountMax) return
    after = last.id
  }
}
