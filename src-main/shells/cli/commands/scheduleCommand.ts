/** Arguments and options of `loupe schedule`. */
import { InvalidArgumentError, type Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import type { ScheduleOptions } from '../verbs/schedule.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export function addScheduleVerbs(program: Program, run: Run): void {
  const schedule = program.command('schedule').description(textFor('help.schedule'))
  schedule
    .command('list')
    .description(textFor('help.schedule.list'))
    .action(() => run(async (command) => (await import('../verbs/schedule.ts')).listSchedules(command)))
  const set = schedule
    .command('set')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.schedule.set'))
    .option('--minutes <list>', textFor('help.schedule.minutes'), values(0, 59))
    .option('--hours <list>', textFor('help.schedule.hours'), values(0, 23))
    .option('--days-of-week <list>', textFor('help.schedule.daysOfWeek'), values(0, 6, weekdays))
    .option('--days-of-month <list>', textFor('help.schedule.daysOfMonth'), values(1, 31))
    .option('--months <list>', textFor('help.schedule.months'), values(1, 12, ['', ...months]))
    .option('--years <list>', textFor('help.schedule.years'), values(1970, 9999))
    .option('--time-zone <name>', textFor('help.schedule.timeZone'))
    .option('--duration-minutes <time>', textFor('help.schedule.durationMinutes'), word.minutes)
    .option('--minimal', textFor('help.schedule.minimal'))
    .option('--add', textFor('help.schedule.add'))
  set
    .addOption(choiceOption('--start <method>', textFor('help.schedule.start'), ['begin', 'inside', 'off']))
    .action((job: number, options: ScheduleOptions) =>
      run(async (command) => (await import('../verbs/schedule.ts')).setSchedule(command, job, options)),
    )
  schedule
    .command('clear')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.schedule.clear'))
    .action((job: number) => run(async (command) => (await import('../verbs/schedule.ts')).clearSchedule(command, job)))
  schedule
    .command('next')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .option('--count <n>', textFor('help.schedule.next.count'), word.positive)
    .description(textFor('help.schedule.next'))
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
        throw new InvalidArgumentError(textFor('cli.word.values', { part, least, most }))
      }
      return value
    })
  }
}
