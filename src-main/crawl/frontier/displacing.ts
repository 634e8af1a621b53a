/** Takes the places of a job's documents away, step by step, and renumbers the queue when the last step is done: after a stop, or when a
 *  user has changed the priority of a running job. */
import type { Displaced, Placing } from './placing.ts'
import type { Members } from './queueMembers.ts'
import type { QueueStatements } from './queue.sql.ts'

export interface Displacing {
  /** Begins with the next `step`. */
  add(job: number): void
  /** All steps of one job, with `pause` between two of them so that other jobs are served. True: some documents lost their places. */
  now(job: number, signal: AbortSignal, pause: () => Promise<void>): Promise<boolean>
  /** Displaces the running jobs whose priority was changed. */
  followPriorities(): void
  /** One step for each job, and one batch of the renumbering. */
  step(): void
  readonly isBusy: boolean
}

export function displacing(
  placing: Placing,
  sql: Pick<QueueStatements, 'jobPriority'>,
  members: Pick<Members, 'all' | 'slotOf'>,
): Displacing {
  /** By job: documents up to this id have lost their places. */
  const displaced = new Map<number, number>()
  return {
    add: (job) => void displaced.set(job, 0),
    async now(job, signal, pause) {
      let changed = 0
      for (let after: number | undefined = 0; after !== undefined && !signal.aborted;) {
        const step: Displaced = placing.displace(job, after)
        changed += step.changed
        after = step.next
        if (after !== undefined) await pause()
      }
      if (changed === 0) return false
      placing.beginRenumbering()
      return true
    },
    followPriorities() {
      for (const [job, { slot }] of members.all) {
        const priority = sql.jobPriority.get({ job })?.priority ?? slot.priority
        if (priority === slot.priority) continue
        slot.priority = priority
        displaced.set(job, 0)
      }
    },
    step() {
      for (const [job, after] of displaced) {
        const { next } = placing.displace(job, after)
        if (next !== undefined) displaced.set(job, next)
        else if (displaced.delete(job)) placing.beginRenumbering()
      }
      if (placing.isRenumbering) placing.renumber((job) => members.slotOf(job))
    },
    get isBusy() {
      return placing.isRenumbering || displaced.size > 0
    },
  }
}
