/** Arguments and options of `loupe harvest`, `loupe jobs` and `loupe job`. */
import { Option, type Command as Program } from 'commander'
import { linkGraphFormats } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { JobLinksOptions } from '../verbs/jobLinks.ts'
import { addHarvestOptions } from './harvestCommand.ts'

export function addHarvestVerb(program: Program, run: Run): void {
  addHarvestOptions(program.command('harvest'))
    .argument('<url...>', textFor('help.harvest.seeds'))
    .description(textFor('help.harvest'))
    .action((seeds: string[], options: Record<string, unknown>) =>
      run(async (command) => (await import('../verbs/harvest.ts')).harvest(command, { seeds, ...options })),
    )
}

export function addJobVerbs(program: Program, run: Run): void {
  program
    .command('jobs')
    .argument('[id]', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.jobs'))
    .option('--state <state>', textFor('help.jobs.state'))
    .addOption(new Option('--deleted', textFor('help.jobs.deleted')).conflicts('state'))
    .action((job: number | undefined, { state, deleted }: { state?: string; deleted?: true }) =>
      run(async (command) => {
        const { listDeletedJobs, listJobs, showJob } = await import('../verbs/jobs.ts')
        if (deleted) return listDeletedJobs(command)
        return job === undefined ? listJobs(command, state) : showJob(command, job)
      }),
    )

  const job = program.command('job').description(textFor('help.job'))
  addRunVerbs(job, run)
  addHarvestOptions(job.command('edit'))
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .argument('[url...]', textFor('help.job.edit.seeds'))
    .description(textFor('help.job.edit'))
    .option('--definition <file>', textFor('help.job.edit.definition'))
    .option('--clear <option>', textFor('help.job.edit.clear'), word.several)
    .action((id: number, seeds: string[], options: Record<string, unknown>) =>
      run(async (command) => (await import('../verbs/editJob.ts')).editJob(command, id, { seeds, ...options })),
    )
  job
    .command('links')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.job.links'))
    .addOption(choiceOption('--format <format>', textFor('help.job.links.format'), ['csv', ...linkGraphFormats]))
    .option('--limit <n>', textFor('help.job.links.limit'), word.positive)
    .action((id: number, options: JobLinksOptions) =>
      run(async (command) => (await import('../verbs/jobLinks.ts')).jobLinks(command, id, options)),
    )
  job
    .command('delete')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.job.delete'))
    .option('--yes', textFor('help.option.yes'))
    .action((id: number, { yes }: { yes?: true }) =>
      run(async (command) => (await import('../verbs/jobs.ts')).deleteJob(command, id, yes === true)),
    )
}

/** Adds the verbs that start and stop runs of a job. */
function addRunVerbs(job: Program, run: Run): void {
  job
    .command('start')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.job.start'))
    .option('--minimal', textFor('help.job.start.minimal'))
    .action((id: number, { minimal }: { minimal?: boolean }) =>
      run(async (command) => (await import('../verbs/jobs.ts')).startJob(command, id, minimal === true)),
    )
  job
    .command('restart')
    .argument('<id>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.job.restart'))
    .option('--minimal', textFor('help.job.restart.minimal'))
    .action((id: number, { minimal }: { minimal?: boolean }) =>
      run(async (command) => (await import('../verbs/jobs.ts')).restartJob(command, id, minimal === true)),
    )
  for (const [action, code] of [
    ['pause', 'help.job.pause'],
    ['resume', 'help.job.resume'],
    ['abort', 'help.job.abort'],
  ] as const) {
    job
      .command(action)
      .argument('<id>', textFor('help.argument.job'), word.jobNumber)
      .description(textFor(code))
      .action((id: number) => run(async (command) => (await import('../verbs/jobs.ts')).actOnJob(command, action, id)))
  }
}
