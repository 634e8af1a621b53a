/** Versions of plans. Each has a history of its own; what a new version takes over from the one before is decided when it is stored. */
import type { DeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import { deliveryPlanShape } from '../../contract/services/deliveryPlan.ts'
import { deliveryStates, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { StepKinds } from '../model/steps.ts'
import { placesOf, type Place } from './places.ts'
import { planStatements, type PlanDbRow } from './plans.sql.ts'

/** A version of a plan. */
export interface PlanVersion {
  id: number
  version: number
  plan: DeliveryPlan
  createdMs: number
  /** False: statuses are still to be copied from the version before (`keeping.ts`). */
  isComplete: boolean
}

/** What a new version takes over: all current statuses, none, so that every document is processed again, or those in some states. Scanners
 *  and destinations are the same where their names are. */
export type Migration = 'keep' | 'refeed' | { keep: readonly DeliveryState[] }

/** A scanner of a version as it runs. */
export interface PlanScanner {
  id: number
  name: string
  start: Place
  /** Id of each destination, by its name. */
  destinations: ReadonlyMap<string, number>
}

/** Access to the versions of plans. The plans were accepted by `readPlan`. */
export interface Plans {
  /** Stores the next version of the plan of this name, with its text. What it keeps is copied by `completeVersion`. */
  add(written: { plan: DeliveryPlan; toml: string }, migration: Migration): PlanVersion
  /** Returns a version; undefined where there is none. */
  version(id: number): PlanVersion | undefined
  /** Returns the text of a version as it was written, with its comments. */
  toml(id: number): string
  /** Returns all versions of a plan, the newest first. */
  versions(name: string): PlanVersion[]
  /** Returns the newest version of each plan. */
  newest(): PlanVersion[]
  /** Returns the scanners of a version, with the ids of their destinations. */
  scanners(version: PlanVersion): PlanScanner[]
}

export function openPlans({
  store,
  clock,
  kinds,
}: {
  store: Store
  clock: Pick<Clock, 'now'>
  kinds: StepKinds
}): Plans {
  const sql = planStatements(store)

  function scannersOf(plan: DeliveryPlan): { name: string; start: Place }[] {
    const kindOf = ({ kind }: { kind: string }) => kinds[kind]
    return plan.steps.flatMap((step) => {
      if (kindOf(step)?.role !== 'scanner') return []
      const start = placesOf(step.name, { steps: plan.steps, kindOf })
      return start ? [{ name: step.name, start }] : []
    })
  }

  return {
    add: ({ plan, toml }, migration) =>
      store.transaction(() => {
        const [before] = sql.versions.all({ name: plan.name })
        const keeping = before && migration !== 'refeed' ? JSON.stringify(statesOf(migration)) : null
        const written = { name: plan.name, plan: JSON.stringify(plan), toml }
        const added = sql.add.get({ ...written, nowMs: clock.now(), keeping })
        if (!added) throw new Error('a plan has no id')
        for (const { name, start } of scannersOf(plan)) {
          const scanner = sql.addScanner.get({ plan: added.id, name })?.id
          if (scanner === undefined) throw new Error('a scanner has no id')
          for (const destination of start.reach) sql.addDestination.get({ scanner, name: destination })
        }
        return { ...added, plan, createdMs: clock.now(), isComplete: keeping === null }
      }),
    version(id) {
      const row = sql.one.get({ id })
      return row && versionOf(row)
    },
    toml(id) {
      const toml = sql.toml.get({ id })?.toml
      if (toml === undefined) throw new Error(`there is no version ${id} of a plan`)
      return toml
    },
    versions: (name) => sql.versions.all({ name }).map(versionOf),
    newest: () => sql.newest.all({}).map(versionOf),
    scanners({ id, plan }) {
      const places = new Map(scannersOf(plan).map(({ name, start }) => [name, start]))
      return sql.scanners.all({ plan: id }).flatMap((scanner) => {
        const start = places.get(scanner.name)
        const destinations = sql.destinations.all({ scanner: scanner.id })
        return start
          ? [{ ...scanner, start, destinations: new Map(destinations.map((each) => [each.name, each.id])) }]
          : []
      })
    },
  }
}

function statesOf(migration: Exclude<Migration, 'refeed'>): readonly DeliveryState[] {
  return migration === 'keep' ? deliveryStates.states : migration.keep
}

function versionOf({ id, version, plan, createdMs, keeping }: PlanDbRow): PlanVersion {
  return { id, version, createdMs, isComplete: keeping === null, plan: deliveryPlanShape.parse(JSON.parse(plan)) }
}
