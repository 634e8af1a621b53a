/** Options of the verbs that rewrite archive files, next to the originals or in another folder. They open no archive. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { RewriteAction } from '../../../files/rewrite/rewriteFile.ts'
import type { Run } from '../session/command.ts'

/** Suffixes in the names of the new files. */
const suffixes: Record<RewriteAction, string> = {
  recompress: 'recompressed',
  convert: 'converted',
  salvage: 'salvaged',
}

export function addRewriteVerbs(program: Program, run: Run): void {
  for (const action of ['recompress', 'convert', 'salvage'] as const)
    program
      .command(action)
      .argument('<file...>', textFor('help.rewrite.files'))
      .description(textFor(`help.rewrite.${action}`))
      .usage('[options] <file...> [dest]')
      .addHelpText('after', textFor('help.rewrite.after', { suffix: suffixes[action] }))
      .action((words: string[]) =>
        run(async (command) => (await import('../verbs/rewrite.ts')).rewriteFiles(command, action, words)),
      )
}
