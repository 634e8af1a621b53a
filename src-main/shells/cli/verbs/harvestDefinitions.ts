/** The verbs `loupe harvests list|show|add|edit|remove|activate|deactivate|run|runs|statistics|export|import`: what is harvested, when, and
 *  within which limits. */
import {
  harvestInput,
  type ConfigurationName,
  type HarvestInput,
  type HarvestKind,
  type HarvestRow,
} from '../../../contract/services/harvestDefinitions.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { configuration } from '../input/optionValues.ts'
import { readShape } from '../input/jsonFile.ts'
import { linesIn, readText } from '../input/textFile.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { allRows } from '../session/allRows.ts'
import type { Session } from '../session/session.ts'

export interface HarvestChange {
  name?: string
  kind?: HarvestKind
  schedule?: string
  domain?: ConfigurationName[]
  domains?: string
  maxObjects?: number
  maxBytes?: number
  maxSeconds?: number
  previous?: string
  channel?: string
  priority?: number
  comments?: string
  audience?: string
}

export interface SeedOptions {
  template?: string
  maxObjects?: number
  maxBytes?: number
}

export interface HarvestFilter {
  kind?: HarvestKind
  active?: boolean
  text?: string
}

export async function listHarvests(command: Command, filter: HarvestFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.harvestDefinitions.list(filter)
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.harvests.none')
        : table(
            ['>harvest', 'name', 'kind', 'state', 'nextRun', '>runs', '>configurations'],
            rows.map((row) => [
              ...[row.harvest, row.name, row.kind, activityText(row)],
              ...[momentText(row.nextRun, textFor('cell.none')), row.runs, row.configurations],
            ]),
          ),
    )
    for (const { name, problem } of rows)
      if (problem !== null) command.output.note(textFor('cli.harvests.problem', { name, problem }))
    return rows.some(({ problem }) => problem !== null) ? 1 : 0
  })
}

export async function showHarvest(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) =>
    result(command, await services.harvestDefinitions.show({ harvest })),
  )
}

export async function addHarvest(command: Command, name: string, change: HarvestChange): Promise<ExitCode> {
  const input = harvestInput.parse({
    ...columnsOf(change),
    name,
    kind: change.kind ?? 'selective',
    configurations: await domainsOf(change),
  })
  return command.withSession('looks', async ({ services }) =>
    result(command, await services.harvestDefinitions.add(input)),
  )
}

export async function editHarvest(command: Command, harvest: number, change: HarvestChange): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const before = await inputOf(services, harvest)
    const configurations = (await domainsOf(change)) ?? before.configurations
    const definition = harvestInput.parse({ ...before, ...columnsOf(change), configurations })
    return result(command, await services.harvestDefinitions.edit({ harvest, definition }))
  })
}

export async function actOnHarvest(
  command: Command,
  action: 'activate' | 'deactivate',
  harvest: number,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const row = await services.harvestDefinitions[action]({ harvest })
    if (own && action === 'activate') command.output.note(textFor('cli.idle.harvests'))
    return result(command, row)
  })
}

export async function removeHarvest(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.harvestDefinitions.remove({ harvest })
    command.output.result({ removed: harvest }, () => textFor('cli.harvests.removed', { harvest }))
    return 0
  })
}

export async function runHarvest(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const done = await services.harvestDefinitions.run({ harvest })
    command.output.result(done, () =>
      textFor('cli.harvests.generated', { run: done.run, jobs: done.jobs.length, numbers: done.jobs.join(', ') }),
    )
    if (own) command.output.note(textFor('cli.idle.harvests'))
    return done.jobs.length === 0 ? 1 : 0
  })
}

export async function listRuns(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows } = await services.harvestDefinitions.runs({ harvest, offset: 0, limit: 1000 })
    command.output.result(rows, () =>
      table(
        ['>run', 'made', 'ended', '>jobs', '>configurations', '>expected', '>objects', '>bytes'],
        rows.map((row) => [
          ...[row.run, momentText(row.generated, ''), momentText(row.ended, textFor('cell.none'))],
          ...[Object.values(row.jobs).reduce((sum, each) => sum + each, 0), row.configurations, row.objectsExpected],
          ...[row.objects, bytesText(row.bytes)],
        ]),
      ),
    )
    return 0
  })
}

