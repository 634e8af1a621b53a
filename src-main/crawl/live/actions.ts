/** Changes that the user makes to the queue of a job. Each is one transaction, which also updates the job's counters and adds a
 *  line to its log. They run concurrently with the engine, in their own thread; the run notices them by the job's version
 *  (`liveRun.ts`). */
import { lifts, type Budget, type BudgetEffect, type Effect, type Lift } from '../../contract/services/live.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { budgetChangesOf } from './budgetChanges.ts'
import { exclusionsOf } from './exclusions.ts'
import { idBatches } from './idBatches.ts'
import { jobControlOf } from './jobControl.ts'
import { liveStatements, type JobInControl } from './live.sql.ts'
import { rejectRulesOf } from './rejectRules.ts'

/** Changes of the queue. Those that return a number return how many documents changed. */
export interface LiveActions {
  /** Returns a job that exists. Throws `Fault`: notFound. */
  known(job: number): JobInControl
  /** Returns a job whose queue can be changed. Throws `Fault`: notFound, or refused for a job that has no queue now. */
  jobInControl(job: number): JobInControl
  /** Adds a rule and excludes the documents `ids` that it matches. */
  reject(given: { job: number; pattern: string; ids: readonly number[] }): number
  /** Removes a rule and queues the documents that it excluded. Throws `Fault`: notFound for an unknown rule. */
  unreject(given: { job: number; rule: number }): Effect
  /** Deletes documents from the queue; `heldIds`, which are in progress, are marked to be excluded when their turn comes again. */
  drop(given: { job: number; ids: readonly number[]; heldIds: readonly number[]; words: Message }): number
  /** Moves documents to the front or the end of the queue, or back to their place. */
  lift(given: { job: number; ids: readonly number[]; words: Message; to: Lift }): number
  /** Sets the priority of the job: 1 is the highest, 10 the lowest. */
  priority(given: { job: number; priority: number }): void
  /** Sets budgets of domains, and excludes or queues their documents accordingly; `isTrial` only computes the effect. Throws
   *  `Fault`: badInput for a text that is no domain. */
  budgets(given: { job: number; budgets: readonly Budget[]; isTrial: boolean }): BudgetEffect[]
}

/** Value of each lift in the database: documents above 0 get a place at the front of the queue, those below 0 one after all
 *  others (`frontier/placing.ts`). */
const liftOf: Record<Lift, number> = { first: 1, usual: 0, last: -1 }
/** The name of a lift stored in the database. */
export const liftNamed = (lift: number): Lift => lifts.find((name) => liftOf[name] === lift) ?? 'usual'

/** Prepares the changes, over one database connection. */
export function openLiveActions(store: Store, { clock }: Pick<World, 'clock'>): LiveActions {
  const sql = liveStatements(store)
  const control = jobControlOf(store, sql, clock)
  const exclusions = exclusionsOf(store, sql, clock)
  return {
    known: control.known,
    jobInControl: control.jobInControl,
    ...rejectRulesOf({ sql, clock, control, exclusions }),
    drop: ({ job, ids, heldIds, words }) =>
      control.change(job, () => {
        const detail = storedMessage(words)
        const done = exclusions.exclude(job, ids, { reason: 'dropped', detail })
        for (const batch of idBatches(heldIds)) sql.markInProgress.run({ ids: batch, detail })
        return { done, line: message('jobLog.queue.deleted', { urls: done, selection: words }) }
      }),
    lift: ({ job, ids, words, to }) =>
      control.change(job, () => {
        let done = 0
        for (const batch of idBatches(ids)) done += sql.lift.run({ ids: batch, lift: liftOf[to] })
        return { done, line: message(`jobLog.queue.${to}`, { urls: done, selection: words }) }
      }),
    priority: ({ job, priority }) =>
      control.change(job, () => {
        sql.setPriority.run({ job, priority })
        return { done: undefined, line: message('jobLog.queue.priority', { priority }) }
      }),
    budgets: budgetChangesOf({ store, sql, control, exclusions }),
  }
}
