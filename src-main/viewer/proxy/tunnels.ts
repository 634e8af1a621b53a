/** The tunnels that a browser opens with CONNECT, ended here instead of where they seem to lead: TLS with a certificate of
 *  this archive's authority, or plain. What is spoken inside is somebody else's business. */
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { CertificateAuthority } from '../certificates/certificateAuthority.ts'
import type { ProxyCredentials } from '../model/proxyCredentials.ts'

export interface Target {
  /** A name or an address, without brackets. */
  host: string
  port: number
}

export interface Tunnel {
  target: Target
  scheme: 'http' | 'https'
  credentials: ProxyCredentials | undefined
}

/** `host:port` of a CONNECT (RFC 9112 3.2.3). The name becomes part of a certificate, so nothing but a host passes. */
export function tunnelTarget(authorityForm: string): Target | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253})):(\d{1,5})$/i.exec(authorityForm) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined
  return { host: name, port: Number(port) }
}

/** `www.example.com:8080`, as it stands in an address. */
export function authorityOf({ host, port }: Target, scheme: Tunnel['scheme']): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}`
}

/** The first byte that the browser says in its tunnel, left in the socket; undefined when it says none. */
export function firstByte(socket: Socket, head: Buffer): Promise<number | undefined> {
  if (head.length > 0) socket.unshift(head)
  return new Promise((seen) => {
    const look = () => {
      const bytes = socket.read() as Buffer | null
      if (bytes === null) return
      settle(bytes[0])
      socket.unshift(bytes)
    }
    const ended = () => settle(undefined)
    const settle = (byte: number | undefined) => {
      socket.off('readable', look).off('close', ended).off('end', ended)
      seen(byte)
    }
    socket.on('readable', look).on('close', ended).on('end', ended)
  })
}

/** ws:// arrives as CONNECT too, so the port says nothing. A TLS record of a handshake begins with 0x16 (RFC 8446 5.1). */
export function isTls(first: number): boolean {
  return first === 0x16
}

/** This end of TLS, on its way to be ready: it says so with `secure`, and nothing when a browser does not trust it and ends. */
export async function securedEnd(
  socket: Socket,
  name: string,
  certificateAuthority: CertificateAuthority,
): Promise<TLSSocket> {
  const end = new TLSSocket(socket, {
    isServer: true,
    secureContext: await certificateAuthority.contextFor(name),
    ALPNProtocols: ['h2', 'http/1.1'],
    SNICallback: (asked, use) => {
      // Usually the name of the CONNECT. One that could not be a host gets the CONNECT's certificate.
      const shown = tunnelTarget(`${asked}:443`)?.host ?? name
      certificateAuthority.contextFor(shown).then(
        (context) => use(null, context),
        (error: unknown) => use(error instanceof Error ? error : new Error('making a certificate', { cause: error })),
      )
    },
  })
  // A browser that does not trust the authority ends here: it shows its own warning page.
  end.on('error', () => end.destroy())
  // Half open, as sockets of an HTTP/1.1 server are: without this one that ends in its greeting would be waited for.
  const endedEarly = () => end.destroy()
  end.once('end', endedEarly).once('secure', () => end.off('end', endedEarly))
  return end
}
