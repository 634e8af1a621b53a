/** Arguments and options of `loupe credential`. A password is never an argument: other accounts can read the arguments of a process. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'

export function addCredentialVerbs(program: Program, run: Run): void {
  const credential = program.command('credential').description(textFor('help.credential'))
  credential
    .command('list')
    .description(textFor('help.credential.list'))
    .action(() => run(async (command) => (await import('../verbs/credentials.ts')).listCredentials(command)))
  credential
    .command('set')
    .argument('<name>', textFor('help.credential.set.name'))
    .description(textFor('help.credential.set'))
    .option('--user <s>', textFor('help.credential.set.user'))
    .addHelpText('after', textFor('help.credential.set.after'))
    .action((name: string, { user }: { user?: string }) =>
      run(async (command) => (await import('../verbs/credentials.ts')).setCredential(command, { name, user })),
    )
  credential
    .command('remove')
    .argument('<name>', textFor('help.credential.remove.name'))
    .description(textFor('help.credential.remove'))
    .action((name: string) =>
      run(async (command) => (await import('../verbs/credentials.ts')).removeCredential(command, name)),
    )
}
