/** The authority that asks an LDAP server: it finds the entry of a user, and its tokens are values of an attribute of the entry, and the names
 *  of the groups that the entry is a member of. */
import type { Client, Entry } from 'ldapts'
import { message, type Message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { unreachable, userNotFound, type Answer } from '../model/answer.ts'
import type { AuthorityConnector, ConnectorParts } from '../model/connector.ts'
import { withLdap } from './ldapSession.ts'
import { filterWith, ldapSettings, type LdapSettings } from './ldapSettings.ts'

export const ldapAuthority: AuthorityConnector<LdapSettings> = {
  name: 'ldap',
  description: message('authority.ldap'),
  settings: ldapSettings,
  open(settings, { secretOf }) {
    return {
      async ask(user, signal) {
        const answered = await asked(settings, secretOf, signal, (client) => answerAbout(client, settings, user))
        return 'value' in answered ? answered.value : unreachable(answered.problem)
      },
      async check(signal) {
        const checked = await asked(settings, secretOf, signal, (client) => searchBases(client, settings))
        return 'value' in checked ? undefined : checked.problem
      },
    }
  },
}

/** Does something with a connection. Returns its value, or why the server does not answer. */
async function asked<T>(
  settings: LdapSettings,
  secretOf: ConnectorParts['secretOf'],
  signal: AbortSignal,
  act: (client: Client) => Promise<T>,
): Promise<{ value: T } | { problem: Message }> {
  const { url, credential } = settings
  const login = credential === undefined ? undefined : await secretOf(credential)
  if (login && 'why' in login) return { problem: login.why }
  // RFC 4513, 5.1.2: a server takes a login without a password for an anonymous one.
  if (login?.password === '') return { problem: message('authority.ldap.noPassword', { credential: credential ?? '' }) }
  try {
    return { value: await withLdap(settings, login, signal, act) }
  } catch (error) {
    return { problem: message('authority.ldap.failed', { url, problem: problemText(error) }) }
  }
}

/** An error of the network may have a code and no text, and one of the server the name of its result code. */
function problemText(error: unknown): string {
  const text = messageOf(error)
  const { name, code } = error as { name?: unknown; code?: unknown }
  if (typeof code === 'number') return `${String(name)} (${code}) ${text}`.trim()
  return text === '' ? String(code) : text
}

async function answerAbout(client: Client, settings: LdapSettings, user: string): Promise<Answer> {
  const { userBase, userFilter, tokenAttribute, groupBase, groupFilter, groupAttribute } = settings
  const found = await client.search(userBase, {
    ...{ scope: 'sub', filter: filterWith(userFilter, { user }), paged: true },
    // RFC 4511, 4.5.1.8: 1.1 asks for no attribute.
    attributes: [tokenAttribute ?? '1.1'],
  })
  const [entry, second] = found.searchEntries
  if (!entry) return userNotFound
  if (second) return unreachable(message('authority.ldap.several', { user, count: found.searchEntries.length }))
  const tokens = tokenAttribute === undefined ? [] : valuesOf(entry, tokenAttribute)
  if (groupBase !== undefined) {
    const filter = filterWith(groupFilter, { user, dn: entry.dn })
    const groups = await client.search(groupBase, { scope: 'sub', filter, attributes: [groupAttribute], paged: true })
    tokens.push(...groups.searchEntries.flatMap((group) => valuesOf(group, groupAttribute)))
  }
  return { status: 'OK', tokens: [...new Set(tokens)] }
}

/** Returns the values of an attribute. Their names are the same in any case of letters (RFC 4512, 2.5). */
function valuesOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find((each) => each !== 'dn' && each.toLowerCase() === attribute.toLowerCase())
  const values = name === undefined ? [] : [entry[name] ?? []].flat()
  return values.map((value) => (typeof value === 'string' ? value : value.toString('utf8')))
}

/** Reads the entries in which users and groups are searched: the server refuses where they do not exist or may not be seen. */
async function searchBases(client: Client, { userBase, groupBase }: LdapSettings): Promise<void> {
  for (const base of [userBase, ...(groupBase === undefined ? [] : [groupBase])])
    await client.search(base, { scope: 'base', attributes: ['1.1'] })
}
