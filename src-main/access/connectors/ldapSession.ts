/** One connection to an LDAP server (RFC 4511), for one question. Certificates are checked. */
import { isIP, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Client } from 'ldapts'
import { serverOf, type LdapSettings } from './ldapSettings.ts'

/** A DN and its password. */
export interface LdapLogin {
  user: string
  password: string
}

/** Connects, logs in, and gives the client to `act`; then disconnects. An aborted signal cuts the connection, so that what waits for an
 *  answer rejects. Rejects with whatever the package, the server or the network gives. */
export async function withLdap<T>(
  { url, startTls }: LdapSettings,
  login: LdapLogin | undefined,
  signal: AbortSignal,
  act: (client: Client) => Promise<T>,
): Promise<T> {
  const server = serverOf(url)
  if (!server) throw new Error('the URL of an LDAP server was not checked')
  const { host, port, isSecure } = server
  const tls = { host, ...(isIP(host) === 0 && { servername: host }) }
  const sockets: Socket[] = []
  // The package connects again by itself when the server cuts the connection, without TLS and without a login: an anonymous search could find
  // less, and so could miss a token that denies.
  const once = (open: () => Socket): Socket => {
    if (sockets.length > 0) throw new Error('the server closed the connection')
    const socket = open()
    sockets.push(socket)
    return socket
  }
  const client = new Client({
    url,
    createConnection: () => once(() => connect({ host, port })),
    ...(isSecure && { createSecureConnection: () => once(() => connectTls({ ...tls, port })) as never }),
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy(new Error('stopped'))
  }
  signal.addEventListener('abort', cut, { once: true })
  try {
    signal.throwIfAborted()
    if (startTls === 'yes') await client.startTLS(tls)
    if (login) await client.bind(login.user, login.password)
    return await act(client)
  } finally {
    signal.removeEventListener('abort', cut)
    cut()
  }
}
