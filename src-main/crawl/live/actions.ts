/** Changes that the user makes to the queue of a job. Each is one transaction, which also updates the job's counters and adds a
 *  line to its log. They run concurrently with the engine, in their own thread; the run notices them by the job's version
 *  (`liveRun.ts`). */
import { textOf } from '../../contract/words/render.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { message, type Message } from '../../contract/words/message.ts'
import {
  budgetEffect,
  firstUrlsMax,
  lifts,
  type Budget,
  type BudgetEffect,
  type Effect,
  type Lift,
} from '../../contract/services/live.ts'
import { storedDefinition } from '../../contract/services/definition.ts'
import { Fault, inField } from '../../contract/calls/faults.ts'
import { statesIn, abortGoalOf } from '../../contract/states/jobStates.ts'
import { jobStates } from '../../contract/states/states.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { noCounts, openFrontier, type Counts } from '../frontier/frontier.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { overBudget, spentBy } from './budgets.ts'
import { domainsOf } from './domains.ts'
import { batchRows } from './limits.ts'
import { liveStatements, type BudgetRow, type JobInControl, type UseRow } from './live.sql.ts'

/** Changes of the queue. Those that return a number return how many documents changed. */
export interface LiveActions {
  /** A job that exists. Throws `Fault`: notFound. */
  known(job: number): JobInControl
  /** A job whose queue can be changed. Throws `Fault`: notFound, or refused for a job that has no queue now. */
  jobInControl(job: number): JobInControl
  /** Adds a rule and excludes the documents `ids` that it matches. */
  reject(given: { job: number; pattern: string; ids: readonly number[] }): number
  /** Removes a rule and queues the documents that it excluded. */
  unreject(given: { job: number; rule: number }): Effect
  /** The documents that a rule excludes. */
  rejectedBy(given: { job: number; rule: number }): Effect
  /** Deletes documents from the queue; `heldIds`, which are in progress, are marked to be left out later. */
  drop(given: { job: number; ids: readonly number[]; heldIds: readonly number[]; words: string }): number
  /** Moves documents to the front or the end of the queue, or back to their place. */
  lift(given: { job: number; ids: readonly number[]; words: string; to: Lift }): number
  /** Sets the priority of the job: 1 is the highest, 10 the lowest. */
  priority(given: { job: number; priority: number }): void
  /** Sets budgets of domains, and excludes or queues their documents accordingly; `isTrial` only computes the effect. */
  budgets(given: { job: number; budgets: readonly Budget[]; isTrial: boolean }): BudgetEffect[]
}

/** States in which the queue can be changed. A job that is being aborted loses its queue. */
const inControl = statesIn('starting', 'working', 'draining', 'waiting').filter(
  (state) => abortGoalOf(state) === undefined,
)
const budgetReasons = ['domainObjects', 'domainBytes'] as const
const liftOf: Record<Lift, number> = { first: 1, usual: 0, last: -1 }
/** The name of a lift stored in the database. */
export const liftNamed = (lift: number): Lift => lifts.find((name) => liftOf[name] === lift) ?? 'usual'

