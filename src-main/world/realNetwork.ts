/** TCP and TLS through node:net and node:tls, read by pulling so that a slow reader slows the sender. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { NetworkFault, type Connection, type Network, type NetworkFaultCode, type Security, type Target } from './world.ts'

export const realNetwork: Network = {
  async connect(target, signal) {
    const socket = open(target)
    socket.setNoDelay(true)
    await connected(socket, target, signal)
    return connectionOver(socket, target.tls ? securityOf(socket as TLSSocket) : undefined)
  },
}

function open({ host, port, address, tls }: Target): Socket {
  const where = { host: address ?? host, port }
  if (!tls) return connectTcp(where)
  // A harvester records what servers really send: a bad certificate is a finding, not a reason to stop.
  return connectTls({ ...where, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
}

function connected(socket: Socket, target: Target, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(new NetworkFault('timeout', `no connection to ${target.host}:${target.port} within ${target.connectMsMax} ms`)),
      target.connectMsMax,
    )
    const onAbort = () => fail(new NetworkFault('aborted', 'stopped while connecting'))
    const onError = (error: Error) => fail(faultOf(error, target))
    const onReady = () => {
      settle()
      resolve()
    }
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.off('error', onError)
    }
    const fail = (fault: NetworkFault) => {
      settle()
      socket.on('error', () => undefined) // a late error of a socket that we have given up says nothing new
      socket.destroy()
      reject(fault)
    }
    socket.once('error', onError)
    socket.once(target.tls ? 'secureConnect' : 'connect', onReady)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function connectionOver(socket: Socket, security: Security | undefined): Connection {
  let fault: NetworkFault | undefined
  let wake: (() => void) | undefined
  const notify = () => wake?.()
  socket.on('error', (error) => {
    fault = faultOf(error, undefined)
    notify()
  })
  socket.on('readable', notify).on('end', notify).on('close', notify)
  return {
    remoteAddress: socket.remoteAddress ?? '',
    security,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(faultOf(error, undefined)) : resolve()))
      }),
    async read(signal) {
      for (;;) {
        if (signal?.aborted) throw new NetworkFault('aborted', 'stopped while reading')
        const chunk: Buffer | null = socket.read()
        if (chunk !== null) return chunk
        if (fault) throw fault
        if (socket.readableEnded || socket.destroyed) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          signal?.addEventListener('abort', notify, { once: true })
        })
        signal?.removeEventListener('abort', notify)
        wake = undefined
      }
    },
    close: () => void socket.destroy(),
  }
}

function securityOf(socket: TLSSocket): Security {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    trusted: socket.authorized,
    problem: socket.authorized ? undefined : String(socket.authorizationError),
  }
}

function faultOf(error: Error, target: Target | undefined): NetworkFault {
  const systemCode = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const code = faultOfCode[systemCode] ?? (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(systemCode) ? 'tlsFailed' : 'failed')
  const where = target ? ` (${target.host}:${target.port})` : ''
  return new NetworkFault(code, `${faultText[code]}${where}`, { cause: error })
}

const faultText: Record<NetworkFaultCode, string> = {
  unknownHost: 'the host name is not known',
  refused: 'the server refuses connections',
  unreachable: 'the server cannot be reached',
  reset: 'the server broke the connection',
  timeout: 'the server did not answer in time',
  tlsFailed: 'no secure connection could be agreed',
  aborted: 'stopped',
  failed: 'the connection failed',
}

const faultOfCode: Record<string, NetworkFaultCode> = {
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
