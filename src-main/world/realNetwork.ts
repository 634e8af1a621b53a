/** TCP and TLS through node:net and node:tls, read on demand so that a slow reader slows the sender. HTTP, connection pools
 *  and retries are in `crawl`. */
import { lookup } from 'node:dns'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, TLSSocket, type SecureContext } from 'node:tls'
import { isNonGlobal } from './globalAddress.ts'
import {
  NetworkFault,
  type Connection,
  type Network,
  type NetworkFaultCode,
  type Security,
  type Target,
} from './world.ts'

/** Bytes read from the socket before anyone asked for them; beyond this the sender waits. */
const unreadBytesMax = 256 * 1024

/** The network of this machine. */
export const realNetwork: Network = {
  connect: (target, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new NetworkFault('aborted', endpointOf(target)))
      // A literal address is never looked up, so it is checked here.
      if (!target.privateAllowed && isNonGlobal(target.address ?? target.host)) {
        return reject(new NetworkFault('private', endpointOf(target)))
      }
      const socket = open(target)
      const timer = setTimeout(() => {
        fail(new NetworkFault('timeout', endpointOf(target)))
      }, target.connectMsMax)
      const onAbort = () => fail(new NetworkFault('aborted', endpointOf(target)))
      const onError = (error: Error) => fail(faultOf(error, target))
      const onReady = () => {
        settle()
        // Called in the same turn: the socket must have listeners before its next event.
        resolve(connectionOver(socket))
      }
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        socket.off('error', onError)
      }
      const fail = (fault: NetworkFault) => {
        settle()
        socket.on('error', () => undefined) // a late error of an abandoned socket carries no information
        socket.destroy()
        reject(fault)
      }
      socket.once('error', onError)
      socket.once(target.tls ? 'secureConnect' : 'connect', onReady)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

/** Opens a socket that is still connecting. */
function open({ host, port, address, tls, connectMsMax, privateAllowed }: Target): Socket {
  const where = {
    host: address ?? host,
    port,
    ...(privateAllowed ? {} : { lookup: lookupPublic }),
    noDelay: true,
    // By default Node gives each address of a host 250 ms and then tries the next one, for good. A distant server needs
    // longer.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(connectMsMax / 4)),
  }
  if (!tls) return connectTcp(where)
  const name = isIP(host) ? {} : { servername: host }
  return connectTls({
    ...where,
    ...name,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
    secureContext: lenient(),
  })
}

/** Checks the addresses in the resolver's answer, not the name: a name can resolve to any address, and to a different one the
 *  next time. */
const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const outside = addresses.filter(({ address }) => !isNonGlobal(address))
    const [first] = outside
    if (!first)
      return done(Object.assign(new Error(`${host} has no address on the public Internet`), { code: 'EPRIVATE' }), [])
    if (options.all) done(null, outside)
    else done(null, first.address, first.family)
  })
}

/** Returns a TLS context that accepts everything. A harvester records what servers really send: a bad certificate, a short
 *  key or an old protocol is a finding, not a reason to stop. Created once, since loading the system's certificate
 *  authorities costs more than a handshake. */
function lenient(): SecureContext {
  return (lenientContext ??= createSecureContext({ minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' }))
}
let lenientContext: SecureContext | undefined

/** Wraps a connected socket. */
export function connectionOver(socket: Socket): Connection {
  const arrived: Buffer[] = []
  let unreadBytes = 0
  let ended = false
  let closed = false
  let fault: NetworkFault | undefined
  let wake: (() => void) | undefined

  socket.on('data', (chunk: Buffer) => {
    arrived.push(chunk)
    unreadBytes += chunk.length
    if (unreadBytes >= unreadBytesMax) socket.pause()
    wake?.()
  })
  socket.on('error', (error) => {
    fault ??= faultOf(error, undefined)
    wake?.()
  })
  const onEnd = () => {
    ended = true
    wake?.()
  }
  socket.on('end', onEnd).on('close', onEnd)

  /** Returns the answer to a read: bytes first, even if the connection has broken after them. */
  function next(): Uint8Array | undefined | 'nothing' {
    if (closed) return undefined
    const chunk = arrived.shift()
    if (chunk) {
      unreadBytes -= chunk.length
      if (unreadBytes < unreadBytesMax && socket.isPaused()) socket.resume()
      return chunk
    }
    if (fault) throw fault
    return ended ? undefined : 'nothing'
  }

  return {
    remoteAddress: socket.remoteAddress ?? '',
    security: socket instanceof TLSSocket ? securityOf(socket) : undefined,
    get quiet() {
      return arrived.length === 0 && !ended && !closed && !fault
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closedHere())
        socket.write(bytes, (error) => {
          if (!error) resolve()
          else reject(fault ?? (closed ? closedHere() : faultOf(error, undefined)))
        })
      }),
    async read(signal) {
      for (;;) {
        if (signal?.aborted) throw new NetworkFault('aborted')
        const found = next()
        if (found !== 'nothing') return found
        if (wake) throw new Error('two reads of one connection at once')
        await new Promise<void>((resolve) => {
          wake = resolve
          signal?.addEventListener('abort', wake, { once: true })
        })
        if (wake) signal?.removeEventListener('abort', wake)
        wake = undefined
      }
    },
    close() {
      closed = true
      arrived.length = 0
      socket.destroy()
      wake?.()
    },
  }
}

const closedHere = () => new NetworkFault('aborted')

function securityOf(socket: TLSSocket): Security {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    trusted: socket.authorized,
    problem: socket.authorized ? undefined : String(socket.authorizationError),
  }
}

/** Converts an error of a socket. `target` is undefined after the connection was made. */
function faultOf(error: Error, target: Target | undefined): NetworkFault {
  const systemCode = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const code = faultOfCode[systemCode] ?? (/^(ERR_SSL|ERR_TLS|EPROTO$)/.test(systemCode) ? 'tlsFailed' : 'failed')
  return new NetworkFault(code, target && endpointOf(target), { cause: error })
}

function endpointOf({ host, port }: Target): string {
  return `${host}:${port}`
}

const faultOfCode: Record<string, NetworkFaultCode> = {
  EPRIVATE: 'private',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EAI_NODATA: 'unknownHost',
  EAI_NONAME: 'unknownHost',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
}
