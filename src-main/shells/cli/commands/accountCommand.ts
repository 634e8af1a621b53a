/** Arguments and options of `loupe accounts` and `loupe sessions`. A password is never an argument: other accounts can read the arguments of a
 *  process. */
import { InvalidArgumentError, type Command as Program } from 'commander'
import { roles as allRoles, type Role } from '../../../contract/calls/caller.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'

export function addAccountVerbs(program: Program, run: Run): void {
  const verbs = () => import('../verbs/accounts.ts')
  const accounts = program.command('accounts').description(textFor('help.accounts'))
  accounts
    .command('list')
    .description(textFor('help.accounts.list'))
    .action(() => run(async (command) => (await verbs()).listAccounts(command)))
  accounts
    .command('add')
    .argument('<name>', textFor('help.accounts.name'))
    .description(textFor('help.accounts.add'))
    .requiredOption('--roles <list>', textFor('help.accounts.roles'), roleList)
    .action((name: string, { roles }: { roles: Role[] }) =>
      run(async (command) => (await verbs()).addAccount(command, { name, roles })),
    )
  accounts
    .command('remove')
    .argument('<name>', textFor('help.accounts.name'))
    .description(textFor('help.accounts.remove'))
    .action((name: string) => run(async (command) => (await verbs()).removeAccount(command, name)))
  accounts
    .command('password')
    .argument('<name>', textFor('help.accounts.name'))
    .description(textFor('help.accounts.password'))
    .action((name: string) => run(async (command) => (await verbs()).setPassword(command, name)))
  accounts
    .command('roles')
    .argument('<name>', textFor('help.accounts.name'))
    .argument('<list>', textFor('help.accounts.roles'), roleList)
    .description(textFor('help.accounts.setRoles'))
    .action((name: string, roles: Role[]) => run(async (command) => (await verbs()).setRoles(command, { name, roles })))
  const sessions = program.command('sessions').description(textFor('help.sessions'))
  sessions
    .command('list')
    .description(textFor('help.sessions.list'))
    .action(() => run(async (command) => (await verbs()).listSessions(command)))
  sessions
    .command('revoke')
    .argument('<number>', textFor('help.sessions.number'), word.positive)
    .description(textFor('help.sessions.revoke'))
    .action((session: number) => run(async (command) => (await verbs()).revokeSession(command, session)))
}

function roleList(text: string): Role[] {
  return word.listed(text).map((name) => {
    const role = allRoles.find((known) => known === name)
    if (!role) throw new InvalidArgumentError(textFor('cli.account.noRole', { role: name, roles: allRoles.join(', ') }))
    return role
  })
}
