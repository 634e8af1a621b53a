/** Arguments and options of `loupe connector`, and the options of `loupe harvest` that concern connectors. */
import type { Command as Program } from 'commander'
import { outputNames, repositoryNames } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import { choiceOption } from '../input/choices.ts'

export function addConnectorVerbs(program: Program, run: Run): void {
  const connector = program.command('connector').description(textFor('help.connector'))
  connector
    .command('list')
    .description(textFor('help.connector.list'))
    .action(() => run(async (command) => (await import('../verbs/connectors.ts')).listConnectors(command)))
  for (const [verb, code] of [
    ['install', 'help.connector.install'],
    ['deinstall', 'help.connector.deinstall'],
  ] as const) {
    connector
      .command(verb)
      .argument('<name>', textFor('help.connector.name'))
      .description(textFor(code))
      .action((name: string) =>
        run(async (command) => (await import('../verbs/connectors.ts')).moveConnector(command, verb, name)),
      )
  }
}

/** Adds the connector options to `loupe harvest`. */
export function addConnectorOptions(harvest: Program): Program {
  return harvest
    .addOption(choiceOption('--connector <kind>', textFor('help.harvest.connector'), repositoryNames))
    .addOption(choiceOption('--output <kind>', textFor('help.harvest.output'), outputNames))
    .option('--connection <name>', textFor('help.harvest.connection'))
    .option('--output-connection <name>', textFor('help.harvest.outputConnection'))
    .option('--deliver-to <name>', textFor('help.harvest.deliverTo'), word.outputChoice)
    .option('--changed-since <day>', textFor('help.harvest.changedSince'))
    .option('--older-parts', textFor('help.harvest.olderParts'))
    .option('--hidden', textFor('help.harvest.hidden'))
    .option('--module <path>', textFor('help.harvest.module'))
    .option('--module-setting <name=value>', textFor('help.harvest.moduleSetting'), word.several)
}
