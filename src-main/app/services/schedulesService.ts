/** Service `schedules` of the contract: when jobs run by themselves, with the displayed names of their states. */
import type { Loupe } from '../../contract/contract.ts'
import { scheduleShape, type JobSchedule } from '../../contract/services/schedule.ts'
import type { Jobs, Schedules } from '../../crawl/crawl.ts'
import type { Signals } from '../signals/signals.ts'

interface Parts {
  schedules: Schedules
  jobs: Jobs
  signals: Signals
}

/** Makes the service. A change is effective at the next look of the crawl at its schedules, within seconds. */
export function schedulesService({ schedules, jobs, signals }: Parts): Loupe['schedules'] {
  const whole = (job: number): JobSchedule => ({ ...schedules.show(job), status: jobs.summary(job).status })
  return {
    async list() {
      const statuses = new Map(jobs.list().map(({ job, status }) => [job, status]))
      return schedules.list().flatMap((row) => {
        const status = statuses.get(row.job)
        return status === undefined ? [] : [{ ...row, status }]
      })
    },
    show: async ({ job }) => whole(job),
    async set({ job, schedule }) {
      schedules.set(job, schedule === null ? null : scheduleShape.parse(schedule))
      signals.report({ kind: 'changed', job })
      return whole(job)
    },
    nextRuns: async ({ schedule, from, count = 10 }) =>
      schedules.preview({
        schedule: scheduleShape.parse(schedule),
        fromMs: from === undefined ? undefined : Date.parse(from),
        count,
      }),
  }
}
