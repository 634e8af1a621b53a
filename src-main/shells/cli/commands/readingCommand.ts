/** Arguments and options of the verbs that read archived content: `loupe view`, `get-file`, `get-record` and `get-metadata`. */
import { Argument, type Command as Program } from 'commander'
import { Fault } from '../../../contract/calls/faults.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import { addSelectionOptions, selectionIn, selectionNeeded, type SelectionWords } from '../input/selectionOptions.ts'
import type { Run } from '../session/command.ts'

export function addReadingVerbs(program: Program, run: Run): void {
  addSelectionOptions(program.command('view'), 'show')
    .description(textFor('help.view'))
    .option('--port <n>', textFor('help.view.port'), word.port)
    .option('--at <time>', textFor('help.view.at'), word.moment)
    .option('--exact', textFor('help.view.exact'))
    .action(({ port, at, exact, ...words }: SelectionWords & { port?: number; at?: string; exact?: boolean }) =>
      run(async (command) =>
        (await import('../verbs/serve.ts')).view(command, { ...{ port, at, exact }, ...selectionNeeded(words) }),
      ),
    )

  program
    .command('get-file')
    .argument('<name>', textFor('help.argument.archivedFile'))
    .argument('[dest]', textFor('help.getFile.dest'), '.')
    .description(textFor('help.getFile'))
    .option('--replica <r>', textFor('help.getFile.replica'))
    .action((name: string, destination: string, { replica }: { replica?: string }) =>
      run(async (command) => (await import('../verbs/bytes.ts')).getFile(command, { name, destination, replica })),
    )

  addSelectionOptions(program.command('get-record'), 'search')
    .addArgument(new Argument('<file-or-url>', textFor('help.getRecord.subject')))
    .argument('[offset]', textFor('help.getRecord.offset'), word.whole)
    .description(textFor('help.getRecord'))
    .option('--at <time>', textFor('help.getRecord.at'), word.moment)
    .action((subject: string, offset: number | undefined, { at, ...words }: SelectionWords & { at?: string }) =>
      run(async (command) => {
        const { getRecordAt, getRecordOf } = await import('../verbs/bytes.ts')
        const selection = selectionIn(words)
        if (selection && offset === undefined) return getRecordOf(command, { selection, url: subject, at })
        if (!selection && offset !== undefined) return getRecordAt(command, { file: subject, offset })
        throw new Fault('badInput', message('cli.option.recordOrFile'))
      }),
    )

  program
    .command('get-metadata')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.getMetadata'))
    .action((id: number) => run(async (command) => (await import('../verbs/bytes.ts')).getMetadata(command, id)))
}
