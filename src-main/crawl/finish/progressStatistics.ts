/** The progress-statistics.log of a run. Its last line states how the run ended, in the words of Heritrix: NetarchiveSuite derives
 *  the default stop reason of the domains of a job from it. */
import type { StopReason } from '../../contract/services/jobSummary.ts'
import { progressLegend, progressLine, progressNote } from '../../formats/logs/progressStatisticsText.ts'
import type { Store } from '../../storage/storage.ts'
import type { JobDetail } from '../jobs/jobPage.ts'
import { progressStatements } from '../model/progress.sql.ts'

/** The status of a crawl as Heritrix words it. */
const statuses: Readonly<Record<StopReason, string>> = {
  DOWNLOAD_COMPLETE: 'Finished',
  OBJECT_LIMIT: 'Finished - Maximum number of documents limit hit',
  SIZE_LIMIT: 'Finished - Maximum amount of data limit hit',
  TIME_LIMIT: 'Finished - Timelimit hit',
  DOWNLOAD_UNFINISHED: 'Finished - Ended by operator',
}

/** Yields the lines of the log. */
export function* progressStatistics(store: Store, job: JobDetail): Iterable<string> {
  const samples = progressStatements(store).ofRun.all({ job: job.job })
  const status = statuses[job.stopReason ?? 'DOWNLOAD_UNFINISHED']
  const startedMs = Date.parse(job.started ?? job.created)
  if (job.started !== null) yield progressNote(startedMs, 'CRAWL RESUMED - Running')
  yield progressLegend
  for (const [at, sample] of samples.entries()) {
    if (sample.isEnd === 1) yield progressNote(sample.atMs, `CRAWL ENDING - ${status}`)
    yield progressLine(sample, samples[at - 1])
  }
  yield progressNote(samples.at(-1)?.atMs ?? startedMs, `CRAWL ENDED - ${status}`)
}
