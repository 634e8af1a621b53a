/** Statistics of jobs, domains and harvests, and the counting of jobs that have ended. */
import type { DomainResultOut, RunStatistics } from '../../contract/services/harvestStatistics.ts'
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { alarmsOf, earlierMax, type Alarm } from './alarms.ts'
import { statisticsStatements, type DomainResultRow, type RunTotal, type UncountedJob } from './statistics.sql.ts'

interface Page {
  offset: number
  limit: number
}

/** Results with the number of all. */
export interface Results {
  rows: DomainResultOut[]
  total: number
}

/** The statistics of an archive. */
export interface Statistics {
  ofJob(query: { job: number } & Page): Results
  ofDomain(query: { domain: string } & Page): Results
  /** Complete runs of a harvest, the newest first, with what is abnormal about them. */
  ofHarvest(query: { harvest: number; limit: number }): RunStatistics[]
  /** Counts at most one job that has ended. Returns it; undefined if there is none. */
  countNext(): Promise<UncountedJob | undefined>
}

interface StatisticsSetting {
  store: Store
  /** Counts a job in another thread. */
  count(job: UncountedJob): Promise<void>
  /** Ratio to the median of earlier runs from which a run is abnormal. */
  alarmFactor: () => number
}

/** Opens the statistics. */
export function openStatistics({ store, count, alarmFactor }: StatisticsSetting): Statistics {
  const sql = statisticsStatements(store)
  /** `runs`: newest first. */
  function stopReasonsByRun(definition: number, runs: readonly RunTotal[]) {
    const [last] = runs
    const first = runs.at(-1)
    const byRun = new Map<number, RunStatistics['stopReasons']>()
    if (!first || !last) return byRun
    for (const { run, stopReason, domains } of sql.stopReasons.all({ definition, first: first.run, last: last.run }))
      byRun.set(run, { ...byRun.get(run), [stopReason]: domains })
    return byRun
  }
  return {
    ofJob: ({ job, ...page }) => ({
      rows: sql.ofJob.all({ job, ...page }).map(shown),
      total: sql.totalOfJob.get({ job })?.total ?? 0,
    }),
    ofDomain: ({ domain, ...page }) => ({
      rows: sql.ofDomain.all({ domain, ...page }).map(shown),
      total: sql.totalOfDomain.get({ domain })?.total ?? 0,
    }),
    ofHarvest({ harvest, limit }) {
      const runs = sql.runs.all({ definition: harvest, before: Number.MAX_SAFE_INTEGER, limit: limit + earlierMax })
      const shownRuns = runs.slice(0, limit)
      const stopReasons = stopReasonsByRun(harvest, shownRuns)
      return shownRuns.map(({ endedMs, ...run }, at) => ({
        ...{ ...run, ended: new Date(endedMs).toISOString(), stopReasons: stopReasons.get(run.run) ?? {} },
        alarms: alarmsOf(run, runs.slice(at + 1), alarmFactor()).map(shownAlarm),
      }))
    },
    async countNext() {
      const [job] = sql.uncounted.all({ limit: 1 })
      if (job) await count(job)
      return job
    },
  }
}

function shown({ definition, atMs, ...row }: DomainResultRow): DomainResultOut {
  return { ...row, harvest: definition, at: new Date(atMs).toISOString() }
}

function shownAlarm(alarm: Alarm): RunStatistics['alarms'][number] {
  const { kind, of } = alarm
  const sizeOf = (size: number) =>
    of === 'bytes' ? bytesMessage(size) : message('runAlarm.objects', { objects: size })
  return { ...alarm, message: message(`runAlarm.${kind}`, { value: sizeOf(alarm.value), usual: sizeOf(alarm.usual) }) }
}
