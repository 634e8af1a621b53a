/** Arguments and options of `loupe export`. */
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command as Program } from 'commander'
import { exportFormats, waczVersions } from '../../../contract/shapes/choices.ts'
import type { Run } from '../session/command.ts'
import { momentsOf } from '../output/moments.ts'
import { choiceOption } from '../input/choices.ts'
import {
  addSelectionOptions,
  selectionNeeded,
  type SelectionAsked,
  type SelectionWords,
} from '../input/selectionOptions.ts'
import type { ExportOptions } from '../verbs/export.ts'
import { textFor } from '../../../contract/words/render.ts'

interface Words extends SelectionWords, Omit<ExportOptions, 'path' | 'withOriginals' | 'sign' | keyof SelectionAsked> {
  originals: boolean
  sign?: true
}

export function addExportVerbs(program: Program, run: Run): void {
  addSelectionOptions(program.command('export'), 'export')
    .argument('<dest>', textFor('help.export.dest'))
    .description(textFor('help.export'))
    .addOption(choiceOption('--format <format>', textFor('help.export.format'), exportFormats).makeOptionMandatory())
    .option('--url <prefix>', textFor('help.export.url'))
    .option('--from <time>', textFor('help.export.from'), from)
    .option('--to <time>', textFor('help.export.to'), to)
    .option('--no-originals', textFor('help.export.noOriginals'))
    .addOption(choiceOption('--wacz-version <version>', textFor('help.export.waczVersion'), waczVersions))
    .option('--sign', textFor('help.export.sign'))
    .action((destination: string, { originals, sign, jobs, file, all, ...options }: Words) =>
      run(async (command) => {
        const { exportJobs } = await import('../verbs/export.ts')
        return exportJobs(command, {
          ...options,
          ...selectionNeeded({ ...(jobs && { jobs }), ...(file && { file }), ...(all && { all }) }),
          path: resolve(destination),
          withOriginals: originals,
          sign: sign === true,
        })
      }),
    )
}

function from(text: string): string {
  return moments(text).first
}

function to(text: string): string {
  return moments(text).last
}

function moments(text: string): { first: string; last: string } {
  const found = momentsOf(text)
  if (!found) throw new InvalidArgumentError(textFor('cli.word.moments'))
  return found
}
