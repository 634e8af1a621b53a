/** Arguments and options of `loupe batch`, `loupe upload` and `loupe recover`, which work on whole files of the archive. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import type { BatchOptions } from '../verbs/batch.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

export function addBatchVerbs(program: Program, run: Run): void {
  program
    .command('batch')
    .argument('[module]', textFor('help.batch.module'))
    .description(textFor('help.batch'))
    .option('--files <re>', textFor('help.option.files'), word.pattern)
    .option('--jobs <ids>', textFor('help.option.jobs'), word.jobNumbers)
    .addOption(choiceOption('--kind <kind>', textFor('help.batch.kind'), ['content', 'metadata', 'both']))
    .option('--replica <r>', textFor('help.batch.replica'))
    .option('--timeout <time>', textFor('help.batch.timeout'), word.seconds)
    .option('--file-timeout <time>', textFor('help.batch.fileTimeout'), word.seconds)
    .addHelpText('after', textFor('help.batch.after'))
    .action((module: string | undefined, options: BatchOptions) =>
      run(async (command) => {
        const { listBatch, runBatch } = await import('../verbs/batch.ts')
        return module === undefined ? listBatch(command) : runBatch(command, module, options)
      }),
    )

  program
    .command('upload')
    .argument('<file...>', textFor('help.argument.files'))
    .description(textFor('help.upload'))
    .action((files: string[]) =>
      run(async (command) => (await import('../verbs/upload.ts')).uploadFiles(command, files)),
    )

  program
    .command('recover')
    .description(textFor('help.recover'))
    .addHelpText('after', textFor('help.recover.after'))
    .action(() => run(async (command) => (await import('../verbs/recover.ts')).recover(command)))
}
