/** Arguments and options of `loupe outputs`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { OutputOptions } from '../verbs/outputs.ts'

const verbs = () => import('../verbs/outputs.ts')
const connectors = () => import('../verbs/outputConnectors.ts')

/** Adds `loupe outputs`. */
export function addOutputsVerbs(program: Program, run: Run): void {
  const group = program.command('outputs').description(textFor('help.outputs'))
  addConnections(group, run)
  addActions(group, run)
  addConnectors(group, run)
}

function one(group: Program, verb: string, description: string, argument = '<name>'): Program {
  return group.command(verb).argument(argument, textFor('help.outputs.name')).description(description)
}

function addConnections(group: Program, run: Run): void {
  group
    .command('list')
    .description(textFor('help.outputs.list'))
    .action(() => run(async (command) => (await verbs()).listOutputs(command)))
  one(group, 'show', textFor('help.outputs.show')).action((name: string) =>
    run(async (command) => (await verbs()).showOutput(command, name)),
  )
  withOptions(one(group, 'add', textFor('help.outputs.add')))
    .requiredOption('--connector <kind>', textFor('help.outputs.connector'))
    .action((name: string, options: OutputOptions & { connector: string }) =>
      run(async (command) => (await verbs()).addOutput(command, name, options)),
    )
  withOptions(one(group, 'edit', textFor('help.outputs.edit'))).action((name: string, options: OutputOptions) =>
    run(async (command) => (await verbs()).editOutput(command, name, options)),
  )
  one(group, 'remove', textFor('help.outputs.remove')).action((name: string) =>
    run(async (command) => (await verbs()).removeOutput(command, name)),
  )
}

function withOptions(command: Program): Program {
  return command
    .option('--description <text>', textFor('help.outputs.description'))
    .option('--url <url>', textFor('help.outputs.address'))
    .option('--index <name>', textFor('help.outputs.index'))
    .option('--folder <path>', textFor('help.outputs.folder'))
    .option('--field <name>', textFor('help.outputs.field'), word.several)
    .option('--id-field <name>', textFor('help.outputs.idField'))
    .option('--headers <file>', textFor('help.outputs.headers'))
    .option('--setting <name=value>', textFor('help.outputs.setting'), word.several)
    .option('--steps <names>', textFor('help.outputs.steps'))
    .option('--requests <n>', textFor('help.outputs.requests'), word.positive)
}

function addActions(group: Program, run: Run): void {
  one(group, 'check', textFor('help.outputs.check'), '[name]').action((name: string | undefined) =>
    run(async (command) => (await verbs()).checkOutputs(command, name)),
  )
  one(group, 'reingest', textFor('help.outputs.reingest')).action((name: string) =>
    run(async (command) => (await verbs()).reingestOutput(command, name)),
  )
  one(group, 'retry', textFor('help.outputs.retry')).action((name: string) =>
    run(async (command) => (await verbs()).retryOutput(command, name)),
  )
  one(group, 'document', textFor('help.outputs.document'))
    .argument('<url>', textFor('help.outputs.url'))
    .action((name: string, url: string) => run(async (command) => (await verbs()).showDocument(command, name, url)))
}

function addConnectors(group: Program, run: Run): void {
  const named = (verb: string) => group.command(verb).argument('<name>', textFor('help.outputs.connectorName'))
  group
    .command('connectors')
    .description(textFor('help.outputs.connectors'))
    .action(() => run(async (command) => (await connectors()).listOutputConnectors(command)))
  named('register')
    .argument('<module>', textFor('help.outputs.module'))
    .description(textFor('help.outputs.register'))
    .action((name: string, module: string) =>
      run(async (command) => (await connectors()).registerConnector(command, name, module)),
    )
  named('deregister')
    .description(textFor('help.outputs.deregister'))
    .action((name: string) => run(async (command) => (await connectors()).deregisterConnector(command, name)))
}
