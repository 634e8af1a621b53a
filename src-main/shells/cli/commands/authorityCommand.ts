/** Arguments and options of `loupe authorities`. */
import type { Command as Program } from 'commander'
import { authorityKinds } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { AuthorityOptions, ConnectorOptions, DescribedKind, KindOption } from '../verbs/authorities.ts'

const verbs = () => import('../verbs/authorities.ts')

/** Adds `loupe authorities`. */
export function addAuthoritiesVerbs(program: Program, run: Run): void {
  const group = program.command('authorities').description(textFor('help.authorities'))
  const one = (verb: string, description: string, argument = '<name>') =>
    withKind(group.command(verb).argument(argument, textFor('help.connections.name')).description(description))
  group
    .command('list')
    .description(textFor('help.authorities.list'))
    .action(() => run(async (command) => (await verbs()).listAuthorities(command)))
  withOptions(one('add', textFor('help.authorities.add'))).action((name: string, options: AuthorityOptions) =>
    run(async (command) => (await verbs()).addAuthority(command, name, options)),
  )
  withOptions(one('edit', textFor('help.authorities.edit')))
    .option('--no-mapping', textFor('help.authorities.noMapping'))
    .action((name: string, options: AuthorityOptions) =>
      run(async (command) => (await verbs()).editAuthority(command, name, options)),
    )
  one('remove', textFor('help.authorities.remove')).action((name: string, { kind }: KindOption) =>
    run(async (command) => (await verbs()).removeAuthority(command, { name, kind })),
  )
  group
    .command('check')
    .argument('[name]', textFor('help.connections.name'))
    .description(textFor('help.connections.check'))
    .addOption(choiceOption('--kind <kind>', textFor('help.authorities.kind'), authorityKinds))
    .action((name: string | undefined, { kind }: Partial<KindOption>) =>
      run(async (command) => (await verbs()).checkAuthorities(command, { name, kind })),
    )
  group
    .command('show')
    .argument('<user>', textFor('help.authorities.user'))
    .description(textFor('help.authorities.show'))
    .option('--domain <name>', textFor('help.authorities.show.domain'), '')
    .option('--and <user@domain>', textFor('help.authorities.show.and'), word.several)
    .action((user: string, options: { domain: string; and?: string[] }) =>
      run(async (command) => (await verbs()).showUser(command, user, options)),
    )
  addDescribedVerbs(group, run, 'groups')
  addDescribedVerbs(group, run, 'domains')
  addConnectorVerbs(group, run)
}

function withKind(command: Program): Program {
  return command.addOption(
    choiceOption('--kind <kind>', textFor('help.authorities.kind'), authorityKinds).default('authority'),
  )
}

function withOptions(command: Program): Program {
  return command
    .option('--connector <name>', textFor('help.authorities.connector'))
    .option('--setting <name=value>', textFor('help.authorities.setting'), word.several)
    .option('--group <name>', textFor('help.authorities.group'))
    .option('--domain <name>', textFor('help.authorities.domain'))
    .option('--mapping <name>', textFor('help.authorities.mapping'))
    .option('--description <text>', textFor('help.connections.description'))
    .option('--max-connections <n>', textFor('help.authorities.maxConnections'), word.positive)
    .option('--time-limit <duration>', textFor('help.authorities.timeLimit'), word.seconds)
    .option('--cache-seconds <n>', textFor('help.authorities.cacheSeconds'), word.whole)
    .option('--cached-users <n>', textFor('help.authorities.cachedUsers'), word.positive)
}

/** Adds `groups` or `domains`. */
function addDescribedVerbs(parent: Program, run: Run, kind: DescribedKind): void {
  const help = kind === 'groups' ? textFor('help.authorities.groups') : textFor('help.authorities.domains')
  const group = parent.command(kind).description(help)
  group
    .command('list')
    .description(textFor('help.authorities.described.list'))
    .action(() => run(async (command) => (await verbs()).listDescribed(command, kind)))
  const described = (verb: 'add' | 'edit', text: string) =>
    group
      .command(verb)
      .argument('<name>', textFor('help.authorities.described.name'))
      .description(text)
      .option('--description <text>', textFor('help.authorities.described.description'), '')
      .action((name: string, { description }: { description: string }) =>
        run(async (command) => (await verbs()).describe(command, { kind, verb, name, description })),
      )
  described('add', textFor('help.authorities.described.add'))
  described('edit', textFor('help.authorities.described.edit'))
  group
    .command('remove')
    .argument('<name>', textFor('help.authorities.described.name'))
    .description(textFor('help.authorities.described.remove'))
    .action((name: string) => run(async (command) => (await verbs()).removeDescribed(command, kind, name)))
}

/** Adds `connectors`. */
function addConnectorVerbs(parent: Program, run: Run): void {
  const group = parent.command('connectors').description(textFor('help.authorities.connectors'))
  group
    .command('list')
    .description(textFor('help.connector.list'))
    .action(() => run(async (command) => (await verbs()).listAuthorityConnectors(command)))
  withKind(group.command('install').argument('<name>', textFor('help.authorities.connectors.name')))
    .description(textFor('help.authorities.connectors.install'))
    .option('--module <path>', textFor('help.authorities.connectors.module'))
    .option('--description <text>', textFor('help.authorities.connectors.description'))
    .action((name: string, options: ConnectorOptions) =>
      run(async (command) => (await verbs()).installConnector(command, name, options)),
    )
  withKind(group.command('deinstall').argument('<name>', textFor('help.authorities.connectors.name')))
    .description(textFor('help.authorities.connectors.deinstall'))
    .action((name: string, { kind }: KindOption) =>
      run(async (command) => (await verbs()).deinstallConnector(command, { name, kind })),
    )
}
