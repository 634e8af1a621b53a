/** Harvest definitions: what is harvested, when, and within which limits. */
import { Fault } from '../../contract/calls/faults.ts'
import type {
  ConfigurationName,
  HarvestInput,
  HarvestKind,
  HarvestRow,
  HarvestRun,
} from '../../contract/services/harvestDefinitions.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { timingOf } from '../calendar/harvestSchedules.ts'
import { firstRunMs } from '../calendar/timing.ts'
import { columnsOf } from './harvestColumns.ts'
import { harvestReadStatements, harvestWriteStatements, type HarvestDefinitionDbRow } from './harvestDefinitions.sql.ts'

/** A harvest without what only a running engine knows. */
export type StoredHarvest = Omit<HarvestRow, 'isGenerating'>

/** The harvests of an archive. A call that names an unknown one throws `Fault` notFound. */
export interface HarvestDefinitions {
  list(filter?: {
    kind?: HarvestKind | undefined
    active?: boolean | undefined
    text?: string | undefined
  }): StoredHarvest[]
  show(harvest: number): StoredHarvest
  configurations(query: { harvest: number; offset: number; limit: number }): {
    rows: ConfigurationName[]
    total: number
  }
  /** Throws `Fault` badInput, naming the field, for a name that is taken and for anything unknown that the input names. */
  add(input: HarvestInput): StoredHarvest
  /** Changes a harvest, and the priority of its jobs in any state. An active one is planned again. */
  edit(harvest: number, input: HarvestInput): StoredHarvest
  /** Throws `Fault` refused for a harvest with jobs, or that another one continues. */
  remove(harvest: number): void
  /** Plans the next run. Throws `Fault` refused for a harvest that has nothing to do. */
  activate(harvest: number): StoredHarvest
  /** `failure`: why a generation deactivates it. */
  deactivate(harvest: number, failure?: Message): StoredHarvest
  runs(query: { harvest: number; offset: number; limit: number }): { rows: HarvestRun[]; total: number }
}

