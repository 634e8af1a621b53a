/** The LDAP connector against OpenLDAP's slapd, which the test starts. Where it is not installed (Debian: apt-get install slapd), only what
 *  needs no server is tested, and the skipped tests say so. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { refusalOf } from '../../contract/calls/refusedValue.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { leafFor, selfSigned } from '../../viewer/certificates/certificates.ts'
import { realWorld } from '../../world/real.ts'
import { hasSlapd, reader, startSlapd, type LdapServer } from '../testing/ldapServer.ts'
import { ldapAuthority } from './ldapAuthority.ts'
import { filterWith, ldapSettings } from './ldapSettings.ts'

const { signal } = new AbortController()
const bases = { userBase: 'ou=people,dc=library,dc=test', groupBase: 'ou=groups,dc=library,dc=test' }

function opened(given: object, secret: { user: string; password: string } | { why: { code: string } } = reader) {
  const secretOf = async () => secret
  return ldapAuthority.open(ldapSettings.parse(given), { ...{ world: realWorld(), archiveFolders: [] }, secretOf })
}

const problemText = (found: { problem?: { code: string } }) => (found.problem ? textOf(found.problem) : '')

describe.skipIf(!hasSlapd)('a real server (skipped where slapd is not installed)', () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const host = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let server: LdapServer
  let ca = ''

  beforeAll(async () => {
    ca = await selfSigned(keys, Date.now())
    const certificateAuthority = { keys, pem: ca }
    const cert = await leafFor({
      host: '127.0.0.1',
      certificateAuthority,
      publicKey: host.publicKey,
      nowMs: Date.now(),
    })
    const key = String(host.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    server = await startSlapd({ tls: { key, cert, ca }, groupsOfBen: 250 })
  })
  afterAll(() => server.stop())

  const plain = (more: object = {}) => ({
    url: `ldap://127.0.0.1:${server.port}`,
    credential: 'reader',
    ...bases,
    ...more,
  })

  /** Trusts the certificate authority of the test until its end. */
  function trust(): void {
    const before = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...before, ca])
    onTestFinished(() => tls.setDefaultCACertificates(before))
  }

  test('gives the groups of a user, with all their names', async () => {
    const { status, tokens } = await opened(plain()).ask('anna', signal)
    expect([status, [...tokens].sort()]).toEqual(['OK', ['Kuratoren für Karten', 'curators: maps', 'staff']])
    expect(await opened(plain()).check(signal)).toBeUndefined()
  })

  test('gives values of the entry, alone or with groups', async () => {
    const { groupBase: _, ...people } = plain({ tokenAttribute: 'EmployeeType' })
    expect(await opened(people).ask('anna', signal)).toEqual({ status: 'OK', tokens: ['employee', 'reader'] })
    const both = await opened(plain({ tokenAttribute: 'employeetype', groupAttribute: 'CN' })).ask('anna', signal)
    expect(both.tokens).toHaveLength(5)
  })

  test('gives more groups than the server puts into one answer', async () => {
    const { tokens } = await opened(plain()).ask('ben', signal)
    expect(tokens).toHaveLength(250)
  })

  test('does not know an unknown user, and takes names as they are', async () => {
    const connection = opened(plain())
    for (const name of ['nobody', '*', 'anna)(uid=*', 'a*', ''])
      expect(await connection.ask(name, signal)).toEqual({ status: 'USERNOTFOUND', tokens: [] })
    expect((await connection.ask('a*(b)\\', signal)).tokens).toHaveLength(2)
  })

  test('with several entries for a user gives none', async () => {
    const answer = await opened(plain()).ask('twin', signal)
    expect(answer).toMatchObject({ status: 'UNREACHABLE', tokens: ['DEAD_AUTHORITY'] })
    expect(problemText(answer)).toMatch(/^2 entries match the user twin/)
  })

  test('is unreachable with a wrong password, without a login that it needs, and without a credential', async () => {
    const wrong = await opened(plain(), { ...reader, password: 'wrong password' }).ask('anna', signal)
    expect([wrong.status, problemText(wrong)]).toEqual([
      'UNREACHABLE',
      expect.stringMatching(/gave no answer: .*(credentials|49)/i),
    ])
    expect(JSON.stringify(wrong)).not.toContain('wrong password')
    const { credential: _, ...anonymous } = plain()
    expect(await opened(anonymous).ask('anna', signal)).toMatchObject({ status: 'UNREACHABLE' })
    expect(await opened(plain(), { ...reader, password: '' }).ask('anna', signal)).toMatchObject({
      status: 'UNREACHABLE',
    })
    const absent = { why: message('connection.working') }
    expect(await opened(plain(), absent).ask('anna', signal)).toMatchObject({
      status: 'UNREACHABLE',
      problem: absent.why,
    })
  })

  test('says which place does not exist when it is checked', async () => {
    const found = await opened(plain({ groupBase: 'ou=none,dc=library,dc=test' })).check(signal)
    expect(found && textOf(found)).toMatch(/gave no answer: .*(object|32)/i)
  })

  test('is asked over TLS, from the beginning or after StartTLS, and its certificate is checked', async () => {
    const secure = { ...plain(), url: `ldaps://127.0.0.1:${server.tlsPort}` }
    const upgraded = plain({ startTls: 'yes' })
    for (const settings of [secure, upgraded]) {
      const answer = await opened(settings).ask('anna', signal)
      expect([answer.status, problemText(answer)]).toEqual(['UNREACHABLE', expect.stringMatching(/certificate/)])
    }
    trust()
    for (const settings of [secure, upgraded])
      expect((await opened(settings).ask('anna', signal)).tokens).toHaveLength(3)
  })
})

