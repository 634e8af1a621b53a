/** Removes a job's documents from the queue, step by step, and renumbers the queue after the last step: when a job stops, or
 *  when a user has changed the priority of a running job. */
import type { Displaced, Placing } from './placing.ts'
import type { Members } from './queueMembers.ts'
import type { QueueStatements } from './queue.sql.ts'

/** The jobs whose positions are being removed. */
export interface Displacing {
  /** Adds a job; its first step is the next `step`. */
  add(job: number): void
  /** Performs all steps of one job, with `pause` between two of them so that other jobs are served. Returns true if any
   *  document lost its position. */
  now(job: number, signal: AbortSignal, pause: () => Promise<void>): Promise<boolean>
  /** Adds the running jobs whose priority was changed. */
  followPriorities(): void
  /** Performs one step for each job, and one batch of the renumbering. */
  step(): void
  readonly isBusy: boolean
}

/** Opens the removal of positions. `members` are the running jobs. */
export function displacing(
  placing: Placing,
  sql: Pick<QueueStatements, 'jobPriority'>,
  members: Pick<Members, 'all' | 'slotOf'>,
): Displacing {
  /** For each job: documents up to this id have lost their positions. */
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
