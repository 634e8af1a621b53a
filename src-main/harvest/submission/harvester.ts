/** Submits new jobs to their channels and takes them from there, as far as the engine has room. NetarchiveSuite: a harvester that is
 *  ready gets the next new job of its channel; what was submitted when the application stopped is submitted again at its start. */
import { Fault } from '../../contract/calls/faults.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Channels } from './channels.ts'
import { submissionStatements } from './submission.sql.ts'

/** The harvester of this process. */
export interface Harvester {
  /** Sends submitted jobs that were never begun to their channels again: a channel in memory has lost them. Called once, at the start. */
  sendAgain(): Promise<void>
  /** Begins as many jobs as there is room for. Returns their numbers. */
  take(): Promise<number[]>
}

interface HarvesterSetting {
  store: Store
  clock: Pick<Clock, 'now'>
  jobs: Pick<Jobs, 'act'>
  channels: Channels
  /** Channels from which it takes jobs, the first before the others. */
  listened: readonly string[]
  /** Generated jobs that run at once. */
  jobsAtOnceMax: () => number
}

/** Opens the harvester. */
export function openHarvester({ store, clock, jobs, channels, listened, jobsAtOnceMax }: HarvesterSetting): Harvester {
  const sql = submissionStatements(store)

  /** Submits the next new job of the first channel that has one. Returns whether there was one. */
  async function submitNext(): Promise<boolean> {
    for (const channel of listened) {
      const next = sql.next.get({ channel })
      if (!next) continue
      sql.submit.run({ job: next.job, nowMs: clock.now() })
      await channels.send(channel, next.job)
      return true
    }
    return false
  }

  /** Starts a job. Returns false for one that a user has resubmitted, started or deleted meanwhile. */
  function begin(job: number): boolean {
    if (!sql.isSubmitted.get({ job })) return false
    try {
      jobs.act(job, 'start')
      return true
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  }

  async function takeOne(): Promise<number | undefined> {
    for (;;) {
      const received = await channels.receive(listened)
      if (received === undefined) {
        if (await submitNext()) continue
        return undefined
      }
      const isBegun = begin(received.job)
      await received.acknowledge()
      if (isBegun) return received.job
    }
  }

  return {
    async sendAgain() {
      for (const { job, channel } of sql.submitted.all({})) await channels.send(channel, job)
    },
    async take() {
      const begun: number[] = []
      while ((sql.running.get({})?.jobs ?? 0) < jobsAtOnceMax()) {
        const job = await takeOne()
        if (job === undefined) break
        begun.push(job)
      }
      return begun
    },
  }
}
