/** Service `deliveries` of the contract, and what running plans report. */
import { emitter } from '../../contract/calls/emitter.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Loupe } from '../../contract/contract.ts'
import { decidedState } from '../../contract/services/deliveries.ts'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { openDelivery, type Delivery, type PlanVersion } from '../../delivery/delivery.ts'
import { openPlanRuns, type PlanRunState } from '../../delivery/planRuns.ts'
import type { DeliveringParts } from './deliveringParts.ts'
import { deliveryReports } from './deliveryReports.ts'
import { documentsOf, historyOf, planViews } from './deliveryViews.ts'

/** Statuses that one transaction changes, so that other calls are answered in between. */
const pageStatusesMax = 1_000

export function openDeliveriesService(parts: DeliveringParts): {
  service: Loupe['deliveries']
  close(): Promise<void>
} {
  const { store, world, archive, jobsFolder, indexesFolder } = parts
  const changes = emitter<Record<string, never>>()
  const delivery = openDelivery({ store, world, archive, jobsFolder, indexesFolder })
  const onReport = deliveryReports(parts.notifications, world.clock)
  const runs = openPlanRuns({ ...parts, onReport, onChanged: () => changes.emit({}) })
  const plans = planViews(delivery, runs)
  const changed = <Result>(result: Result): Result => {
    changes.emit({})
    return result
  }
  const service: Loupe['deliveries'] = {
    list: async () => delivery.plans.newest().map(({ plan: { name } }) => plans.row(plans.chosen({ name }))),
    show: async (one) => plans.details(plans.chosen(one)),
    async check({ toml }) {
      const read = delivery.read({ toml })
      const { warnings } = read
      if ('faults' in read) return { faults: read.faults, warnings, plan: null }
      return { faults: [], warnings, plan: { name: read.plan.name, steps: delivery.stepFacts(read.plan) } }
    },
    async save({ toml, migration = 'keep' }) {
      const read = delivery.read({ toml })
      if ('faults' in read) throw refusedPlan(read.faults.map((fault) => fault.message))
      const { name } = read.plan
      if (runs.of(name)) throw new Fault('refused', message('delivery.isRunning', { name }))
      const version = delivery.plans.add({ plan: read.plan, toml }, migration)
      if (!version.isComplete) await runs.complete(version.id)
      return changed({ ...plans.row(version), warnings: read.warnings })
    },
    async run({ isOnce = false, ...one }) {
      const version = plans.chosen(one)
      const { name } = version.plan
      const run = runs.of(name)
      if (run) refuseOther(run, delivery.plans.version(run.plan), { version, isOnce })
      else runs.start(version.id, isOnce)
      return plans.row(version)
    },
    async stop({ name }) {
      plans.chosen({ name })
      await runs.stop(name)
      return plans.row(plans.chosen({ name }))
    },
    async progress({ name }) {
      plans.chosen({ name })
      return plans.progress(name)
    },
    counts: async (one) => delivery.counts(plans.chosen(one)),
    documents: async ({ after = 0, limit = 200, document: key, ...query }) =>
      documentsOf(delivery, { ...query, after, limit, ...(key !== undefined && { key }) }),
    history: async ({ document, ...one }) => historyOf(delivery, plans.chosen(one), document),
    async decide({ decision, documents }) {
      const pages = Array.isArray(documents) ? pagesOf(documents) : pagesAt(delivery, documents)
      let decided = 0
      for (const page of pages) {
        decided += delivery.decide(page, decidedState[decision])
        await new Promise((others) => setImmediate(others))
      }
      return changed({ decided })
    },
    changed: changes.on,
  }
  return { service, close: () => runs.close() }
}

function refusedPlan(problems: readonly Message[]): Fault {
  return new Fault('badInput', message('delivery.refused', { count: problems.length, problems: joined(problems) }))
}

function refuseOther(
  run: PlanRunState,
  running: PlanVersion | undefined,
  { version, isOnce }: { version: PlanVersion; isOnce: boolean },
): void {
  const { name } = version.plan
  if (run.plan !== version.id)
    throw new Fault('refused', message('delivery.otherVersion', { name, version: running?.version ?? 0 }))
  if (run.isOnce !== isOnce) throw new Fault('refused', message('delivery.runsAlready', { name }))
}

function* pagesOf(statuses: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < statuses.length; at += pageStatusesMax) yield statuses.slice(at, at + pageStatusesMax)
}

function* pagesAt(delivery: Delivery, at: { destination: number; state: DeliveryState }): Generator<readonly number[]> {
  for (let after = 0; ;) {
    const page = delivery.list({ ...at, after, limit: pageStatusesMax }).map(({ id }) => id)
    if (page.length === 0) return
    yield page
    after = page.at(-1) ?? after
  }
}
