import { describe, expect, test } from 'vitest'
import { authorityConnectionInput } from '../../contract/services/authorities.ts'
import { openStore } from '../../storage/storage.ts'
import { openAuthorityConnections } from './authorityConnections.ts'
import { openDescribed } from './described.ts'

function opened() {
  const store = openStore(':memory:')
  const connections = openAuthorityConnections(store)
  const groups = openDescribed(store, 'authgroup')
  const domains = openDescribed(store, 'authdomain')
  const add = (name: string, more: object = {}) =>
    connections.add(
      authorityConnectionInput.parse({ kind: 'authority', name, connector: 'file', group: 'Staff', ...more }),
    )
  const map = (name: string, more: object = {}) =>
    connections.add(authorityConnectionInput.parse({ kind: 'mapping', name, connector: 'pattern', ...more }))
  groups.add({ name: 'Staff', description: 'of the library' })
  return { store, connections, groups, domains, add, map }
}

const mapping = (name: string) => ({ kind: 'mapping', name }) as const
const authority = (name: string) => ({ kind: 'authority', name }) as const

describe('groups and domains', () => {
  test('are added, listed by name with the number of connections that name them, described and removed', () => {
    const { groups, domains, add } = opened()
    groups.add({ name: 'Readers', description: '' })
    add('LDAP')
    expect(groups.list()).toEqual([
      { name: 'Readers', description: '', authorities: 0, rules: 0 },
      { name: 'Staff', description: 'of the library', authorities: 1, rules: 0 },
    ])
    expect(groups.edit({ name: 'READERS', description: 'x' })).toMatchObject({ name: 'Readers', description: 'x' })
    groups.remove('readers')
    expect(groups.list().map(({ name }) => name)).toEqual(['Staff'])
    // The default domain is there from the beginning.
    expect(domains.list()).toEqual([{ name: '', description: '', authorities: 1, rules: 0 }])
  })

  const refused: [string, (parts: ReturnType<typeof opened>) => unknown, RegExp][] = [
    [
      'a group whose name is taken',
      ({ groups }) => groups.add({ name: 'STAFF', description: '' }),
      /already an authority group "STAFF"/,
    ],
    ['an absent group', ({ groups }) => groups.edit({ name: 'x', description: '' }), /no authority group "x"/],
    [
      'to remove a group in use',
      ({ groups }) => groups.remove('Staff'),
      /"Staff" cannot be removed: the authority connection LDAP names it/,
    ],
    [
      'a domain whose name is taken',
      ({ domains }) => domains.add({ name: 'web', description: '' }),
      /already an authorization domain/,
    ],
    ['an absent domain', ({ domains }) => domains.remove('x'), /no authorization domain "x"/],
    [
      'to remove a domain in use',
      ({ domains }) => domains.remove('web'),
      /"web" cannot be removed: the authority connection LDAP names it/,
    ],
  ]
  test.each(refused)('refuse %s', (_, act, problem) => {
    const parts = opened()
    parts.domains.add({ name: 'web', description: '' })
    parts.add('LDAP', { domain: 'web' })
    expect(() => act(parts)).toThrow(problem)
    expect([parts.groups.list(), parts.domains.list()].map(({ length }) => length)).toEqual([1, 2])
  })
})

describe('connections', () => {
  test('are added with their defaults, listed, changed and removed', () => {
    const { connections, add, map, domains } = opened()
    map('short')
    const usual = { connectionsMax: 10, answerSecondsMax: 10, cacheSeconds: 60, cachedUsersMax: 1_000 }
    expect(add('LDAP', { settings: { path: '/a' }, mapping: 'SHORT' })).toEqual({
      ...{ kind: 'authority', name: 'LDAP', description: '', connector: 'file', settings: { path: '/a' }, ...usual },
      ...{ mapping: 'short', domain: '', group: 'Staff' },
    })
    // Authorities and mappings have names of their own.
    map('LDAP', { mapping: 'short', settings: { match: '(.*)' } })
    expect(connections.list().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'authority LDAP',
      'mapping LDAP',
      'mapping short',
    ])
    domains.add({ name: 'web', description: '' })
    const change = { description: 'd', mapping: null, domain: 'web', cacheSeconds: 0 }
    const changed = connections.replace(connections.changed(authority('ldap'), change))
    expect(changed).toEqual({
      ...{ kind: 'authority', name: 'LDAP', description: 'd', connector: 'file', settings: { path: '/a' } },
      ...{ ...usual, cacheSeconds: 0, domain: 'web', group: 'Staff' },
    })
    expect(connections.replace(connections.changed(mapping('ldap'), { connectionsMax: 1 }))).toMatchObject({
      ...{ kind: 'mapping', mapping: 'short', settings: { match: '(.*)' }, connectionsMax: 1 },
    })
    connections.remove(authority('ldap'))
    connections.remove(mapping('ldap'))
    expect(connections.list()).toMatchObject([{ kind: 'mapping', name: 'short' }])
    expect(connections.countOf('mapping', 'PATTERN')).toBe(1)
  })

  const edit =
    (of: ReturnType<typeof mapping> | ReturnType<typeof authority>, change: object) =>
    ({ connections }: ReturnType<typeof opened>) =>
      connections.replace(connections.changed(of, change))
  const refused: [string, (parts: ReturnType<typeof opened>) => unknown, RegExp][] = [
    ['a name that is taken', ({ add }) => add('ldap'), /already a connection "ldap"/],
    ['an absent group', ({ add }) => add('x', { group: 'none' }), /no authority group "none"/],
    ['an absent domain', ({ add }) => add('x', { domain: 'none' }), /no authorization domain "none"/],
    ['an absent mapping', ({ map }) => map('x', { mapping: 'none' }), /no mapping connection "none"/],
    ['an authority as mapping', ({ add }) => add('x', { mapping: 'LDAP' }), /no mapping connection "LDAP"/],
    ['a mapping before itself', edit(mapping('a'), { mapping: 'A' }), /"A" cannot come before the mapping "a"/],
    ['a circle of three', edit(mapping('a'), { mapping: 'c' }), /"c" cannot come before the mapping "a"/],
    ['a group of a mapping', edit(mapping('a'), { group: 'Staff' }), /only authorities have a domain and a group/],
    ['an absent connection', edit(authority('x'), {}), /no authority connection "x"/],
    ['to remove a mapping of a mapping', ({ connections }) => connections.remove(mapping('b')), /name it: c/],
    ['to remove a mapping of an authority', ({ connections }) => connections.remove(mapping('c')), /name it: LDAP/],
  ]
  test.each(refused)('refuse %s', (_, act, problem) => {
    const parts = opened()
    parts.map('a')
    parts.map('b', { mapping: 'a' })
    parts.map('c', { mapping: 'b' })
    parts.add('LDAP', { mapping: 'c' })
    const before = parts.connections.list()
    expect(() => act(parts)).toThrow(problem)
    expect(parts.connections.list()).toEqual(before)
  })

  const wrong: [string, object][] = [
    ['a group name of 33 characters', { group: 'x'.repeat(33) }],
    ['no group', { group: undefined }],
    ['a mapping with a group', { kind: 'mapping' }],
    ['no connection at once', { connectionsMax: 0 }],
    ['no time to answer', { answerSecondsMax: 0 }],
  ]
  test.each(wrong)('cannot have %s', (_, more) => {
    const input = { kind: 'authority', name: 'x', connector: 'null', group: 'Staff', ...more }
    expect(authorityConnectionInput.safeParse(input).success).toBe(false)
  })
})
