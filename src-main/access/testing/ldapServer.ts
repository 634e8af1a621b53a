/** A real LDAP server for tests: OpenLDAP's slapd (Debian: `slapd`), on loopback, with users and groups of a library. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders in which the server and its schemas may be. */
const programs = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd', '/usr/libexec/slapd'].filter((path) => existsSync(path))
const schemas = ['/etc/ldap/schema', '/etc/openldap/schema'].filter((path) => existsSync(path))
const modules = ['/usr/lib/ldap', '/usr/lib/openldap'].filter((path) => existsSync(path))

/** Whether the server is installed. */
export const hasSlapd = programs.length > 0 && schemas.length > 0

/** The DN that may read everything, and its password. */
export const reader = { user: 'cn=reader,dc=library,dc=test', password: 'secret of the reader' }

/** A running server. */
export interface LdapServer {
  port: number
  /** Another port, for TLS from the beginning. */
  tlsPort: number
  /** Stops it at once. */
  stop(): Promise<void>
}

/** Keys of TLS, as PEM. */
export interface TlsFiles {
  key: string
  cert: string
  ca: string
}

const entries = (groupsOfBen: number) => `
dn: dc=library,dc=test
objectClass: dcObject
objectClass: organization
dc: library
o: Library

dn: ou=people,dc=library,dc=test
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=library,dc=test
objectClass: organizationalUnit
ou: groups
${['anna', 'ben', 'a*(b)\\', 'twin'].map(person).join('')}
dn: cn=twin,ou=people,dc=library,dc=test
objectClass: inetOrgPerson
uid: twin
cn: twin
sn: twin

dn: cn=staff,ou=groups,dc=library,dc=test
objectClass: groupOfNames
cn: staff
member: ${dnOf('anna')}

dn: cn=curators: maps,ou=groups,dc=library,dc=test
objectClass: groupOfNames
cn: curators: maps
cn: Kuratoren für Karten
member: ${dnOf('anna')}
member: ${dnOf('a*(b)\\')}
${Array.from({ length: groupsOfBen }, (_, at) => group(`g${at}`, 'ben')).join('')}`

/** RFC 4514, 2.4: characters with a meaning in a DN are escaped. */
function dnOf(uid: string): string {
  return `uid=${uid.replaceAll('\\', '\\5C')},ou=people,dc=library,dc=test`
}

function person(uid: string): string {
  return `
dn: ${dnOf(uid)}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: ${uid}
employeeType: employee
employeeType: reader
`
}

function group(cn: string, member: string): string {
  return `
dn: cn=${cn},ou=groups,dc=library,dc=test
objectClass: groupOfNames
cn: ${cn}
member: ${dnOf(member)}
`
}

/** Starts a server. `groupsOfBen`: groups that the user ben is a member of. A request without a login finds nothing. */
export async function startSlapd({ tls, groupsOfBen }: { tls: TlsFiles; groupsOfBen: number }): Promise<LdapServer> {
  const [program] = programs
  const [schema] = schemas
  if (program === undefined || schema === undefined) throw new Error('slapd is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'loupe-slapd-'))
  mkdirSync(join(folder, 'db'))
  for (const name of ['key', 'cert', 'ca'] as const) writeFileSync(join(folder, `${name}.pem`), tls[name])
  const configuration = join(folder, 'slapd.conf')
  writeFileSync(
    configuration,
    `${['core', 'cosine', 'inetorgperson'].map((name) => `include ${schema}/${name}.schema`).join('\n')}
pidfile ${folder}/slapd.pid
${modules.map((path) => `modulepath ${path}`).join('\n')}
moduleload back_mdb
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
# As many servers: no more entries in an answer that is not paged.
sizelimit size.soft=100 size.hard=100 size.prtotal=unlimited
database mdb
suffix dc=library,dc=test
rootdn ${reader.user}
rootpw "${reader.password}"
directory ${folder}/db
access to * by anonymous auth by * none
`,
  )
  const ldif = join(folder, 'entries.ldif')
  writeFileSync(ldif, entries(groupsOfBen))
  const added = spawnSync(program, ['-T', 'add', '-q', '-f', configuration, '-l', ldif], { encoding: 'utf8' })
  if (added.status !== 0) throw new Error(`slapadd: ${added.stderr}`)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`
  const server = spawn(program, ['-d', '0', '-f', configuration, '-h', urls], { stdio: 'ignore' })
  await listening(server, port)
  return {
    port,
    tlsPort,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Resolves when the port accepts connections; rejects when the server ends before. */
async function listening(server: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`slapd ended with ${server.exitCode}`)
    const socket = connect({ host: '127.0.0.1', port })
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
  }
}
