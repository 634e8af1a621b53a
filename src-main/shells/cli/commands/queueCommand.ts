/** Arguments and options of `loupe queue`, which shows and changes a job's queue while the job runs. */
import { Option, type Command as Program } from 'commander'
import { lifts } from '../../../contract/services/live.ts'
import type { Run } from '../session/command.ts'
import type { BudgetOptions, LiftOptions, SelectionOptions } from '../verbs/queue.ts'
import * as word from '../input/optionValues.ts'

const dryRun = ['--dry-run', 'only say what it would do'] as const
const ofPattern = ['--pattern <re>', 'those whose address matches'] as const
const ofHost = ['--host <name>', 'those of this host'] as const

export function addQueueVerbs(program: Program, run: Run): void {
  const queue = program
    .command('queue')
    .argument('<job>', 'the number of a job', word.jobNumber)
    .description('show the queue of a job by host, and what comes next; or change it while the job runs')
    .option('--host <name>', 'only this host')
    .action((job: number, { host }: { host?: string }) =>
      run(async (command) => (await import('../verbs/queue.ts')).showQueue(command, job, host)),
    )
  queue
    .command('reject')
    .argument('<job>', 'the number of a job', word.jobNumber)
    .argument('[re]', 'addresses that match are dropped, and never fetched from now on', word.pattern)
    .description('add a rule that rejects addresses, or remove one')
    .option('--remove <rule>', 'the number of a rule: what it kept out waits again', word.positive)
    .option(...dryRun)
    .action((job: number, pattern: string | undefined, options: { remove?: number; dryRun?: true }) =>
      run(async (command) => (await import('../verbs/queue.ts')).rejectInQueue(command, job, { pattern, ...options })),
    )
  queue
    .command('drop')
    .argument('<job>', 'the number of a job', word.jobNumber)
    .description('delete documents from the queue, without a rule')
    .option(...ofPattern, word.pattern)
    .option(...ofHost)
    .option(...dryRun)
    .action((job: number, options: SelectionOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).dropFromQueue(command, job, options)),
    )
  queue
    .command('priority')
    .argument('<job>', 'the number of a job', word.jobNumber)
    .argument('[n]', 'of the whole job: 1 is before all others, 10 behind them', word.positive)
    .description('say what comes first: a job, or documents in it')
    .option(...ofPattern, word.pattern)
    .option(...ofHost)
    .addOption(new Option('--to <place>', 'where to put the documents (default: "first")').choices(lifts))
    .option(...dryRun)
    .action((job: number, priority: number | undefined, options: LiftOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).prioritise(command, job, priority, options)),
    )
  queue
    .command('budget')
    .argument('<job>', 'the number of a job', word.jobNumber)
    .argument('[domain...]', 'registered domains that all get the same budget')
    .description('bound what is fetched of a domain in this run; without bounds, its budget is taken away')
    .option('--objects <n>', 'documents, robots.txt too', word.whole)
    .option('--bytes <size>', 'bytes, as in 20000000 or 20MB', word.size)
    .option('--file <file>', 'lines of "domain objects bytes", - for what is not bounded')
    .option(...dryRun)
    .action((job: number, domains: string[], options: BudgetOptions) =>
      run(async (command) => (await import('../verbs/queue.ts')).setBudgets(command, job, domains, options)),
    )
}
