/** Terminates the tunnels that browsers open with CONNECT: TLS with a certificate of the certificate authority, or plain HTTP. */
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { CertificateAuthority } from '../certificates/certificateAuthority.ts'
import type { ProxyCredentials } from '../model/proxyCredentials.ts'

/** Host and port of a tunnel. */
export interface Target {
  /** Host name or IP address, without brackets. */
  host: string
  port: number
}

/** An open tunnel, with the credentials of its CONNECT request. */
export interface Tunnel {
  target: Target
  scheme: 'http' | 'https'
  credentials: ProxyCredentials | undefined
}

/** Parses the target of a CONNECT request (RFC 9112 3.2.3). The host becomes part of a certificate, so anything else is
 *  rejected. */
export function tunnelTarget(authorityForm: string): Target | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253})):(\d{1,5})$/i.exec(authorityForm) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined
  return { host: name, port: Number(port) }
}

/** The authority part of a URL, such as `www.example.com:8080`. Default ports are left out. */
export function authorityOf({ host, port }: Target, scheme: Tunnel['scheme']): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}`
}

/** Waits for the first byte in the tunnel and leaves it in the socket. Undefined if the browser sends none. */
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

/** Whether TLS follows: a handshake record begins with 0x16 (RFC 8446 5.1). The port does not tell, because ws:// uses CONNECT
 *  too. */
export function isTls(first: number): boolean {
  return first === 0x16
}

/** The server side of TLS. It emits `secure` when the handshake is done; a browser that does not trust the certificate closes
 *  the connection instead. */
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
      // Usually the host of the CONNECT request. If the SNI value is not a valid host, that host is used.
      const shown = tunnelTarget(`${asked}:443`)?.host ?? name
      certificateAuthority.contextFor(shown).then(
        (context) => use(null, context),
        (error: unknown) => use(error instanceof Error ? error : new Error('making a certificate', { cause: error })),
      )
    },
  })
  // A browser that does not trust the certificate authority closes the connection and shows its own warning.
  end.on('error', () => end.destroy())
  // Sockets of an HTTP/1.1 server may be half-open. Without this, one that ends during the handshake would never be
  // closed.
  const endedEarly = () => end.destroy()
  end.once('end', endedEarly).once('secure', () => end.off('end', endedEarly))
  return end
}
