/** New jobs: harvests that users define, and imports of archive files. */
import { basename } from 'node:path'
import { harvestDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { jobStates } from '../../contract/states/states.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { refuseAbsentOutputs } from '../../delivery/jobOutputs.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { withGivenConnections } from '../connections/namedConnections.ts'
import { definitionStatements } from '../definition/definition.sql.ts'
import { withSeedAddresses } from '../definition/definitions.ts'
import type { JobMove } from '../history/jobActivities.ts'
import { importTasks } from '../import/importTask.ts'
import { jobStatements, newJobStatements, type DomainLimit, type SetupRecord } from '../model/jobs.sql.ts'
import { scheduleStatements } from '../schedule/schedule.sql.ts'

/** Adds jobs. */
export interface NewJobs {
  /** Adds a job of a harvest. Throws `Fault` badInput for a seed that is not a URL, and for a
   *  connection or an output that does not exist. The job is ready for startup when this
   *  returns; with a schedule it waits for its first window. */
  create(definition: HarvestDefinition): number
  /** Adds a job that a harvest definition generated, which waits until it is started. */
  createGenerated(job: GeneratedJob): number
  /** Adds a job that imports files from elsewhere; the originals are not changed. Returns an import of the same paths that has
   *  not ended, if there is one. */
  createImport(paths: readonly string[]): number
}

/** A job of a harvest definition. */
export interface GeneratedJob {
  name: string
  definition: HarvestDefinition
  definitionId: number
  /** From 1, the highest, to 10. */
  priority: number
  /** Limits of its domains. */
  limits: readonly DomainLimit[]
  setupRecords: readonly SetupRecord[]
}

interface NewJob {
  kind: 'event' | 'import'
  name: string
  definition: HarvestDefinition
  /** Paths to import. */
  paths?: readonly string[]
  /** The definition that generated it. */
  definitionId?: number
}

/** Opens the creation of jobs. `move` starts those without a schedule. */
export function newJobsIn(store: Store, world: Pick<World, 'clock' | 'chance'>, move: JobMove): NewJobs {
  const add = adderOf(store, world, move)
  const unended = unendedImports(store)
  const sql = newJobStatements(store)
  return {
    create(given) {
      return store.transaction(() => {
        refuseAbsentOutputs(store, given)
        const definition = withSeedAddresses(withGivenConnections(store, given))
        const name = given.name ?? repositoryOf(definition).nameOf(definition.seeds)
        return add({ kind: 'event', name, definition })
      })
    },
    createGenerated: ({ name, definition, definitionId, priority, limits, setupRecords }) =>
      store.transaction(() => {
        refuseAbsentOutputs(store, definition)
        const whole = withSeedAddresses(withGivenConnections(store, definition))
        const job = add({ kind: 'event', name, definition: whole, definitionId })
        sql.setPriority.run({ job, priority })
        for (const limit of limits) sql.addBudget.run({ job, ...limit })
        for (const record of setupRecords) sql.addSetupRecord.run({ job, ...record })
        return job
      }),
    createImport(paths) {
      const begun = unended(paths)
      if (begun !== undefined) return begun
      const name = textOf(importNameOf(paths))
      const definition = harvestDefinition.parse({ seeds: paths, scope: 'page' })
      return add({ kind: 'import', name, definition, paths })
    },
  }
}

/** Names an import. It is stored as text, as the names that users give to harvests. */
function importNameOf(paths: readonly string[]): Message {
  const [first = ''] = paths
  return paths.length === 1
    ? message('import.name', { name: basename(first) })
    : message('import.name.several', { count: paths.length })
}

/** Returns a function that adds a harvest and its job in one transaction. A job with a schedule waits for its first window, and a
 *  generated one until it is submitted. */
function adderOf(store: Store, { clock, chance }: Pick<World, 'clock' | 'chance'>, move: JobMove) {
  const sql = newJobStatements(store)
  const { setSchedule } = scheduleStatements(store)
  const { hold } = definitionStatements(store)
  const { add: addTask } = importTasks(store, clock)
  return ({ kind, name, definition: { schedule, ...definition }, paths = [], definitionId }: NewJob): number =>
    store.transaction(() => {
      const nowMs = clock.now()
      const stored = JSON.stringify(definition)
      const runId = chance.uuid()
      const harvest = sql.addHarvest.get({ name, kind, definition: stored, definitionId: definitionId ?? null, nowMs })
      const job = harvest && sql.addJob.get({ harvest: harvest.id, state: jobStates.initial, nowMs, runId })
      if (!job) throw new Error('a job was not added')
      if (kind === 'event') hold.run({ job: job.id, run: 1, fromMs: null, definition: stored })
      for (const path of paths) sql.addImport.run({ job: job.id, path })
      if (kind === 'import') addTask(job.id, name)
      if (schedule !== undefined) setSchedule.run({ job: job.id, schedule: JSON.stringify(schedule), nowMs })
      else if (definitionId === undefined) move(job.id, 'start')
      return job.id
    })
}

/** Returns a function that finds an import of exactly these paths that has not ended: a second request continues it. */
function unendedImports(store: Store): (paths: readonly string[]) => number | undefined {
  const { running, importsOf } = jobStatements(store)
  const setOf = (paths: readonly string[]) => [...new Set(paths)].toSorted().join('\n')
  return (paths) => {
    const wanted = setOf(paths)
    return running.all({}).find(({ id: job }) => setOf(importsOf.all({ job }).map(({ path }) => path)) === wanted)?.id
  }
}
