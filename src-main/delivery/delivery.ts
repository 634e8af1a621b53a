/**
 * Entrance of the floor: plans are read, stored in versions and run. Documents go from scanners over processors to destinations, and their
 * status at each destination is durable, so that a restart sends each to exactly the destinations that it has not reached. People decide
 * through the database, which a running plan watches.
 */
import { join } from 'node:path'
import type { Archive } from '../archive/store/archive.ts'
import type { DeliveryStepFacts } from '../contract/services/deliveries.ts'
import type { DeliveryPlan } from '../contract/services/deliveryPlan.ts'
import type { DeliveryState } from '../contract/states/deliveryStates.ts'
import { isEmpty, type WholeSelection } from '../contract/shapes/selection.ts'
import type { Store } from '../storage/storage.ts'
import { DiskFault, type ReadableFile, type World } from '../world/world.ts'
import type { StepEnvironment, StepKinds } from './model/steps.ts'
import { stepOfDestination } from './plan/places.ts'
import { openPlans, type Plans, type PlanVersion } from './plan/plans.ts'
import { readPlan, readPlanToml, type PlanRead } from './plan/readPlan.ts'
import { stepFactsOf } from './plan/stepFacts.ts'
import type { RunProgress } from './run/runCounts.ts'
import { runPlan, type DeliveryReport } from './run/runPlan.ts'
import { stepKinds } from './run/stepKinds.ts'
import { deliveryQueryStatements, type ListedEvent, type ListedStatus } from './status/queries.sql.ts'
import { statusWriter } from './status/statusWriter.ts'

export type { PlanVersion } from './plan/plans.ts'
export type { RunProgress } from './run/runCounts.ts'
export type { DeliveryReport } from './run/runPlan.ts'
export type { ReplicaPlace } from '../archive/replica/replica.ts'

interface DeliverySetting {
  store: Store
  world: World
  archive: Pick<Archive, 'openFile' | 'selected' | 'everything'>
  /** `<archive>/jobs`: working files of jobs that are not archived yet. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  /** Absent: those that Loupe has. */
  kinds?: StepKinds
}

/** Documents of one destination, by status. */
export interface DestinationCounts {
  scanner: string
  destination: string
  /** Name of the step: a destination that is reached over several branches has a name for each. */
  step: string
  /** Id for `list`. */
  id: number
  counts: Partial<Record<DeliveryState, number>>
}

interface RunOptions {
  /** Whether scanners with an interval scan once, too. */
  isOnce?: boolean
  onReport(report: DeliveryReport): void
  /** Called at most once per second. */
  onProgress(progress: RunProgress): void
  signal: AbortSignal
}

/** The delivery plans of an archive. */
export interface Delivery {
  /** Reads a plan from a value or from TOML: the plan with warnings, or all that is wrong with it. */
  read(written: { toml: string } | { value: unknown }): PlanRead
  /** The steps of a plan that was read, with what their kinds declare. */
  stepFacts(plan: DeliveryPlan): DeliveryStepFacts[]
  readonly plans: Plans
  /** Runs a version until the signal is aborted or, with `isOnce` or where no scanner has an interval, until every document is settled. One
   *  run of a plan at a time. Rejects with `StorageFault`, and with bugs. */
  run(version: PlanVersion, options: RunOptions): Promise<void>
  counts(version: PlanVersion): DestinationCounts[]
  /** Documents in a status at a destination, after the status `after` (0: from the first); with `key` only that document. */
  list(query: { destination: number; state: DeliveryState; after: number; limit: number; key?: string }): ListedStatus[]
  /** All events of a document of a scanner, the oldest first. */
  history(document: { scanner: number; key: string }): ListedEvent[]
  /** Sends documents again (FORCE, RESTART), if they have changed (DIRTY), or not (DROPPED). Takes ids of `list`, and returns for how many
   *  the status allows that. */
  decide(statuses: readonly number[], state: 'FORCE' | 'RESTART' | 'DIRTY' | 'DROPPED'): number
}

export function openDelivery(setting: DeliverySetting): Delivery {
  const { store, world, archive, jobsFolder, indexesFolder, kinds = stepKinds } = setting
  const plans = openPlans({ store, clock: world.clock, kinds })
  const sql = deliveryQueryStatements(store)
  const writer = statusWriter({ store, clock: world.clock, onLasting: () => undefined })
  const environment = stepEnvironment({ store, world, archive, jobsFolder, indexesFolder })
  return {
    plans,
    read: (written) => ('toml' in written ? readPlanToml(written.toml, kinds) : readPlan(written.value, kinds)),
    stepFacts: (plan) => stepFactsOf(plan, kinds),
    run(given, { isOnce = false, ...options }) {
      const version = isOnce ? withoutIntervals(given) : given
      return runPlan({ environment, kinds, version, scanners: plans.scanners(version), ...options })
    },
    counts: (version) =>
      plans.scanners(version).flatMap(({ name: scanner, destinations }) =>
        [...destinations].map(([destination, id]) => {
          const counts = sql.counts.all({ destination: id }).map(({ state, count }) => [state, count])
          const step = stepOfDestination(destination)
          return { scanner, destination, step, id, counts: Object.fromEntries(counts) as DestinationCounts['counts'] }
        }),
      ),
    list: ({ key, ...query }) => (key === undefined ? sql.list.all(query) : sql.one.all({ ...query, key })),
    history: (document) => sql.history.all(document),
    decide: (statuses, state) => store.transaction(() => statuses.filter((id) => writer.decide(id, state)).length),
  }
}

/** Makes what steps work with. */
export function stepEnvironment({
  store,
  world,
  archive,
  jobsFolder,
  indexesFolder,
}: DeliverySetting): StepEnvironment {
  return {
    ...{ store, world, indexesFolder },
    openFile: (name, job) => openedFile({ world, archive, jobsFolder }, name, job),
    filesOf: (selection) => namesOf(archive, selection),
  }
}

function withoutIntervals(version: PlanVersion): PlanVersion {
  const steps = version.plan.steps.map(({ intervalSeconds: _, ...step }) => step)
  return { ...version, plan: { ...version.plan, steps } }
}

/** Opens an archived file, or the working file of a job. The crawl closes and stores the file meanwhile: it may be at its next place by the
 *  time that an earlier one was looked at. */
async function openedFile(
  { world, archive, jobsFolder }: Pick<DeliverySetting, 'world' | 'archive' | 'jobsFolder'>,
  name: string,
  job: number | null,
): Promise<ReadableFile | undefined> {
  const path = join(jobsFolder, String(job), name)
  const local = job === null ? [] : [`${path}.open`, path]
  const archived = await archive.openFile(name)
  if (archived) return archived.file
  for (const each of local) {
    const file = await openedIfThere(world, each)
    if (file) return file
  }
  return local.length === 0 ? undefined : (await archive.openFile(name))?.file
}

async function openedIfThere({ disk }: Pick<World, 'disk'>, path: string): Promise<ReadableFile | undefined> {
  try {
    return (await disk.stat(path)) ? await disk.openRead(path) : undefined
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'absent') return undefined
    throw error
  }
}

async function namesOf(archive: DeliverySetting['archive'], selection: WholeSelection): Promise<string[]> {
  if (isEmpty(selection)) return []
  const { files } = selection.all ? await archive.everything() : archive.selected(selection)
  return files.map(({ name }) => name)
}
