/** Arguments and options of `loupe export`. */
import { resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command as Program } from 'commander'
import { exportFormats, waczVersions } from '../../../contract/shapes/choices.ts'
import type { Run } from '../session/command.ts'
import { momentsOf } from '../output/moments.ts'
import {
  addSelectionOptions,
  selectionNeeded,
  type SelectionAsked,
  type SelectionWords,
} from '../input/selectionOptions.ts'
import type { ExportOptions } from '../verbs/export.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

interface Words extends SelectionWords, Omit<ExportOptions, 'path' | 'withOriginals' | 'sign' | keyof SelectionAsked> {
  originals: boolean
  sign?: true
}

export function addExportVerbs(program: Program, run: Run): void {
  addSelectionOptions(program.command('export'), 'to write')
    .argument('<dest>', 'the new file, which must not exist')
    .description('write archived records to one file, then read it again and compare')
    .addOption(new Option('--format <format>', 'what to write').choices(exportFormats).makeOptionMandatory())
    .option('--url <prefix>', 'only what is under this address, as in example.org/museum or *.example.org')
    .option('--from <time>', 'only from this year, day or moment on, as in 2026, 2026-11-20 or 20261120120000', from)
    .option('--to <time>', 'only up to the end of this year, day or moment', to)
    .option('--no-originals', 'leave out what revisits refer to where it is outside the narrowing')
    .addOption(new Option('--wacz-version <version>', 'of a WACZ (default: "1.1.1")').choices(waczVersions))
    .option('--sign', "sign a WACZ with this archive's own key")
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
  if (!found) throw new InvalidArgumentError(textOf(message('cli.word.moments')))
  return found
}
