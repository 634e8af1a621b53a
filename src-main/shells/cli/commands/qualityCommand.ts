/** Arguments of `loupe quality`: the quality of jobs. */
import type { Command as Program } from 'commander'
import { reportFormats } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { QualityReportOptions } from '../verbs/qualityReport.ts'

export function addQualityVerbs(program: Program, run: Run): void {
  program
    .command('quality')
    .description(textFor('help.quality'))
    .command('report')
    .argument('[dest]', textFor('help.quality.report.destination'))
    .description(textFor('help.quality.report'))
    .requiredOption('--job <job>', textFor('help.quality.report.job'), word.jobNumber)
    .addOption(choiceOption('--format <format>', textFor('help.quality.report.format'), reportFormats))
    .action((destination: string | undefined, options: Omit<QualityReportOptions, 'destination'>) =>
      run(async (command) =>
        (await import('../verbs/qualityReport.ts')).qualityReport(command, { ...options, destination }),
      ),
    )
}
