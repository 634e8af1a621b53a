/** The verbs `loupe schedule list|set|clear|next`. Times are UTC; the sentences give them in the time zone of the schedule. */
import { Fault } from '../../../contract/calls/faults.ts'
import {
  scheduleShape,
  type JobSchedule,
  type Schedule,
  type ScheduleWindow,
} from '../../../contract/services/schedule.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { optionName } from '../input/optionName.ts'
import { momentText, table } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

type Values = number[] | 'any'

export interface ScheduleOptions {
  minutes?: Values
  hours?: Values
  daysOfWeek?: Values
  daysOfMonth?: Values
  months?: Values
  years?: Values
  timeZone?: string
  durationMinutes?: number
  minimal?: true
  add?: true
  start?: 'begin' | 'inside' | 'off'
}

const methods = { begin: 'WINDOWBEGIN', inside: 'WINDOWINSIDE', off: 'DISABLE' } as const

export async function listSchedules(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const jobs = await services.schedules.list({})
    command.output.result(jobs, () =>
      jobs.length === 0
        ? textFor('cli.jobs.none')
        : table(
            ['>job', 'harvest', 'schedule', 'nextRun', 'now'],
            jobs.map(({ job, harvest, words, next, doing }) => [
              job,
              harvest,
              words.map(textOf).join('; ') || textFor('cell.none'),
              momentText(next[0]?.begin ?? null, textFor('cell.none')),
              textOf(doing),
            ]),
          ),
    )
    return 0
  })
}

export async function setSchedule(command: Command, job: number, options: ScheduleOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const before = (await services.schedules.show({ job })).schedule
    const after = await services.schedules.set({ job, schedule: scheduleFrom(options, before) })
    if (own) command.output.note(textFor('cli.idle.schedules'))
    command.output.result(after, () => jobText(after))
    return 0
  })
}

export async function clearSchedule(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const after = await services.schedules.set({ job, schedule: null })
    command.output.result(after, () => jobText(after))
    return 0
  })
}

/** Number of times that the contract returns by default. */
const countUsual = 10

export async function nextOfSchedule(command: Command, job: number, count = countUsual): Promise<ExitCode> {
  if (count > 100) throw new Fault('badInput', message('cli.option.countMax', { max: 100 }))
  return command.withSession('looks', async ({ services }) => {
    const { schedule, doing } = await services.schedules.show({ job })
    const { words, runs } = schedule ? await services.schedules.nextRuns({ schedule, count }) : { words: [], runs: [] }
    command.output.result({ job, words, doing, runs }, () =>
      runs.length === 0 ? textOf(doing) : [...words.map(textOf), runsText(runs)].join('\n'),
    )
    return 0
  })
}

/**
 * Makes a schedule from the options: with fields, a record of them; without any, the job's records with another start method. Throws
 * `Fault` badInput.
 */
function scheduleFrom(options: ScheduleOptions, before: Schedule | null): Schedule {
  const { start, add, ...record } = options
  const hasRecord = Object.keys(record).length > 0
  if (!hasRecord && (before === null || start === undefined)) {
    throw new Fault('badInput', message('cli.schedule.empty'))
  }
  const kept = hasRecord && !add ? [] : (before?.records ?? [])
  const result = scheduleShape.safeParse({
    startMethod: start ? methods[start] : (before?.startMethod ?? 'WINDOWBEGIN'),
    records: hasRecord ? [...kept, record] : kept,
  })
  return checkedInput(result, (path) => optionName(path.findLast((part) => typeof part === 'string') ?? 'schedule'))
}

function jobText({ job, words, doing, next }: JobSchedule): string {
  return [
    textFor('cli.schedule.job', { job, schedule: words.map(textOf).join('; ') || message('cli.schedule.none') }),
    textOf(doing),
    ...(next.length > 0 ? [runsText(next)] : []),
  ].join('\n')
}

function runsText(runs: readonly ScheduleWindow[]): string {
  return table(
    ['begins', 'ends', 'run'],
    runs.map(({ begin, end, minimal }) => [
      momentText(begin, ''),
      momentText(end, textFor('cell.runFinished')),
      textFor(minimal ? 'cell.run.incremental' : 'cell.run.full'),
    ]),
  )
}
