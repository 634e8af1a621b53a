/** Counts what a job fetched of each domain, and stores it. */
import { crawlLog } from '../../crawl/finish/crawlLog.ts'
import type { Store } from '../../storage/storage.ts'
import type { StopReason } from '../model/stopReasons.ts'
import { domainCounter, type DomainCount } from './domainCounts.ts'
import { resultsOfConfigurations, type DomainResult } from './domainResults.ts'
import { statisticsStatements, type UncountedJob } from './statistics.sql.ts'

/** Lines between two looks at the signal. */
const linesAtOnce = 10_000

/** How the domains of a job ended that no quota stopped. The limits of a whole job are no limits of a domain. */
const usualReasons: Readonly<Record<string, StopReason>> = {
  TIME_LIMIT: 'TIME_LIMIT',
  DOWNLOAD_UNFINISHED: 'DOWNLOAD_UNFINISHED',
}

/** Returns how the domains of a job ended that no quota stopped. */
function usualReasonOfJob({ stopReason }: UncountedJob): StopReason {
  return usualReasons[stopReason ?? ''] ?? 'DOWNLOAD_COMPLETE'
}

/** Counts a job that Loupe harvested, from the lines of its crawl log, and stores the results. */
export function countHarvested(store: Store, job: UncountedJob, signal: AbortSignal): void {
  const counter = domainCounter()
  let lines = 0
  for (const line of crawlLog(store, { job: job.job, endedMs: job.endedMs })) {
    counter.add(line)
    lines += 1
    if (lines % linesAtOnce === 0) signal.throwIfAborted()
  }
  storeCounts(store, job, counter.counts(usualReasonOfJob(job)))
}

/** Stores the counts of a job in place of earlier ones. A generated job has results only for its configurations. */
export function storeCounts(store: Store, job: UncountedJob, counts: ReadonlyMap<string, DomainCount>): void {
  const sql = statisticsStatements(store)
  const { definition, run, endedMs } = job
  const all = [...counts.values()]
  store.transaction(() => {
    sql.forget.run({ job: job.job })
    for (const result of resultsOf(store, job, counts))
      sql.addResult.run({ ...{ job: job.job, definition, run, atMs: endedMs }, ...result })
    sql.addJob.run({
      ...{ job: job.job, definition, run, endedMs },
      objects: all.reduce((sum, each) => sum + each.objects, 0),
      bytes: all.reduce((sum, each) => sum + each.bytes, 0),
    })
    sql.counted.run({ job: job.job, jobRun: job.jobRun })
  })
}

function resultsOf(store: Store, job: UncountedJob, counts: ReadonlyMap<string, DomainCount>): DomainResult[] {
  if (job.definition === null) return [...counts].map(([domain, count]) => ({ domain, configuration: '', ...count }))
  return resultsOfConfigurations(counts, statisticsStatements(store).configurations.all({ job: job.job }), job)
}
