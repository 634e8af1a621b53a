/** Arguments and options of `loupe import`. */
import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Run } from '../session/command.ts'

export function addImportVerbs(program: Program, run: Run): void {
  program
    .command('import')
    .argument('<file...>', 'files and folders: WARC, ARC, WACZ and HAR, packed in any way, whatever they are called')
    .description(
      'take archive files into a new job, and tell what is wrong with them; again, it goes on where it stopped',
    )
    .action((files: string[]) =>
      run(async (command) =>
        (await import('../verbs/import.ts')).importFiles(
          command,
          files.map((file) => resolve(file)),
        ),
      ),
    )
}