/** Opens the harvests. */
export function openHarvestDefinitions(store: Store, clock: Pick<Clock, 'now'>): HarvestDefinitions {
  const read = harvestReadStatements(store)
  const write = harvestWriteStatements(store)

  function rowOf(id: number): HarvestDefinitionDbRow {
    const row = read.byId.get({ id })
    if (!row) throw new Fault('notFound', message('harvest.absent', { harvest: id }))
    return row
  }

  const jobsOf = (rows: readonly { status: string; jobs: number }[]) =>
    Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs]))
  const shown = (row: HarvestDefinitionDbRow) => storedHarvest(row, jobsOf(read.jobsByStatus.all({ id: row.id })))

  /** Sets the configurations of a harvest. Throws `Fault` badInput for one that does not exist. */
  function setConfigurations(id: number, names: readonly ConfigurationName[]): void {
    write.dropConfigurations.run({ id })
    const given = new Set<string>()
    names.forEach(({ domain, configuration }, at) => {
      const key = `${domain}\n${configuration}`
      if (given.has(key)) return
      given.add(key)
      if (write.addConfiguration.run({ id, domain, configuration }) === 1) return
      throw new Fault('badInput', message('harvest.configurationAbsent', { domain, configuration }), {
        fields: [['configurations', at]],
      })
    })
  }

  /** Throws `Fault` refused where nothing can be planned. */
  function nextOf({ name, kind, configurations, runs, schedule, timing }: HarvestDefinitionDbRow): number {
    if (kind === 'snapshot' && runs > 0) throw new Fault('refused', message('harvest.ran', { name }))
    if (configurations === 0) throw new Fault('refused', message('harvest.empty', { name }))
    const nextMs = timing === null ? clock.now() : firstRunMs(timingOf(timing), clock.now())
    if (nextMs === null) throw new Fault('refused', message('harvest.over', { schedule: schedule ?? '' }))
    return nextMs
  }

  function refuseUsed({ id, name }: HarvestDefinitionDbRow): void {
    const jobs = read.jobsByStatus.all({ id }).reduce((sum, row) => sum + row.jobs, 0)
    if (jobs > 0) throw new Fault('refused', message('harvest.used', { name, jobs }))
    const by = read.all.all({}).find(({ previousId }) => previousId === id)
    if (by) throw new Fault('refused', message('harvest.followed', { name, by: by.name }))
  }

  return {
    list: ({ kind, active, text } = {}) =>
      read.all
        .all({})
        .filter((row) => kind === undefined || row.kind === kind)
        .filter(({ isActive }) => active === undefined || (isActive === 1) === active)
        .filter(({ name }) => text === undefined || name.toLowerCase().includes(text.toLowerCase()))
        .map(shown),
    show: (harvest) => shown(rowOf(harvest)),
    configurations: ({ harvest, ...page }) => ({
      rows: read.configurations.all({ id: rowOf(harvest).id, ...page }),
      total: rowOf(harvest).kind === 'snapshot' ? 0 : rowOf(harvest).configurations,
    }),
    add: (input) =>
      store.transaction(() => {
        const added = write.add.get({ ...columnsOf(store, input), nowMs: clock.now() })
        if (!added) throw new Error('a harvest was not added')
        setConfigurations(added.id, input.configurations)
        return shown(rowOf(added.id))
      }),
    edit: (harvest, input) =>
      store.transaction(() => {
        const before = rowOf(harvest)
        if (before.kind !== input.kind)
          throw new Fault('badInput', message('harvest.kindFixed'), { fields: [['kind']] })
        write.edit.run({ id: harvest, ...columnsOf(store, input, harvest) })
        setConfigurations(harvest, input.configurations)
        write.setJobPriority.run({ id: harvest, priority: input.priority })
        const row = rowOf(harvest)
        if (row.isActive === 1 && row.timing !== before.timing) write.plan.run({ id: harvest, nextMs: nextOf(row) })
        return shown(rowOf(harvest))
      }),
    remove: (harvest) =>
      store.transaction(() => {
        refuseUsed(rowOf(harvest))
        write.remove.run({ id: harvest })
      }),
    activate: (harvest) =>
      store.transaction(() => {
        write.activate.run({ id: harvest, nextMs: nextOf(rowOf(harvest)) })
        return shown(rowOf(harvest))
      }),
    deactivate: (harvest, failure) => {
      write.deactivate.run({ id: rowOf(harvest).id, failure: failure ? JSON.stringify(failure) : null })
      return shown(rowOf(harvest))
    },
    runs: ({ harvest, ...page }) => ({
      rows: read.runs.all({ id: rowOf(harvest).id, ...page }).map(({ generatedMs, endedMs, ...row }) => ({
        ...{ ...row, generated: new Date(generatedMs).toISOString(), ended: timeOf(endedMs) },
        jobs: jobsOf(read.runJobs.all({ id: harvest, run: row.run })),
      })),
      total: rowOf(harvest).runs,
    }),
  }
}

function storedHarvest(row: HarvestDefinitionDbRow, jobs: HarvestRow['jobs']): StoredHarvest {
  const { name, kind, comments, audience, schedule, objectsMax, bytesMax, secondsMax, previous, priority } = row
  return {
    ...{
      harvest: row.id,
      name,
      kind,
      comments,
      audience,
      schedule,
      objectsMax,
      bytesMax,
      secondsMax,
      previous,
      priority,
    },
    channel: row.channel,
    fields: JSON.parse(row.fields) as HarvestRow['fields'],
    isActive: row.isActive === 1,
    ...{ configurations: row.configurations, runs: row.runs, nextRun: timeOf(row.nextRunMs) },
    ...{
      problem: row.failure === null ? null : messageFrom(row.failure),
      jobs,
      created: new Date(row.createdMs).toISOString(),
    },
  }
}
