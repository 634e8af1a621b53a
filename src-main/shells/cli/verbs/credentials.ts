/** The verbs `loupe credential list|set|remove`. */
import { textOf } from '../../../contract/words/render.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { momentText, table } from '../output/output.ts'
import { withAnswers } from '../input/secretInput.ts'
import { textFor } from '../../../contract/words/render.ts'

export async function listCredentials(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { credentials, store } = await services.credentials.list({})
    command.output.result({ store, credentials }, () =>
      credentials.length === 0
        ? textFor('cli.credentials.none')
        : table(
            ['name', 'set', 'keptIn'],
            credentials.map(({ name, set, store }) => [name, momentText(set, ''), textOf(store.message)]),
          ),
    )
    return 0
  })
}

export async function setCredential(
  command: Command,
  { name, user }: { name: string; user: string | undefined },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { store } = await services.credentials.list({})
    // Printed before anything is typed: the user may prefer not to store a password there.
    command.output.note(textOf(store.message))
    const print = (text: string) => void process.stderr.write(text)
    const given = await withAnswers({ input: process.stdin, print }, async (ask) => ({
      user: user ?? (await ask({ prompt: textFor('cli.credential.user'), isShown: true })),
      password: await ask({ prompt: textFor('cli.credential.password'), isShown: false }),
    }))
    const credential = await services.credentials.set({ name, ...given })
    command.output.result(credential, () => textFor('cli.credential.set', { name }))
    return 0
  })
}

export async function removeCredential(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const removed = await services.credentials.remove({ name })
    command.output.result(removed, () => textFor('cli.credential.removed', { name }))
    return 0
  })
}
