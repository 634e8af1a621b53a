/** Arguments and options of `loupe import`. */
import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'

export function addImportVerbs(program: Program, run: Run): void {
  program
    .command('import')
    .argument('<file...>', textFor('help.import.files'))
    .description(textFor('help.import'))
    .action((files: string[]) =>
      run(async (command) =>
        (await import('../verbs/import.ts')).importFiles(
          command,
          files.map((file) => resolve(file)),
        ),
      ),
    )
}
