/** Arguments and options of the verbs that read archive files at any path. They open no archive. */
import { InvalidArgumentError, Option, type Command as Program } from 'commander'
import { nearest } from '../../../app/settings/nearest.ts'
import type { Command, ExitCode } from '../session/command.ts'
import type { CheckWanted } from '../verbs/checkFiles.ts'
import type { IndexWanted } from '../verbs/indexFiles.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

type Run = (verb: (command: Command) => Promise<ExitCode>) => Promise<void>

const fileArgument = ['<file...>', 'files, or folders in which all archive files are taken'] as const

export function addFileVerbs(program: Program, run: Run): void {
  program
    .command('check')
    .argument(...fileArgument)
    .description('say what is wrong with archive files (WARC, ARC, WACZ), what it means and what to do')
    .addOption(choice('--severity <severity>', 'the least that is shown', ['note', 'warning', 'error']))
    .option('--rule <names>', 'show only what these rules find, separated by commas, as in recordTorn,fileEmpty', words)
    .option('--all', 'show every place, not only the first ones of each rule', false)
    .addHelpText(
      'after',
      '\nEnds with 1 when there are errors or warnings, shown or not, and with 0 when there are only notes.',
    )
    .action((files: string[], options: CheckWanted) =>
      run(async (command) => (await import('../verbs/checkFiles.ts')).checkFiles(command, files, options)),
    )

  program
    .command('index')
    .argument(...fileArgument)
    .description('print the index lines of archive files, in the order of the files')
    .addOption(choice('--format <format>', 'of the lines', ['cdxj', 'cdx11', 'cdx9']))
    .option('--post-append', 'fold the bodies of POST and PUT requests into the keys of their answers', false)
    .option('--sort', 'sort all lines by their bytes, as LC_ALL=C sort does', false)
    .option('--digest-records', 'with the SHA-256 of each record as it lies in the file', false)
    .option('--records <types>', 'which records, separated by commas (default: response,revisit,resource)', words)
    .option('--fields <names>', 'more fields of each record, separated by commas, as in http:date,referrer', words)
    .action((files: string[], options: IndexWords) =>
      run(async (command) => (await import('../verbs/indexFiles.ts')).indexFiles(command, files, indexWanted(options))),
    )

  program
    .command('records')
    .argument(...fileArgument)
    .description('print a line for each record of archive files: where it lies, what it is, of which address')
    .option('--type <type>', 'only records of this type, as in response', (type: string) => type.toLowerCase())
    .option('--url <prefix>', 'only records whose address begins so')
    .action((files: string[], options: { type?: string; url?: string }) =>
      run(async (command) => (await import('../verbs/listRecords.ts')).listRecords(command, files, options)),
    )
}

interface IndexWords {
  format: IndexWanted['form']
  postAppend: boolean
  sort: boolean
  digestRecords: boolean
  records?: string[]
  fields?: string[]
}

function indexWanted({ format, postAppend, sort, digestRecords, records, fields }: IndexWords) {
  return {
    form: format,
    post: postAppend,
    sort,
    recordDigests: digestRecords,
    ...(records && { types: records }),
    ...(fields && { fields }),
  }
}

/** Makes an option that takes one of the known words. The first is the default. */
function choice(flags: string, description: string, known: readonly [string, ...string[]]): Option {
  return new Option(flags, `${description} (${known.join(', ')})`).default(known[0]).argParser((word: string) => {
    if (known.includes(word)) return word
    const near = nearest(word, known)
    throw new InvalidArgumentError(
      textOf(
        near === undefined
          ? message('cli.word.choice', { known: known.join(', ') })
          : message('cli.word.near', { near }),
      ),
    )
  })
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}
