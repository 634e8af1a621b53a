/** A port that other machines reach, over TLS. Only accounts are admitted there. */
import { readFile } from 'node:fs/promises'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { isIPv6, type AddressInfo } from 'node:net'
import { Fault } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'
import type { IdentityProviderSetting } from './identityProvider.ts'
import { portFault, type OpenPort } from './ports.ts'
import type { TrustedProxySetting } from './trustedProxy.ts'

/** Where and how the port is opened. */
export interface PublicSetting {
  /** Address or name at which the server listens; `0.0.0.0` or `::` are all addresses of the machine. */
  host: string
  /** 0: any free port. */
  port: number
  /** Further names by which clients reach it: hosts, or whole origins where a server with TLS is in front (`https://loupe.example`). */
  names: readonly string[]
  /** Paths of PEM files: the certificate with those between it and its root, and its key. */
  tls: { certificate: string; key: string } | undefined
  /** Accepts that passwords are sent in the clear. */
  isInsecure: boolean
  /** The server in front. Absent: clients connect to the port itself. */
  proxy?: TrustedProxySetting
  /** With which accounts can log in, too. Absent: with their password only. */
  provider?: IdentityProviderSetting
}

/** Opens the port. Throws `Fault` badInput for a setting that would send passwords in the clear, for a missing name and for wrong PEM files, and the
 *  faults of `portFault`. */
export async function openPublicPort(setting: PublicSetting): Promise<OpenPort> {
  const { host, port, names, tls, isInsecure } = setting
  if (!tls && !isInsecure && !isOfThisMachine(host)) throw new Fault('badInput', message('server.needsTls', { host }))
  const known = [...names, ...(isEveryAddress(host) ? [] : [host])]
  const [first] = known
  if (first === undefined) throw new Fault('badInput', message('server.needsName', { host }))
  const server = tls ? await tlsServer(tls) : createHttp()
  const opened = await listening(server, { host, port })
  return { server, port: opened, origin: originOf(first, opened), origins: known.map((name) => originOf(name, opened)) }

  function originOf(name: string, ownPort: number): string {
    const text = /^https?:\/\//i.test(name)
      ? name
      : `${tls ? 'https' : 'http'}://${isIPv6(name) ? `[${name}]` : name}:${ownPort}`
    const parsed = URL.parse(text)
    if (parsed) return parsed.origin
    server.close()
    throw new Fault('badInput', message('server.nameWrong', { name }))
  }
}

function isOfThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

async function tlsServer({ certificate, key }: { certificate: string; key: string }): Promise<Server> {
  const [cert, secret] = [await pem(certificate), await pem(key)]
  try {
    return createHttps({ cert, key: secret, minVersion: 'TLSv1.2' })
  } catch (error) {
    throw new Fault('badInput', message('server.tlsWrong', { certificate, key, problem: messageOf(error) }))
  }
}

async function pem(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Fault('badInput', message('server.tlsUnreadable', { path, problem: messageOf(error) }))
  }
}

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(addressFault({ host, port }, error)))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function addressFault({ host, port }: { host: string; port: number }, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Fault('badInput', message('server.hostAbsent', { host }))
  return portFault({ host, port }, error)
}
