/** Arguments and options of `loupe schedule`. */
import { InvalidArgumentError, Option, type Command as Program } from 'commander'
import type { Run } from '../session/command.ts'
import type { ScheduleOptions } from '../verbs/schedule.ts'
import * as word from '../input/optionValues.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export function addScheduleVerbs(program: Program, run: Run): void {
  const schedule = program.command('schedule').description('when jobs run by themselves')
  schedule
    .command('list')
    .description('show every job with its schedule in words, what it waits for and its next run')
    .action(() => run(async (command) => (await import('../verbs/schedule.ts')).listSchedules(command)))
  const set = schedule
    .command('set')
    .argument('<id>', 'the number of a job', word.jobNumber)
    .description(
      'give a job a schedule; fields left out are at their least before the first one given, and any behind it',
    )
    .option('--minutes <list>', 'minutes of the hour, as in 0,30; or any', values(0, 59))
    .option('--hours <list>', 'hours of the day, as in 2,14; or any', values(0, 23))
    .option('--days-of-week <list>', 'as in mon,thu; or any', values(0, 6, weekdays))
    .option('--days-of-month <list>', 'as in 1,15; or any', values(1, 31))
    .option('--months <list>', 'as in jan,jul or 1,7; or any', values(1, 12, ['', ...months]))
    .option('--years <list>', 'as in 2027; or any', values(1970, 9999))
    .option('--time-zone <name>', 'as in Europe/Berlin (default: UTC)')
    .option(
      '--duration-minutes <time>',
      'how long the window is open, as in 180 or 3h (default: until the run is finished)',
      word.minutes,
    )
    .option('--minimal', 'look only for what is new')
    .option('--add', 'beside what the job has already, not instead of it')
  set
    .addOption(
      new Option(
        '--start <method>',
        'begin: once for each window; inside: at any time in it; off: not at all (default: "begin")',
      ).choices(['begin', 'inside', 'off']),
    )
    .action((job: number, options: ScheduleOptions) =>
      run(async (command) => (await import('../verbs/schedule.ts')).setSchedule(command, job, options)),
    )
  schedule
    .command('clear')
    .argument('<id>', 'the number of a job', word.jobNumber)
    .description('take the schedule of a job away: it starts only when somebody starts it')
    .action((job: number) => run(async (command) => (await import('../verbs/schedule.ts')).clearSchedule(command, job)))
  schedule
    .command('next')
    .argument('<id>', 'the number of a job', word.jobNumber)
    .option('--count <n>', 'how many (default: 10, at most 100)', word.positive)
    .description('show when a job runs next')
    .action((job: number, { count }: { count?: number }) =>
      run(async (command) => (await import('../verbs/schedule.ts')).nextOfSchedule(command, job, count)),
    )
}

/** Makes a parser of numbers or names separated by commas. */
function values(least: number, most: number, names: readonly string[] = []): (text: string) => number[] | 'any' {
  return (text) => {
    if (text === 'any') return 'any'
    return text.split(',').map((part) => {
      const name = names.indexOf(part.trim().toLowerCase().slice(0, 3))
      const value = name > 0 || (name === 0 && least === 0) ? name : /^\d{1,4}$/.test(part.trim()) ? Number(part) : NaN
      if (!(value >= least && value <= most)) {
        throw new InvalidArgumentError(`"${part}" is none of ${least} to ${most}; several are separated by commas.`)
      }
      return value
    })
  }
}
