/** The verbs `loupe accounts list|add|remove|password|roles` and `loupe sessions list|revoke`. */
import { roleMessage, type Role } from '../../../contract/calls/caller.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { withAnswers } from '../input/secretInput.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

interface WithRoles {
  name: string
  roles: Role[]
}

export async function listAccounts(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const accounts = await services.accounts.list({})
    command.output.result(accounts, () =>
      accounts.length === 0
        ? textFor('cli.accounts.none')
        : table(
            ['name', 'roles', 'passwordSet', '>sessions'],
            accounts.map(({ name, roles, passwordSet, sessions }) => [
              ...[name, rolesText(roles), momentText(passwordSet, ''), String(sessions)],
            ]),
          ),
    )
    return 0
  })
}

export async function addAccount(command: Command, { name, roles }: WithRoles): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const account = await services.accounts.add({ name, roles, password: await askedPassword() })
    command.output.result(account, () =>
      textFor('cli.account.added', { name: account.name, roles: rolesText(account.roles) }),
    )
    return 0
  })
}

export async function removeAccount(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const removed = await services.accounts.remove({ name })
    command.output.result(removed, () => textFor('cli.account.removed', { name }))
    return 0
  })
}

export async function setPassword(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const account = await services.accounts.setPassword({ name, password: await askedPassword() })
    command.output.result(account, () => textFor('cli.account.passwordSet', { name: account.name }))
    return 0
  })
}

export async function setRoles(command: Command, { name, roles }: WithRoles): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const account = await services.accounts.setRoles({ name, roles })
    command.output.result(account, () =>
      textFor('cli.account.rolesSet', { name: account.name, roles: rolesText(account.roles) }),
    )
    return 0
  })
}

export async function listSessions(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const sessions = await services.sessions.list({})
    command.output.result(sessions, () =>
      sessions.length === 0
        ? textFor('cli.sessions.none')
        : table(
            ['>session', 'account', 'address', 'begun', 'seen', 'client'],
            sessions.map(({ session, account, address, begun, seen, client }) => [
              ...[String(session), account, address, momentText(begun, ''), momentText(seen, ''), client],
            ]),
          ),
    )
    return 0
  })
}

export async function revokeSession(command: Command, session: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const revoked = await services.sessions.revoke({ session })
    command.output.result(revoked, () => textFor('cli.session.revoked', { session }))
    return 0
  })
}

function askedPassword(): Promise<string> {
  const print = (text: string) => void process.stderr.write(text)
  return withAnswers({ input: process.stdin, print }, (ask) =>
    ask({ prompt: textFor('cli.account.password'), isShown: false }),
  )
}

function rolesText(roles: readonly Role[]): string {
  return roles.map((role) => textOf(roleMessage(role))).join(', ')
}