/** Prepares the changes, over one database connection. */
export function openLiveActions(store: Store, { clock }: Pick<World, 'clock'>): LiveActions {
  const sql = liveStatements(store)
  const { count } = frontierStatements(store)
  const { one } = jobStatements(store)
  const log = jobLogOf(store)

  function known(job: number): JobInControl {
    const row = sql.job.get({ job })
    if (!row) throw new Fault('notFound', message('job.absent', { job }))
    return row
  }

  function jobInControl(job: number): JobInControl {
    const row = known(job)
    if (row.kind !== 'event') throw new Fault('refused', `Job ${job} is an import and has no queue.`)
    if (!inControl.includes(row.state)) {
      const badge = textOf(jobStates.rows[row.state].badge)
      throw new Fault(
        'refused',
        `Job ${job} has no queue because its state is "${badge}" (${row.state}). Start it first.`,
      )
    }
    return row
  }

  /** Runs a change in a transaction. The state of the job is checked inside it, since the engine may just have ended the job. */
  function action<T>(job: number, act: () => { done: T; line: Message }): T {
    return store.transaction(() => {
      jobInControl(job)
      const { done, line } = act()
      sql.changed.run({ job })
      log.add({ job, nowMs: clock.now(), level: 'info', message: line })
      return done
    })
  }

  /** Excludes documents that are still waiting; those in progress by now are not changed. Returns how many were excluded. */
  function leaveOut(job: number, ids: readonly number[], reason: string, detail: string): number {
    let dropped = 0
    for (const part of partsOf(ids)) {
      const counts = { ...noCounts }
      for (const { outcome, documents } of sql.outcomes.all({ ids: part })) counts[outcome] -= documents
      const here = sql.drop.all({ ids: part, reason, detail }).length
      counts.excluded += here
      count.run({ job, ...counts })
      dropped += here
    }
    return dropped
  }

  function bringBack(job: number, reason: string, detail: string): number {
    const given = { job, reason, detail, nowMs: clock.now() }
    const asked = askForRules(given)
    const waiting = sql.restoreWaiting.run(given) + sql.restoreInProgress.run(given)
    const restored = waiting + sql.restore.run(given) + sql.restoreCaptured.run(given)
    const counts: Counts = { ...asked, excluded: asked.excluded - restored }
    count.run({ job, ...counts })
    return restored - asked.excluded
  }

  /** Queues the robots.txt of hosts that have none yet: documents excluded when they were found did not cause its request. */
  function askForRules({ nowMs, ...leftOut }: { job: number; nowMs: number; reason: string; detail: string }): Counts {
    const row = one.get({ job: leftOut.job })
    const hosts = sql.restoredHosts.all(leftOut)
    if (!row || hosts.length === 0) return noCounts
    const definition = storedDefinition.parse(JSON.parse(row.definition))
    const { robots } = repositoryOf(definition).inForce(definition)
    return openFrontier(store, leftOut.job, robots).askForRules(hosts, nowMs)
  }

  function ruleOf(job: number, rule: number): { pattern: string } {
    const found = sql.rules.all({ job }).find(({ id }) => id === rule)
    if (!found) throw new Fault('notFound', `Job ${job} has no rule ${rule}.`)
    return found
  }

  function rejectedBy({ job, rule }: { job: number; rule: number }): Effect {
    const given = { job, reason: 'rejected', detail: ruleOf(job, rule).pattern }
    return {
      documents: sql.keptOutCount.get(given)?.documents ?? 0,
      inProgress: 0,
      first: sql.keptOut.all({ ...given, limit: firstUrlsMax }).map(({ url }) => url),
    }
  }

  function effectOf(job: number, budget: BudgetRow): BudgetEffect {
    const { domain } = budget
    const use: UseRow = sql.use.get({ job, domain }) ?? { objects: 0, bytes: 0 }
    const waiting = sql.waitingOfDomain.get({ job, domain })?.documents ?? 0
    const keptOut = budgetReasons.map((reason) => sql.keptOutCount.get({ job, reason, detail: domain })?.documents ?? 0)
    const excluded = keptOut.reduce((sum, documents) => sum + documents, 0)
    const isSpent = spentBy(budget, use) !== undefined
    const restored = isSpent ? 0 : excluded
    const dropped = isSpent ? waiting : 0
    const over = overBudget(budget, use, waiting - dropped + restored)
    return budgetEffect.parse({ ...budget, ...use, waiting, excluded, dropped, restored, over })
  }

  function setBudget(job: number, budget: BudgetRow): void {
    const { domain, objectsMax, bytesMax } = budget
    if (objectsMax === null && bytesMax === null) sql.removeBudget.run({ job, domain })
    else sql.setBudget.run({ job, domain, objects: objectsMax, bytes: bytesMax })
    const reason = spentBy(budget, sql.use.get({ job, domain }) ?? { objects: 0, bytes: 0 })
    if (reason === undefined) for (const kept of budgetReasons) bringBack(job, kept, domain)
    else {
      const ids = sql.allOfDomain.all({ job, domain }).map(({ id }) => id)
      leaveOut(job, ids, reason, domain)
    }
  }

  return {
    known,
    jobInControl,
    reject: ({ job, pattern, ids }) =>
      action(job, () => {
        sql.addRule.run({ job, pattern, nowMs: clock.now() })
        const done = leaveOut(job, ids, 'rejected', pattern)
        return { done, line: message('jobLog.queue.rejected', { pattern, urls: done }) }
      }),
    rejectedBy,
    unreject: ({ job, rule }) =>
      action(job, () => {
        const { pattern } = ruleOf(job, rule)
        const done = rejectedBy({ job, rule })
        sql.removeRule.run({ job, rule })
        bringBack(job, 'rejected', pattern)
        return {
          done,
          line: message('jobLog.queue.unrejected', { pattern, urls: done.documents }),
        }
      }),
    drop: ({ job, ids, heldIds, words }) =>
      action(job, () => {
        const done = leaveOut(job, ids, 'dropped', words)
        for (const part of partsOf(heldIds)) sql.markInProgress.run({ ids: part, detail: words })
        return { done, line: message('jobLog.queue.deleted', { urls: done, selection: words }) }
      }),
    lift: ({ job, ids, words, to }) =>
      action(job, () => {
        let done = 0
        for (const part of partsOf(ids)) done += sql.lift.run({ ids: part, lift: liftOf[to] })
        return { done, line: message(`jobLog.queue.${to}`, { urls: done, selection: words }) }
      }),
    priority: ({ job, priority }) =>
      action(job, () => {
        sql.setPriority.run({ job, priority })
        return { done: undefined, line: message('jobLog.queue.priority', { priority }) }
      }),
    budgets({ job, budgets, isTrial }) {
      domainsOf(store, sql).fill(job)
      const rows = budgets.map(({ domain, objects, bytes }, at) => ({
        domain: inField(['budgets', at, 'domain'], () => domainNamed(domain)),
        objectsMax: objects,
        bytesMax: bytes,
      }))
      if (isTrial) {
        jobInControl(job)
        return rows.map((row) => effectOf(job, row))
      }
      return action(job, () => {
        const done = rows.map((row) => effectOf(job, row))
        for (const row of rows) setBudget(job, row)
        return { done, line: budgetsMessage(done) }
      })
    },
  }
}

function budgetsMessage(effects: readonly BudgetEffect[]): Message {
  const [only] = effects
  const moved = {
    dropped: effects.reduce((sum, effect) => sum + effect.dropped, 0),
    restored: effects.reduce((sum, effect) => sum + effect.restored, 0),
  }
  if (!only || effects.length > 1) return message('jobLog.budget.several', { domains: effects.length, ...moved })
  const { domain, objectsMax, bytesMax } = only
  const unlimited = message('jobLog.budget.unlimited')
  return message('jobLog.budget', { domain, objects: objectsMax ?? unlimited, bytes: bytesMax ?? unlimited, ...moved })
}

/** The registered domain of a domain, host or address, as the user entered it. Throws `Fault` badInput. */
export function domainNamed(text: string): string {
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname
  if (!host) throw new Fault('badInput', `"${text}" is not a domain. Enter one like example.org.`)
  return registeredDomain(host)
}

/** The ids as JSON arrays of at most `batchRows` each. */
function* partsOf(ids: readonly number[]): Generator<string> {
  for (let at = 0; at < ids.length; at += batchRows) yield JSON.stringify(ids.slice(at, at + batchRows))
}
