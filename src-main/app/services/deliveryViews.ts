/** Plans, documents and events of deliveries in the form of the contract. */
import { Fault } from '../../contract/calls/faults.ts'
import type { DeliveryPlanDetails, DeliveryPlanRow, DeliveryProgress } from '../../contract/services/deliveries.ts'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import type { Delivery, PlanVersion } from '../../delivery/delivery.ts'
import type { PlanRuns } from '../../delivery/planRuns.ts'

/** Finds versions of plans, and makes their rows. */
export function planViews(delivery: Delivery, runs: PlanRuns) {
  function row(chosen: PlanVersion): DeliveryPlanRow {
    const { name } = chosen.plan
    const run = runs.of(name)
    const isThis = run?.plan === chosen.id
    const counts: Partial<Record<DeliveryState, number>> = {}
    for (const each of delivery.counts(chosen))
      for (const [state, count] of Object.entries(each.counts) as [DeliveryState, number][])
        counts[state] = (counts[state] ?? 0) + count
    return {
      ...{ name, version: chosen.version, newest: delivery.plans.versions(name)[0]?.version ?? chosen.version },
      created: new Date(chosen.createdMs).toISOString(),
      run: !isThis ? 'stopped' : run.isRunning ? 'running' : 'waiting',
      isOnce: isThis && run.isOnce,
      problem: isThis ? run.problem : null,
      counts,
    }
  }

  return {
    row,
    details(chosen: PlanVersion): DeliveryPlanDetails {
      const { id, plan } = chosen
      return {
        ...row(chosen),
        ...{ plan, toml: delivery.plans.toml(id), steps: delivery.stepFacts(plan) },
        versions: delivery.plans
          .versions(plan.name)
          .map(({ version, createdMs }) => ({ version, created: new Date(createdMs).toISOString() })),
      }
    },
    /** The present or last run of a plan; null where this process has not run it. */
    progress(name: string): DeliveryProgress | null {
      const run = runs.last(name)
      const version = run && delivery.plans.version(run.plan)?.version
      if (!run || version === undefined) return null
      const { startedMs, endedMs, progress } = run
      return {
        ...{ version, started: new Date(startedMs).toISOString(), ...progress },
        ended: endedMs === null ? null : new Date(endedMs).toISOString(),
      }
    },
    /** Throws `Fault` notFound. */
    chosen({ name, version }: { name: string; version?: number | undefined }): PlanVersion {
      const versions = delivery.plans.versions(name)
      const [newest] = versions
      if (!newest) throw new Fault('notFound', message('delivery.absent', { name }))
      const run = version === undefined ? runs.of(name) : undefined
      if (run) return versions.find(({ id }) => id === run.plan) ?? newest
      const found = version === undefined ? newest : versions.find((each) => each.version === version)
      if (found) return found
      const values = { name, version: version ?? 0, newest: newest.version }
      throw new Fault('notFound', message('delivery.absent.version', values))
    },
  }
}

/** Lists documents in a status at a destination. */
export function documentsOf(delivery: Delivery, query: Parameters<Delivery['list']>[0]) {
  return delivery.list(query).map(({ id, document, state, changedMs, message: stored }) => ({
    ...{ id, document, state },
    changed: new Date(changedMs).toISOString(),
    message: messageFrom(stored),
  }))
}

/** Returns the events of a document at all destinations, the oldest first. */
export function historyOf(delivery: Delivery, version: PlanVersion, key: string) {
  const scanners = delivery.plans.scanners(version)
  const events = scanners.flatMap(({ id, name: scanner }) =>
    delivery.history({ scanner: id, key }).map((event) => ({ ...event, scanner })),
  )
  return events
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ scanner, destination, state, atMs, message: stored }) => ({
      ...{ scanner, destination, state },
      at: new Date(atMs).toISOString(),
      message: messageFrom(stored),
    }))
}
