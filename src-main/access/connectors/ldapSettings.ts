/** Settings of the LDAP authority, and the filters in them. */
import { isIP } from 'node:net'
import { FilterParser } from 'ldapts'
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'

/** Settings of a connection to an LDAP server. */
export interface LdapSettings {
  /** `ldap://HOST:PORT` or `ldaps://HOST:PORT`. */
  url: string
  /** Whether TLS begins after the connection (RFC 4511, 4.14). */
  startTls: 'yes' | 'no'
  /** Name of the credential, whose user is a DN; absent: the server is asked without a login. */
  credential?: string | undefined
  /** Where users are. */
  userBase: string
  /** Filter that finds the entry of a user (RFC 4515); `{user}` stands for the name. */
  userFilter: string
  /** Attribute of the entry whose values are tokens, such as `memberOf`; absent: none. */
  tokenAttribute?: string | undefined
  /** Where groups are; absent: none are searched. */
  groupBase?: string | undefined
  /** Filter that finds the groups of a user; `{dn}` stands for the DN of the entry, `{user}` for the name. */
  groupFilter: string
  /** Attribute of a group that is the token. */
  groupAttribute: string
}

const placeholder = /\{(user|dn)\}/g

/** Puts values into a filter, escaped so that they cannot be a part of it (RFC 4515, 3). */
export function filterWith(filter: string, values: { user: string; dn?: string }): string {
  return filter.replace(placeholder, (_, name: 'user' | 'dn') => escaped(values[name] ?? ''))
}

function escaped(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

const filter = z.string().superRefine((text, { addIssue }) => {
  try {
    FilterParser.parseString(filterWith(text, { user: 'u', dn: 'cn=u' }))
  } catch (error) {
    const problem = messageOf(error)
    addIssue({ code: 'custom', ...refusedAs((field) => message('authority.ldap.filter', { field, problem })) })
  }
  if (text.search(placeholder) >= 0) return
  addIssue({
    code: 'custom',
    ...refusedAs((field) => message('authority.ldap.placeholder', { field, user: '{user}', dn: '{dn}' })),
  })
})

const attribute = z.string().regex(/^[A-Za-z0-9.;-]{1,100}$/)

const plainShape = z.strictObject({
  url: z.string().refine(
    (text) => serverOf(text) !== undefined,
    refusedAs((field) => message('value.urlOf', { field, protocols: 'ldap://, ldaps://' })),
  ),
  startTls: z.enum(['yes', 'no']).default('no'),
  credential: z.string().min(1).optional(),
  userBase: z.string().min(1),
  userFilter: filter.default('(uid={user})'),
  tokenAttribute: attribute.optional(),
  groupBase: z.string().min(1).optional(),
  groupFilter: filter.default('(member={dn})'),
  groupAttribute: attribute.default('cn'),
})

/** Shape of the settings. A password is sent over an encrypted connection, or stays on this machine. */
export const ldapSettings: z.ZodType<LdapSettings> = plainShape.superRefine(
  ({ url, startTls, credential }, { addIssue }) => {
    const server = serverOf(url)
    if (credential === undefined || server === undefined || server.isSecure || startTls === 'yes') return
    if (isSameMachine(server.host)) return
    addIssue({ code: 'custom', path: ['startTls'], ...refusedAs(() => message('authority.ldap.clear')) })
  },
)

/** Host and port of a server. */
export interface LdapServer {
  /** Without the brackets of an IPv6 address. */
  host: string
  port: number
  isSecure: boolean
}

/** Reads the URL of a server; undefined where it is none, or names more than a server. A login in it would be stored and shown as it is. */
export function serverOf(url: string): LdapServer | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(url)
  const isSecure = protocol === 'ldaps:'
  if ((!isSecure && protocol !== 'ldap:') || hostname === '' || username !== '' || password !== '') return undefined
  if ((pathname !== '' && pathname !== '/') || search !== '' || hash !== '') return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 636 : 389), isSecure }
}

function isSameMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
