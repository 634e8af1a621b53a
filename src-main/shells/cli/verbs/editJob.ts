/** The verb `loupe job edit ID`: changes what the options name; everything else stays as the job has it. */
import { usualConnectors, type ConnectorChoice } from '../../../contract/services/connectors.ts'
import { harvestDefinition, storedDefinition, type HarvestDefinition } from '../../../contract/services/definition.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { readShape } from '../input/jsonFile.ts'
import { readLogin } from '../input/loginFile.ts'
import { kebabCase } from '../input/optionName.ts'
import { readSchedule } from '../input/scheduleFile.ts'
import { checkedDefinition } from './checkedDefinition.ts'
import { withConnectors, wordsOfConnector } from './connectors.ts'
import type { Asked } from './harvest.ts'
import { withDeduplication } from './deduplication.ts'
import { withRecheck } from './recheck.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

interface Changes extends Asked {
  definition?: string
  clear?: string[]
}

/** Fields of a definition that can be cleared, as options name them. */
const clearable = Object.keys(storedDefinition.shape).filter((name) => name !== 'seeds')

export async function editJob(command: Command, job: number, changes: Changes): Promise<ExitCode> {
  if (changes.seeds.length === 0 && Object.keys(changes).length === 1)
    throw new Fault('badInput', message('cli.job.changeNothing'))
  return command.withSession('looks', async ({ services, own }) => {
    const before = (await services.jobs.show({ job })).definition
    const edited = await services.harvests.edit({ job, definition: await changed(before, changes) })
    const { changed: parts, holds } = edited
    const since = message(holds === 'now' ? 'cli.job.since.now' : 'cli.job.since.nextRun')
    command.output.result(edited, () =>
      parts.length === 0
        ? textFor('cli.job.same', { job })
        : textOf(message('cli.job.changed', { job, parts: parts.map(kebabCase).join(', '), since })),
    )
    if (own && holds === 'now') command.output.note(textFor('cli.idle.job'))
    return 0
  })
}

async function changed(before: HarvestDefinition, changes: Changes): Promise<HarvestDefinition> {
  const { definition, clear = [], login, schedule, hopLimit, hopMode, throttle, deliverTo: outputs, ...words } = changes
  const whole = definition === undefined ? before : await readDefinition(definition)
  const base = cleared(whole, clear)
  const given = withDeduplication(withRecheck({ ...words, ...stillContinuous(base, words) }))
  const { recheck, deduplication, ...others } = given as Record<string, unknown>
  const seeds = words.seeds.length > 0 ? words.seeds : base.seeds
  const { connectors: _before, ...rest } = base
  return checkedDefinition({
    ...rest,
    ...withConnectors({ ...others, ...connectorWords(base, changes), seeds }),
    ...(recheck === undefined ? {} : { recheck: { ...base.recheck, ...(recheck as object) } }),
    ...(deduplication === undefined ? {} : { deduplication: { ...base.deduplication, ...(deduplication as object) } }),
    ...(login === undefined ? {} : { login: await readLogin(login) }),
    ...(schedule === undefined ? {} : { schedule: await readSchedule(schedule) }),
    ...(throttle === undefined ? {} : { throttle: { ...base.throttle, rules: throttle } }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(hopLimit === undefined && hopMode === undefined
      ? {}
      : { hops: { ...base.hops, ...(hopLimit ? { limits: hopLimit } : {}), ...(hopMode ? { mode: hopMode } : {}) } }),
  })
}

function cleared(definition: HarvestDefinition, names: readonly string[]): HarvestDefinition {
  const unknown = names.find((name) => !clearable.map(kebabCase).includes(name))
  if (unknown !== undefined)
    throw new Fault(
      'badInput',
      message('cli.option.clear', { name: unknown, known: clearable.map(kebabCase).join(', ') }),
    )
  const kept = Object.entries(definition).filter(([name]) => !names.includes(kebabCase(name)))
  return storedDefinition.parse(Object.fromEntries(kept))
}

/** Keeps a continuous harvest continuous: spans apply only to one, and this harvest may already be one. */
function stillContinuous({ recheck }: HarvestDefinition, words: object): { continuous?: true } {
  const hasSpan = ['interval', 'intervalMax', 'expiry', 'reseed'].some((name) => name in words)
  return hasSpan && recheck?.type === 'continuous' ? { continuous: true } : {}
}

/** The options about the source of a job, and the option that names a connection instead. */
const sourceOptions = ['connector', 'changedSince', 'olderParts', 'hidden', 'module', 'moduleSetting'] as const

/** Returns the connectors of the job as the options that would set them, where no option changes them. */
function connectorWords({ connectors = usualConnectors }: HarvestDefinition, changes: Changes): object {
  const isSourceGiven = 'connection' in changes || sourceOptions.some((name) => name in changes)
  const isOutputGiven = 'outputConnection' in changes || 'output' in changes
  const { repositoryConnection: connection, outputConnection } = connectors
  const source = connection !== undefined && !isSourceGiven ? { connection } : sourceWords(connectors, changes)
  const { output } = connectors
  return { ...source, ...(isOutputGiven ? {} : outputConnection === undefined ? { output } : { outputConnection }) }
}

/** Another connector begins without the settings of the job's. */
function sourceWords({ repository }: ConnectorChoice, changes: Changes): object {
  if ('connection' in changes) return {}
  const { connector, ...settings } = wordsOfConnector(repository)
  const { connector: asked = connector } = changes as { connector?: string }
  const given = Object.fromEntries(sourceOptions.flatMap((name) => (name in changes ? [[name, changes[name]]] : [])))
  const words = Object.entries({ ...(asked === connector ? settings : {}), ...given })
  return { connector: asked, ...Object.fromEntries(words.filter(([, value]) => value !== false)) }
}

/** Unwraps the output of `loupe --json jobs ID`, which contains the definition. */
function withoutJob(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'definition' in value ? value.definition : value
}

async function readDefinition(path: string): Promise<HarvestDefinition> {
  return readShape('definition', path, { shape: harvestDefinition, wrap: withoutJob })
}
