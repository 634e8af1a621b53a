/** Arguments and options of `loupe connections`. */
import type { Command as Program } from 'commander'
import { connectionKinds, outputNames, repositoryNames } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { ConnectionFilter, ConnectionOptions } from '../verbs/connections.ts'

const verbs = () => import('../verbs/connections.ts')

/** Adds `loupe connections`. */
export function addConnectionsVerbs(program: Program, run: Run): void {
  const group = program.command('connections').description(textFor('help.connections'))
  const one = (verb: string, description: string, argument = '<name>') =>
    group.command(verb).argument(argument, textFor('help.connections.name')).description(description)
  group
    .command('list')
    .description(textFor('help.connections.list'))
    .addOption(choiceOption('--kind <kind>', textFor('help.connections.list.kind'), connectionKinds))
    .action((filter: ConnectionFilter) => run(async (command) => (await verbs()).listConnections(command, filter)))
  one('show', textFor('help.connections.show')).action((name: string) =>
    run(async (command) => (await verbs()).showConnection(command, name)),
  )
  withConnectionOptions(one('add', textFor('help.connections.add')))
    .addOption(
      choiceOption('--connector <kind>', textFor('help.connections.connector'), [...repositoryNames, ...outputNames]),
    )
    .action((name: string, options: ConnectionOptions) =>
      run(async (command) => (await verbs()).addConnection(command, name, options)),
    )
  withConnectionOptions(one('edit', textFor('help.connections.edit')))
    .option('--clear <option>', textFor('help.connections.clear'), word.several)
    .action((name: string, options: ConnectionOptions) =>
      run(async (command) => (await verbs()).editConnection(command, name, options)),
    )
  one('remove', textFor('help.connections.remove')).action((name: string) =>
    run(async (command) => (await verbs()).removeConnection(command, name)),
  )
  one('check', textFor('help.connections.check'), '[name]').action((name: string | undefined) =>
    run(async (command) => (await verbs()).checkConnections(command, name)),
  )
}

function withConnectionOptions(command: Program): Program {
  return command
    .option('--description <text>', textFor('help.connections.description'))
    .option('--max-connections <n>', textFor('help.connections.maxConnections'), word.positive)
    .option('--throttle <re=limits>', textFor('help.connections.throttle'), word.throttleRule)
    .option('--changed-since <day>', textFor('help.harvest.changedSince'))
    .option('--older-parts', textFor('help.harvest.olderParts'))
    .option('--hidden', textFor('help.harvest.hidden'))
    .option('--module <path>', textFor('help.harvest.module'))
    .option('--module-setting <name=value>', textFor('help.harvest.moduleSetting'), word.several)
}
