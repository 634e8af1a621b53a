/** The verbs `loupe plan list|check|save|status`. */
import type { DeliveryDestination, DeliveryPlanRow } from '../../../contract/services/deliveries.ts'
import { deliveryStates, type DeliveryState } from '../../../contract/states/deliveryStates.ts'
import type { Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { readText } from '../input/textFile.ts'
import { badgeOf } from '../output/copyText.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import type { Session } from '../session/session.ts'

export interface PlanVersionOption {
  versionNumber?: number
}

/** Input of the calls about one plan. */
export function planInput(name: string, { versionNumber }: PlanVersionOption) {
  return { name, ...(versionNumber !== undefined && { version: versionNumber }) }
}

type Counts = DeliveryPlanRow['counts']

const failedIn = (counts: Counts) => (counts.ERROR_DOC ?? 0) + (counts.DEAD ?? 0)

export async function listPlans(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.deliveries.list({})
    command.output.result(rows, () => (rows.length === 0 ? textFor('cli.plan.none') : planTable(rows)))
    return rows.some(({ counts }) => failedIn(counts) > 0) ? 1 : 0
  })
}

function planTable(rows: readonly DeliveryPlanRow[]): string {
  return table(
    ['name', '>version', 'saved', 'run', 'deliveries', 'problem'],
    rows.map(({ name, version, created, run, counts, problem }) => [
      ...[name, version, momentText(created, ''), textFor(`cli.plan.run.${run}`)],
      statesIn(counts)
        .map((state) => `${state} ${counts[state]}`)
        .join(', '),
      problem ? textOf(problem) : '',
    ]),
  )
}

function statesIn(counts: Counts): DeliveryState[] {
  return deliveryStates.states.filter((state) => (counts[state] ?? 0) > 0)
}

export async function checkPlan(command: Command, file: string): Promise<ExitCode> {
  const toml = await readText(file)
  return command.withSession('looks', async ({ services }) => {
    const checked = await services.deliveries.check({ toml })
    const lines = [
      ...checked.faults.map(({ message: problem }) => textFor('cli.plan.fault', { problem })),
      ...warningsText(checked.warnings),
    ]
    const isGood = checked.faults.length === 0
    command.output.result(checked, () => [...lines, ...(isGood ? [textFor('cli.plan.good')] : [])].join('\n'))
    return isGood ? 0 : 1
  })
}

function warningsText(warnings: readonly { message: Message }[]): string[] {
  return warnings.map(({ message: problem }) => textFor('cli.plan.warning', { problem }))
}

export interface PlanMigration {
  refeed?: true
  keepStatus?: DeliveryState[]
}

export async function savePlan(
  command: Command,
  file: string,
  { refeed, keepStatus }: PlanMigration,
): Promise<ExitCode> {
  const toml = await readText(file)
  const migration = refeed ? 'refeed' : keepStatus ? { keep: keepStatus } : 'keep'
  return command.withSession('looks', async ({ services }) => {
    const saved = await services.deliveries.save({ toml, migration })
    for (const line of warningsText(saved.warnings)) command.output.note(line)
    command.output.result(saved, () => textFor('cli.plan.saved', { name: saved.name, version: saved.version }))
    return 0
  })
}

export async function showPlanStatus(command: Command, name: string, option: PlanVersionOption): Promise<ExitCode> {
  return command.withSession('looks', async (session) => reportStatus(command, session, planInput(name, option)))
}

/** Prints the counts of a plan. Returns exit code 1 if documents could not be delivered or it is not known whether they were. */
export async function reportStatus(
  { output }: Command,
  { services: { deliveries } }: Session,
  one: { name: string; version?: number },
): Promise<ExitCode> {
  const { plan: _plan, toml: _toml, steps: _steps, versions: _versions, ...row } = await deliveries.show(one)
  const destinations = await deliveries.counts({ name: row.name, version: row.version })
  const failed = failedIn(row.counts)
  const unknown = row.run === 'stopped' ? (row.counts.INDEXING ?? 0) : 0
  output.result({ ...row, destinations, failed, unknown }, () => destinationTable(destinations))
  if (failed > 0) output.note(textFor('cli.plan.failed', { count: failed }))
  if (unknown > 0) output.note(textFor('cli.plan.unknown', { count: unknown }))
  return failed + unknown > 0 ? 1 : 0
}

function destinationTable(destinations: readonly DeliveryDestination[]): string {
  return table(
    ['scanner', 'destination', 'status', 'meaning', '>documents'],
    destinations.flatMap(({ scanner, destination, counts }) =>
      statesIn(counts).map((state) => [
        ...[scanner, destination, state, badgeOf(deliveryStates, state)],
        counts[state] ?? 0,
      ]),
    ),
  )
}
