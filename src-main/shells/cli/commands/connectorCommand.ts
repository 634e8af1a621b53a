/** Arguments and options of `loupe connector`, and the options of `loupe harvest` that concern connectors. */
import { Option, type Command as Program } from 'commander'
import { outputNames, repositoryNames } from '../../../contract/shapes/choices.ts'
import type { Run } from '../session/command.ts'

export function addConnectorVerbs(program: Program, run: Run): void {
  const connector = program
    .command('connector')
    .description('where harvests take documents from and where they put them; see which are installed')
  connector
    .command('list')
    .description('show the connectors, their state and version, and how many jobs use them')
    .action(() => run(async (command) => (await import('../verbs/connectors.ts')).listConnectors(command)))
  for (const [verb, description] of [
    ['install', 'put a connector into use again; jobs that waited for it go on'],
    ['deinstall', 'take a connector out of use; its jobs wait until it is installed again, and lose nothing'],
  ] as const) {
    connector
      .command(verb)
      .argument('<name>', 'as "loupe connector list" shows it')
      .description(description)
      .action((name: string) =>
        run(async (command) => (await import('../verbs/connectors.ts')).moveConnector(command, verb, name)),
      )
  }
}

/** Adds the connector options to `loupe harvest`. */
export function addConnectorOptions(harvest: Program): Program {
  return harvest
    .addOption(new Option('--connector <kind>', 'what the addresses are (default: "web")').choices(repositoryNames))
    .addOption(
      new Option('--output <kind>', 'where documents go; "null" is a dry run (default: "archive")').choices(
        outputNames,
      ),
    )
    .option('--changed-since <day>', 'with --connector sitemap: leave out pages that changed before this day')
    .option('--older-parts', 'with --connector feed: also the older parts that the feed names')
    .option('--hidden', 'with --connector folder: also names that begin with a dot')
}
