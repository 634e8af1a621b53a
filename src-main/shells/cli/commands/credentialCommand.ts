/** Arguments and options of `loupe credential`. A password is never an argument: other accounts can read the arguments of a process. */
import type { Command as Program } from 'commander'
import type { Run } from '../session/command.ts'

export function addCredentialVerbs(program: Program, run: Run): void {
  const credential = program
    .command('credential')
    .description('names and passwords for sites that ask for them; kept in the key store of this account')
  credential
    .command('list')
    .description('show the names of all credentials and where each is kept; never what it is')
    .action(() => run(async (command) => (await import('../verbs/credentials.ts')).listCredentials(command)))
  credential
    .command('set')
    .argument('<name>', 'what to call it: a login of a harvest names it so')
    .description('keep a name and a password; one of the same name is replaced')
    .option('--user <s>', 'the name of the account (default: it is asked for)')
    .addHelpText(
      'after',
      `
The password is asked for without being shown. Where standard input is no terminal it is read from there: the name of the
account on a line of its own unless --user gives it, then the password.

Example: pass show example.org | loupe credential set example --user jane`,
    )
    .action((name: string, { user }: { user?: string }) =>
      run(async (command) => (await import('../verbs/credentials.ts')).setCredential(command, { name, user })),
    )
  credential
    .command('remove')
    .argument('<name>', 'as "loupe credential list" shows it')
    .description('forget a credential; what was harvested with it stays')
    .action((name: string) =>
      run(async (command) => (await import('../verbs/credentials.ts')).removeCredential(command, name)),
    )
}