describe('a server', () => {
  /** Listens on loopback and gives each connection to `serve`. */
  async function listening(serve: (socket: Socket) => void): Promise<{ url: string; connections: () => number }> {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.on('error', () => socket.destroy())
      serve(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
  }
  const settings = (url: string) => ({ url, credential: 'reader', ...bases })

  test('that refuses connections is unreachable', async () => {
    const { url } = await listening(() => {})
    const gone = url.replace(/\d+$/, '1')
    const answer = await opened(settings(gone)).ask('anna', signal)
    expect([answer.status, problemText(answer)]).toEqual(['UNREACHABLE', expect.stringContaining('ECONNREFUSED')])
  })

  test('that does not answer: the connection is cut when the request is aborted', async () => {
    const stop = new AbortController()
    const { url } = await listening((socket) => socket.once('data', () => stop.abort()))
    expect(await opened(settings(url)).ask('anna', stop.signal)).toMatchObject({ status: 'UNREACHABLE' })
  })

  test('that cuts the connection after the login is not asked again without a login', async () => {
    // The answer to a bind: success (RFC 4511, 4.2.2), message 1.
    const bound = Buffer.from('300c02010161070a010004000400', 'hex')
    const { url, connections } = await listening((socket) => socket.once('data', () => socket.end(bound)))
    expect(await opened(settings(url)).ask('anna', signal)).toMatchObject({ status: 'UNREACHABLE' })
    expect(connections()).toBe(1)
  })

  test('that answers with other bytes is unreachable', async () => {
    const { url } = await listening((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    expect(await opened(settings(url)).ask('anna', signal)).toMatchObject({ status: 'UNREACHABLE' })
  })
})

test('a name in a filter is escaped', () => {
  expect(filterWith('(&(uid={user})(member={dn}))', { user: 'a*(b)\\\0', dn: 'cn=é' })).toBe(
    '(&(uid=a\\2a\\28b\\29\\5c\\00)(member=cn=é))',
  )
})

const wrong: [string, object, RegExp][] = [
  ['another protocol', { url: 'http://a.test' }, /^url must /],
  ['a URL with a base', { url: 'ldap://a.test/dc=test' }, /^url must /],
  ['a URL with a query', { url: 'ldap://a.test/?cn' }, /^url must /],
  ['a URL with a fragment', { url: 'ldap://a.test/#cn' }, /^url must /],
  ['a URL with a user', { url: 'ldap://reader@a.test' }, /^url must /],
  ['a URL with a password only', { url: 'ldap://:secret@a.test' }, /^url must (?!.*secret)/],
  ['a password as a setting', { password: 'secret' }, /password/],
  ['a filter that is none', { userFilter: '(uid={user}' }, /^userFilter is not a valid LDAP filter/],
  ['a filter without the user', { groupFilter: '(cn=a)' }, /^groupFilter must contain {user} or {dn}/],
  ['a password in the clear', { credential: 'c' }, /^The password would be sent without encryption/],
  ['an attribute that is none', { tokenAttribute: 'a b' }, /^tokenAttribute/],
]
test.each(wrong)('settings with %s are refused', (_, more, problem) => {
  const given = { url: 'ldap://ldap.library.test', ...bases, ...more }
  const { error } = ldapSettings.safeParse(given)
  expect(error && textOf(refusalOf(error, given))).toMatch(problem)
})

const accepted: object[] = [
  { url: 'ldaps://ldap.library.test', credential: 'c' },
  { url: 'ldap://ldap.library.test', credential: 'c', startTls: 'yes' },
  { url: 'ldap://127.0.0.1:3890', credential: 'c' },
  { url: 'ldap://[::1]:3890/', credential: 'c' },
  { url: 'ldap://ldap.library.test' },
]
test.each(accepted)('%j is accepted', (given) => {
  expect(ldapSettings.safeParse({ ...given, ...bases }).success).toBe(true)
})
