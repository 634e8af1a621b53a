/** Arguments and options of `loupe preserve`. */
import { Option, type Command as Program } from 'commander'
import { reportFormats } from '../../../contract/shapes/choices.ts'
import type { Run } from '../session/command.ts'
import { addRepairVerbs } from './repairCommand.ts'
import type { CheckOptions } from '../verbs/preserve.ts'
import type { ReportOptions } from '../verbs/preserveReport.ts'
import * as word from '../input/optionValues.ts'

export function addPreserveVerbs(program: Program, run: Run): void {
  const preserve = program.command('preserve').description('look after the copies in the replicas')
  preserve
    .command('status')
    .description(
      'show what is known of every replica, how long ago each copy was compared, and who is right where they differ',
    )
    .option('--replica <r>', 'only this replica')
    .action(({ replica }: { replica?: string }) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).preserveStatus(command, replica)),
    )
  for (const [kind, description] of [
    ['missing', 'check that every file is there with its right length, and no other'],
    ['checksums', 'read every file and compare its checksum; again, it goes on where it was stopped'],
  ] as const) {
    preserve
      .command(kind)
      .description(description)
      .option('--replica <r>', 'only this replica')
      .option('--files <re>', 'only files whose name matches this', word.pattern)
      .option('--sample <n>', 'only this many files, chosen by chance', word.positive)
      .action((options: CheckOptions) =>
        run(async (command) => (await import('../verbs/preserve.ts')).check(command, kind, options)),
      )
  }
  preserve
    .command('spot')
    .description(
      'have every replica prove, with a salt that nobody could know before, that it holds the bytes of some files',
    )
    .option('--files <n>', 'of how many, chosen by chance (default: 10)', word.positive)
    .action(({ files }: { files?: number }) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).spotCheck(command, files)),
    )
  preserve
    .command('affected')
    .argument('<name>', 'the name of a file in the archive')
    .description('show what would be lost with one file: its captures, their domains, and what lies elsewhere too')
    .action((name: string) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).affected(command, name)),
    )
  preserve
    .command('history')
    .description('show the last checks, spot checks and repairs of every replica, with what was wrong there')
    .option('--replica <r>', 'only this replica')
    .action(({ replica }: { replica?: string }) =>
      run(async (command) => (await import('../verbs/preserveHistory.ts')).preserveHistory(command, replica)),
    )
  preserve
    .command('file')
    .argument('<name>', 'the name of a file in the archive')
    .description('show one file: how its copies stand, what was seen of them over time, its attic, its audit trail')
    .action((name: string) =>
      run(async (command) => (await import('../verbs/preserveHistory.ts')).preserveFile(command, name)),
    )
  preserve
    .command('report')
    .argument('[dest]', 'the new file, or the folder to write it to (default: standard output)')
    .description('report how the archive stands, with the NDSA levels reached and what the next ones need')
    .addOption(
      new Option('--format <format>', 'a page that prints, a table, or data (default: "html")').choices(reportFormats),
    )
    .action((destination: string | undefined, { format }: Partial<Pick<ReportOptions, 'format'>>) =>
      run(async (command) => (await import('../verbs/preserveReport.ts')).report(command, { format, destination })),
    )
  preserve
    .command('audit')
    .description('show the last deeds of the audit trail')
    .option('--verify', 'read the whole trail: is every entry as it was written, and the last one there?')
    .option('--limit <n>', 'how many (default: 50, at most 1000)', word.positive)
    .action((options: { verify?: true; limit?: number }) =>
      run(async (command) => {
        const verbs = await import('../verbs/preserveReport.ts')
        return options.verify ? verbs.verifyAudit(command) : verbs.auditTrail(command, options.limit)
      }),
    )
  addRepairVerbs(preserve, run)
}
