/** Arguments and options of `loupe queue`, which shows and changes a job's queue while the job runs. */
import type { Command as Program } from 'commander'
import { lifts } from '../../../contract/services/live.ts'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import type { BudgetOptions, LiftOptions, SelectionOptions } from '../verbs/queue.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

const dryRun = ['--dry-run', textFor('help.queue.dryRun')] as const
const ofPattern = ['--pattern <re>', textFor('help.queue.pattern')] as const
const ofHost = ['--host <name>', textFor('help.queue.ofHost')] as const

export function addQueueVerbs(program: Program, run: Run): void {
  const queue = program
    .command('queue')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.queue'))
    .option('--host <name>', textFor('help.queue.host'))
    .action((job: number, { host }: { host?: string }) =>
      run(async (command) => (await import('../verbs/queue.ts')).showQueue(command, job, host)),
    )
  queue
    .command('reject')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .argument('[re]', textFor('help.queue.reject.pattern'), word.pattern)
    .description(textFor('help.queue.reject'))
    .option('--remove <rule>', textFor('help.queue.reject.remove'), word.positive)
    .option(...dryRun)
    .action((job: number, pattern: string | undefined, options: { remove?: number; dryRun?: true }) =>
      run(async (command) => (await import('../verbs/queue.ts')).rejectInQueue(command, job, { pattern, ...options })),
    )
  queue
    .command('drop')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.queue.drop'))
    .option(...ofPattern, word.pattern)
    .option(...ofHost)
    .option(...dryRun)
    .action((job: number, options: SelectionOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).dropFromQueue(command, job, options)),
    )
  queue
    .command('priority')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .argument('[n]', textFor('help.queue.priority.number'), word.positive)
    .description(textFor('help.queue.priority'))
    .option(...ofPattern, word.pattern)
    .option(...ofHost)
    .addOption(choiceOption('--to <place>', textFor('help.queue.priority.to'), lifts))
    .option(...dryRun)
    .action((job: number, priority: number | undefined, options: LiftOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).prioritise(command, job, priority, options)),
    )
  queue
    .command('budget')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .argument('[domain...]', textFor('help.queue.budget.domains'))
    .description(textFor('help.queue.budget'))
    .option('--objects <n>', textFor('help.queue.budget.objects'), word.whole)
    .option('--bytes <size>', textFor('help.queue.budget.bytes'), word.size)
    .option('--file <file>', textFor('help.queue.budget.file'))
    .option(...dryRun)
    .action((job: number, domains: string[], options: BudgetOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).setBudgets(command, job, domains, options)),
    )
}
