/** Arguments and options of `loupe preserve`. */
import type { Command as Program } from 'commander'
import { reportFormats } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import { addRepairVerbs } from './repairCommand.ts'
import type { CheckOptions } from '../verbs/preserve.ts'
import type { ReportOptions } from '../verbs/preserveReport.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

export function addPreserveVerbs(program: Program, run: Run): void {
  const preserve = program.command('preserve').description(textFor('help.preserve'))
  preserve
    .command('status')
    .description(textFor('help.preserve.status'))
    .option('--replica <r>', textFor('help.option.replica'))
    .action(({ replica }: { replica?: string }) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).preserveStatus(command, replica)),
    )
  for (const [kind, code] of [
    ['missing', 'help.preserve.missing'],
    ['checksums', 'help.preserve.checksums'],
  ] as const) {
    preserve
      .command(kind)
      .description(textFor(code))
      .option('--replica <r>', textFor('help.option.replica'))
      .option('--files <re>', textFor('help.option.files'), word.pattern)
      .option('--sample <n>', textFor('help.preserve.sample'), word.positive)
      .action((options: CheckOptions) =>
        run(async (command) => (await import('../verbs/preserve.ts')).check(command, kind, options)),
      )
  }
  preserve
    .command('spot')
    .description(textFor('help.preserve.spot'))
    .option('--files <n>', textFor('help.preserve.spot.files'), word.positive)
    .action(({ files }: { files?: number }) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).spotCheck(command, files)),
    )
  preserve
    .command('affected')
    .argument('<name>', textFor('help.argument.archivedFile'))
    .description(textFor('help.preserve.affected'))
    .action((name: string) =>
      run(async (command) => (await import('../verbs/preserveStatus.ts')).affected(command, name)),
    )
  preserve
    .command('history')
    .description(textFor('help.preserve.history'))
    .option('--replica <r>', textFor('help.option.replica'))
    .action(({ replica }: { replica?: string }) =>
      run(async (command) => (await import('../verbs/preserveHistory.ts')).preserveHistory(command, replica)),
    )
  preserve
    .command('file')
    .argument('<name>', textFor('help.argument.archivedFile'))
    .description(textFor('help.preserve.file'))
    .action((name: string) =>
      run(async (command) => (await import('../verbs/preserveHistory.ts')).preserveFile(command, name)),
    )
  preserve
    .command('report')
    .argument('[dest]', textFor('help.preserve.report.dest'))
    .description(textFor('help.preserve.report'))
    .addOption(choiceOption('--format <format>', textFor('help.preserve.report.format'), reportFormats))
    .action((destination: string | undefined, { format }: Partial<Pick<ReportOptions, 'format'>>) =>
      run(async (command) => (await import('../verbs/preserveReport.ts')).report(command, { format, destination })),
    )
  preserve
    .command('audit')
    .description(textFor('help.preserve.audit'))
    .option('--verify', textFor('help.preserve.audit.verify'))
    .option('--limit <n>', textFor('help.preserve.audit.limit'), word.positive)
    .action((options: { verify?: true; limit?: number }) =>
      run(async (command) => {
        const verbs = await import('../verbs/preserveReport.ts')
        return options.verify ? verbs.verifyAudit(command) : verbs.auditLog(command, options.limit)
      }),
    )
  addRepairVerbs(preserve, run)
}
