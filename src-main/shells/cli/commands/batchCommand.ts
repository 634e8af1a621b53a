/** Arguments and options of `loupe batch` and `loupe upload`, which work on whole files of the archive. */
import { Option, type Command as Program } from 'commander'
import type { Run } from '../session/command.ts'
import type { BatchOptions } from '../verbs/batch.ts'
import * as word from '../input/optionValues.ts'

export function addBatchVerbs(program: Program, run: Run): void {
  program
    .command('batch')
    .argument('[module]', 'a file FILE.mjs, or the name of a built-in batch job')
    .description(
      'run a batch job over every chosen file of the archive; without a module, list the built-in ones and the runs',
    )
    .option('--files <re>', 'only files whose name matches this', word.pattern)
    .option('--jobs <ids>', 'only files of these jobs, separated by commas', word.jobNumbers)
    .addOption(new Option('--kind <kind>', 'which files (default: "both")').choices(['content', 'metadata', 'both']))
    .option('--replica <r>', 'only the copies of this replica (default: of each file the first good one)')
    .option('--timeout <time>', 'end the run after this time, as in 2h (default: 7d)', word.seconds)
    .option('--file-timeout <time>', 'end the work on one file after this time, as in 90s (default: 1h)', word.seconds)
    .addHelpText(
      'after',
      `
A module exports processFile(file, context) and, where it wants to, start(context) and finish(context). The README says what
they are given. IT IS CODE THAT YOU CHOSE, AND IT RUNS WITH YOUR RIGHTS: it can read and change whatever you can, there is no
sandbox. Run only what you have read or trust. A file that lies in an archive is never run.

Built-in: checksums, file-list, cdx, record-counts.
What it writes is printed and kept in the archive's batch/ as NAME-TIME.out, what went wrong beside it as NAME-TIME.err.
Ends with 1 when files failed, with 4 when the run ended before its files did.`,
    )
    .action((module: string | undefined, options: BatchOptions) =>
      run(async (command) => {
        const { listBatch, runBatch } = await import('../verbs/batch.ts')
        return module === undefined ? listBatch(command) : runBatch(command, module, options)
      }),
    )

  program
    .command('upload')
    .argument('<file...>', 'files, or folders in which all archive files are taken')
    .description('store files that came from elsewhere in every replica; again, it goes on where it was stopped')
    .action((files: string[]) =>
      run(async (command) => (await import('../verbs/upload.ts')).uploadFiles(command, files)),
    )

  program
    .command('recover')
    .description(
      'bring back what the database lost: files in the replicas that it does not know, the jobs they belong to, and what lies in the quarantine',
    )
    .addHelpText('after', '\nEnds with 1 when something could not be recovered; that stays as it was.')
    .action(() => run(async (command) => (await import('../verbs/recover.ts')).recover(command)))
}
