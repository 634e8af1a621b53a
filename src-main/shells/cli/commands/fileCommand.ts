/** Arguments and options of the verbs that read archive files at any path. They open no archive. */
import type { Option, Command as Program } from 'commander'
import { choiceOption } from '../input/choices.ts'
import type { Run } from '../session/command.ts'
import type { CheckWanted } from '../verbs/checkFiles.ts'
import type { IndexWanted } from '../verbs/indexFiles.ts'
import { textFor } from '../../../contract/words/render.ts'

export function addFileVerbs(program: Program, run: Run): void {
  program
    .command('check')
    .argument('<file...>', textFor('help.argument.files'))
    .description(textFor('help.check'))
    .addOption(choiceWithDefault('--severity <severity>', textFor('help.check.severity'), ['note', 'warning', 'error']))
    .option('--rule <names>', textFor('help.check.rule'), words)
    .option('--all', textFor('help.check.all'), false)
    .addHelpText('after', textFor('help.check.after'))
    .action((files: string[], options: CheckWanted) =>
      run(async (command) => (await import('../verbs/checkFiles.ts')).checkFiles(command, files, options)),
    )

  program
    .command('index')
    .argument('<file...>', textFor('help.argument.files'))
    .description(textFor('help.index'))
    .addOption(choiceWithDefault('--format <format>', textFor('help.index.format'), ['cdxj', 'cdx11', 'cdx9']))
    .option('--post-append', textFor('help.index.postAppend'), false)
    .option('--sort', textFor('help.index.sort'), false)
    .option('--digest-records', textFor('help.index.digestRecords'), false)
    .option('--records <types>', textFor('help.index.records'), words)
    .option('--fields <names>', textFor('help.index.fields'), words)
    .action((files: string[], options: IndexWords) =>
      run(async (command) => (await import('../verbs/indexFiles.ts')).indexFiles(command, files, indexWanted(options))),
    )

  program
    .command('records')
    .argument('<file...>', textFor('help.argument.files'))
    .description(textFor('help.records'))
    .option('--type <type>', textFor('help.records.type'), (type: string) => type.toLowerCase())
    .option('--url <prefix>', textFor('help.records.url'))
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
function choiceWithDefault(flags: string, description: string, known: readonly [string, ...string[]]): Option {
  return choiceOption(flags, description, known).default(known[0])
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}
