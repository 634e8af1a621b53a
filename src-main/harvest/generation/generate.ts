/** One run of a harvest: its configurations become jobs. The jobs are submitted only when all of them are stored, so a run that was
 *  killed is generated again from the beginning. */
import type { Jobs } from '../../crawl/crawl.ts'
import { loginAreas } from '../../contract/services/login.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { timingOf } from '../calendar/harvestSchedules.ts'
import { nextRun } from '../calendar/timing.ts'
import {
  harvestReadStatements,
  harvestWriteStatements,
  type HarvestDefinitionDbRow,
} from '../definitions/harvestDefinitions.sql.ts'
import type { Limits, SplitConfiguration } from '../model/configurations.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'
import { splitterOf, type Skipped, type SplitJob } from '../splitting/splitter.ts'
import type { Templates } from '../templates/templates.ts'
import { aliasRecord, continuedJobsRecord } from './setupRecords.ts'
import { generationStatements } from './generation.sql.ts'
import { jobDefinitionOf, type ConfigurationPart } from './jobDefinition.ts'
import { seedsIn } from '../domains/seedLists.ts'
import { sourceStatements, type AliasTime, type SourceRow } from './source.sql.ts'

/** Parameters of a generation. */
export interface GenerationSetting {
  store: Store
  clock: Pick<Clock, 'now'>
  jobs: Pick<Jobs, 'createGenerated'>
  templates: Pick<Templates, 'newest'>
  settings: GenerationSettings
  signal: AbortSignal
}

/** What a generation made. */
export interface Generated {
  run: number
  jobs: number[]
  /** Configurations that are in no job. */
  skipped: Skipped[]
  /** Planned runs that are past and were left out. */
  runsSkipped: number
}

/** Earlier results that are read per configuration: more than a schedule changes a site by. */
const historyMax = 50

/** Generates the jobs of the next run. `isPlanned`: the run is that of the schedule, whose next date follows. */
export function generate(setting: GenerationSetting, definition: number, isPlanned: boolean): Generated {
  const { store, clock, signal } = setting
  discardIncomplete(store, definition)
  const harvest = harvestReadStatements(store).byId.get({ id: definition })
  if (!harvest) throw new Error(`harvest ${definition} has gone`)
  const nowMs = clock.now()
  const run = harvest.runs + 1
  const jobs: number[] = []
  const skipped: Skipped[] = []
  const splitter = splitterOf({ ...limitsOf(harvest), isSnapshot: harvest.kind === 'snapshot' }, setting.settings)
  const add = jobAdder(setting, harvest, run)
  const addAll = (split: readonly SplitJob[]) => {
    for (const job of split) {
      signal.throwIfAborted()
      jobs.push(add(job))
    }
  }
  for (const subset of subsetsOf(setting, harvest)) {
    const split = splitter.add(subset)
    skipped.push(...split.skipped)
    addAll(split.jobs)
  }
  addAll(splitter.end())
  const { nextMs, runsSkipped } = followingRun(harvest, { run, nowMs, isPlanned })
  store.transaction(() => {
    generationStatements(store).setReady.run({ definition, run })
    const write = harvestWriteStatements(store)
    write.countRun.run({ id: definition, nextMs })
    // An event and a snapshot run once for each activation.
    if (harvest.kind !== 'selective') write.deactivate.run({ id: definition, failure: null })
  })
  return { run, jobs, skipped, runsSkipped }
}

/** Removes the jobs of generations that were not completed: of one harvest, or of all. They were never started. */
export function discardIncomplete(store: Store, definition: number | null): void {
  const sql = generationStatements(store)
  store.transaction(() => {
    for (const { job, harvest } of sql.incomplete.all({ definition })) {
      sql.removeJob.run({ job })
      sql.removeHarvest.run({ harvest })
    }
  })
}

function limitsOf({ objectsMax, bytesMax }: HarvestDefinitionDbRow): Limits {
  return { objectsMax, bytesMax }
}

