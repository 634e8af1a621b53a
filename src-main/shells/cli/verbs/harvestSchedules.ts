/** The verbs `loupe schedules list|show|add|edit|remove|next`: schedules that harvests share. */
import { Fault } from '../../../contract/calls/faults.ts'
import { refusalOf } from '../../../contract/calls/refusedValue.ts'
import {
  harvestScheduleInput,
  type HarvestScheduleInput,
  type HarvestScheduleRow,
} from '../../../contract/services/harvestSchedules.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { readShape } from '../input/jsonFile.ts'
import { timingParts, type TimingOptions } from '../input/timingOptions.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

export interface ScheduleChange extends TimingOptions {
  comments?: string
  name?: string
}

export async function listHarvestSchedules(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.harvestSchedules.list({})
    command.output.result(rows, () =>
      table(
        ['name', 'schedule', 'nextRun', '>harvests'],
        rows.map(({ name, words, next, harvests }) => [
          ...[name, textOf(words), momentText(next[0] ?? null, textFor('cell.none')), harvests.total],
        ]),
      ),
    )
    return 0
  })
}

export async function showHarvestSchedule(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.harvestSchedules.show({ name })
    command.output.result(row, () => scheduleText(row))
    return 0
  })
}

export async function addHarvestSchedule(command: Command, name: string, change: ScheduleChange): Promise<ExitCode> {
  if (!change.every) throw new Fault('badInput', message('cli.schedules.every'))
  const { comments = '', name: _, ...timing } = change
  const schedule = checked({ name, comments, timing: timingParts(timing) })
  return command.withSession('looks', async ({ services }) => {
    const row = await services.harvestSchedules.add(schedule)
    command.output.result(row, () => scheduleText(row))
    return 0
  })
}

export async function editHarvestSchedule(command: Command, name: string, change: ScheduleChange): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const before = await services.harvestSchedules.show({ name })
    const { comments = before.comments, name: newName = before.name, ...timing } = change
    const schedule = checked({ name: newName, comments, timing: { ...before.timing, ...timingParts(timing) } })
    const row = await services.harvestSchedules.edit({ name, schedule })
    command.output.result(row, () => scheduleText(row))
    return 0
  })
}

/** Prints a schedule as JSON that `import` takes. */
export async function exportHarvestSchedule(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { comments, timing } = await services.harvestSchedules.show({ name })
    const schedule = { name, comments, timing }
    command.output.result(schedule, () => JSON.stringify(schedule, undefined, 2))
    return 0
  })
}

/** Adds a schedule as `export` printed it. */
export async function importHarvestSchedule(command: Command, path: string): Promise<ExitCode> {
  const schedule = await readShape('file', path, { shape: harvestScheduleInput, wrap: (value) => value })
  return command.withSession('looks', async ({ services }) => {
    const row = await services.harvestSchedules.add(schedule)
    command.output.result(row, () => scheduleText(row))
    return 0
  })
}

export async function removeHarvestSchedule(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.harvestSchedules.remove({ name })
    command.output.result({ removed: name }, () => textFor('cli.schedules.removed', { name }))
    return 0
  })
}

/** Checks a schedule before a session is opened for it. Throws `Fault` badInput. */
function checked(given: object): HarvestScheduleInput {
  const result = harvestScheduleInput.safeParse(given)
  if (result.success) return result.data
  throw new Fault('badInput', refusalOf(result.error, given))
}

function scheduleText({ name, words, comments, next, harvests }: HarvestScheduleRow): string {
  return [
    textFor('cli.schedules.one', { name, schedule: words }),
    ...(comments === '' ? [] : [comments]),
    ...(next.length === 0 ? [textFor('cli.schedules.over')] : next.map((time) => `  ${momentText(time, '')}`)),
    ...(harvests.total === 0
      ? []
      : [textFor('cli.schedules.harvests', { names: harvests.names.join(', '), total: harvests.total })]),
  ].join('\n')
}
