/** Options of the verbs that rewrite archive files, next to the originals or in another folder. They open no archive. */
import type { Command as Program } from 'commander'
import type { RewriteAction } from '../../../files/rewrite/rewriteFile.ts'
import type { Run } from '../session/command.ts'

const descriptions: Record<RewriteAction, string> = {
  recompress: 'pack WARC and ARC files anew, one gzip member a record, so that each record can be opened by itself',
  convert: 'make WARC files of ARC and HAR files',
  salvage: 'make a good WARC file of what can be read of a damaged one; it says itself what was left out',
}

/** Words used in the names of the new files. */
const madeWords: Record<RewriteAction, string> = {
  recompress: 'recompressed',
  convert: 'converted',
  salvage: 'salvaged',
}

/** Help on destinations, which follow the rules of `cp`; the most common use is one FILE and no DEST. */
const places = (made: string) => `
Without DEST the new file lies beside the old one, as x.${made}.warc.gz. DEST is a file that does not exist yet, or a
folder. With more than two words DEST is the last one if it is a folder. Of a folder, all files in it are taken that the
verb is for. The old files are only read, and nothing is overwritten.

Ends with 1 when something was left out or is no longer as it was.`

export function addRewriteVerbs(program: Program, run: Run): void {
  for (const action of ['recompress', 'convert', 'salvage'] as const)
    program
      .command(action)
      .argument('<file...>', 'files or folders, and behind them DEST')
      .description(descriptions[action])
      .usage('[options] <file...> [dest]')
      .addHelpText('after', places(madeWords[action]))
      .action((words: string[]) =>
        run(async (command) => (await import('../verbs/rewrite.ts')).rewriteFiles(command, action, words)),
      )
}