/** The date of the run after this one. */
function followingRun(
  { timing, nextRunMs }: HarvestDefinitionDbRow,
  { run, nowMs, isPlanned }: { run: number; nowMs: number; isPlanned: boolean },
): { nextMs: number | null; runsSkipped: number } {
  if (timing === null || nextRunMs === null) return { nextMs: null, runsSkipped: 0 }
  if (!isPlanned) return { nextMs: nextRunMs, runsSkipped: 0 }
  const { ms, skipped } = nextRun(timingOf(timing), { lastMs: nextRunMs, nowMs, runs: run })
  return { nextMs: ms, runsSkipped: skipped }
}

/** Yields the configurations of a run in subsets. */
function* subsetsOf(
  { store, settings, clock }: GenerationSetting,
  harvest: HarvestDefinitionDbRow,
): Iterable<SplitConfiguration[]> {
  const sql = sourceStatements(store)
  const limit = settings.configurationSubsetSize
  const alias = aliasTimeOf(clock, settings)
  for (let after = 0; ;) {
    const rows = pageOf(harvest, { after, limit, ...alias })
    if (rows.length > 0) yield rows.map(configurationOf)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = last.id
  }

  function pageOf(
    { id, kind, previousId }: HarvestDefinitionDbRow,
    page: { after: number; limit: number } & AliasTime,
  ) {
    if (kind !== 'snapshot') return sql.chosen.all({ definition: id, after: page.after, limit: page.limit })
    return previousId === null ? sql.everyDomain.all(page) : sql.unfinished.all({ ...page, previous: previousId })
  }

  function configurationOf(row: SourceRow): SplitConfiguration {
    const { id, domain, name } = row
    const seedsCount = sql.seeds.all({ configuration: id }).reduce((sum, { seeds }) => sum + seedsIn(seeds).length, 0)
    return { ...row, seedsCount, history: sql.history.all({ domain, configuration: name, limit: historyMax }) }
  }
}

/** Returns a function that stores a job with its configurations and returns its number. */
function jobAdder(setting: GenerationSetting, harvest: HarvestDefinitionDbRow, run: number): (job: SplitJob) => number {
  const { store, jobs, templates } = setting
  const sql = generationStatements(store)
  const source = sourceStatements(store)
  const globalTraps = source.trapLists.all({}).flatMap(({ patterns }) => JSON.parse(patterns) as string[])
  const repeated = continuedJobsRecord(store, harvest)

  function partOf({ id, domain }: SplitJob['members'][number]): ConfigurationPart {
    const details = source.details.get({ configuration: id })
    return {
      domain,
      seeds: source.seeds.all({ configuration: id }).flatMap(({ seeds }) => seedsIn(seeds)),
      traps: JSON.parse(details?.traps ?? '[]') as string[],
      loginAreas: details?.login ? loginAreas.parse(JSON.parse(details.login)) : [],
    }
  }

  return ({ template: name, limits, objectsExpected, members, closedBecause }) =>
    store.transaction(() => {
      const template = templates.newest(name)
      const jobName = `${harvest.name} (${run})`
      const job = jobs.createGenerated({
        ...{ name: jobName, definitionId: harvest.id, priority: harvest.priority },
        definition: jobDefinitionOf({
          ...{ name: jobName, settings: template.settings, configurations: members.map(partOf) },
          ...{ globalTraps, secondsMax: harvest.secondsMax, limits: setting.settings },
        }),
        limits: members.map(({ domain, limits: own }) => ({ domain, ...own })),
        setupRecords: [aliasRecord(store, members, aliasTimeOf(setting.clock, setting.settings)), ...repeated],
      })
      sql.addJob.run({
        ...{ job, definition: harvest.id, run, channel: harvest.channel, ...limits, objectsExpected },
        ...{ templateId: template.id, templateName: name, templateVersion: template.version },
        closedBecause: closedBecause && JSON.stringify(closedBecause),
      })
      members.forEach(({ id: configuration, domain, name: own, estimate }, position) =>
        sql.addConfiguration.run({
          ...{ job, position, configuration, domain, name: own, objectsExpected: estimate.expected },
          estimate: JSON.stringify(estimate),
        }),
      )
      return job
    })
}

const dayMs = 86_400_000

function aliasTimeOf(clock: Pick<Clock, 'now'>, { aliasDays }: GenerationSettings): AliasTime {
  return { nowMs: clock.now(), aliasMs: aliasDays * dayMs }
}