/** Adds seeds to an event harvest: exit code 1 when lines were refused. */
export async function addSeeds(
  command: Command,
  harvest: number,
  file: string,
  { template = 'default', maxObjects, maxBytes }: SeedOptions,
): Promise<ExitCode> {
  const limits = { objectsMax: maxObjects ?? null, bytesMax: maxBytes ?? null }
  const given = { harvest, text: await readText(file), template, ...limits }
  return command.withSession('looks', async ({ services }) => {
    const added = await services.harvestDefinitions.addSeeds(given)
    const { configurations, domainsNew, seeds } = added
    command.output.result(added, () => textFor('cli.harvests.seeds', { configurations, domainsNew, seeds }))
    for (const { problem } of added.refused) command.output.note(textOf(problem))
    return added.refused.length > 0 ? 1 : 0
  })
}

/** Lists the complete runs of a harvest with their alarms: exit code 1 if the newest has one. */
export async function harvestStatistics(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.harvestStatistics.ofHarvest({ harvest, limit: 1000 })
    command.output.result(rows, () =>
      table(
        ['>run', 'ended', '>jobs', '>objects', '>bytes', 'alarms'],
        rows.map(({ run, ended, jobs, objects, bytes, alarms }) => [
          ...[run, momentText(ended, ''), jobs, objects, bytesText(bytes)],
          alarms.map((alarm) => textOf(alarm.message)).join(' '),
        ]),
      ),
    )
    return (rows[0]?.alarms.length ?? 0) > 0 ? 1 : 0
  })
}

export async function exportHarvest(command: Command, harvest: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const input = await inputOf(services, harvest)
    command.output.result(input, () => JSON.stringify(input, undefined, 2))
    return 0
  })
}

/** Adds a harvest as `export` printed it. */
export async function importHarvest(command: Command, path: string): Promise<ExitCode> {
  const input = await readShape('file', path, { shape: harvestInput, wrap: (value) => value })
  return command.withSession('looks', async ({ services }) =>
    result(command, await services.harvestDefinitions.add(input)),
  )
}

function result(command: Command, row: HarvestRow): ExitCode {
  command.output.result(row, () => harvestText(row))
  return row.problem === null ? 0 : 1
}

function activityText({ isActive, isGenerating }: HarvestRow): string {
  if (isGenerating) return textFor('cli.harvests.generating')
  return textFor(isActive ? 'cli.harvests.active' : 'cli.harvests.inactive')
}

function harvestText(row: HarvestRow): string {
  const { harvest, name, kind, nextRun, runs, configurations, problem } = row
  const next = nextRun === null ? message('cell.none') : momentText(nextRun, '')
  return [
    textFor('cli.harvests.one', { harvest, name, kind, state: activityText(row) }),
    textFor('cli.harvests.figures', { configurations, runs, next }),
    ...(problem === null ? [] : [textOf(problem)]),
  ].join('\n')
}

/** Options that are columns of a harvest, under their names there. */
function columnsOf({ domain: _, domains: __, maxObjects, maxBytes, maxSeconds, ...columns }: HarvestChange): object {
  const limits = { objectsMax: maxObjects, bytesMax: maxBytes, secondsMax: maxSeconds }
  return { ...columns, ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) }
}

/** The configurations that the options name; undefined if they name none. */
async function domainsOf({ domain, domains }: HarvestChange): Promise<ConfigurationName[] | undefined> {
  if (domain === undefined && domains === undefined) return undefined
  return [...(domain ?? []), ...(domains === undefined ? [] : linesIn(await readText(domains)).map(configuration))]
}

/** What a user gave a harvest. */
async function inputOf(services: Session['services'], harvest: number): Promise<HarvestInput> {
  const row = await services.harvestDefinitions.show({ harvest })
  const { rows: configurations } = await allRows((page) =>
    services.harvestDefinitions.configurations({ harvest, ...page }),
  )
  const {
    name,
    kind,
    comments,
    audience,
    schedule,
    objectsMax,
    bytesMax,
    secondsMax,
    previous,
    channel,
    priority,
    fields,
  } = row
  return {
    ...{
      name,
      kind,
      comments,
      audience,
      schedule,
      objectsMax,
      bytesMax,
      secondsMax,
      previous,
      channel,
      priority,
      fields,
    },
    configurations,
  }
}
