/** Servers and connections in memory: `serve` sets up a server at a host name, `trouble` makes it fail. Names, latencies and
 *  pieces come from the seed. TLS is only a label on the connection: real cryptography is used only in the real world. */
import { isIP } from 'node:net'
import { isNonGlobal } from '../globalAddress.ts'
import type { SeededChance } from './seededChance.ts'
import type { Machine } from './seededMachine.ts'
import { pipe, type Pipe } from './seededPipe.ts'
import type { SeededTime } from './seededTime.ts'
import {
  NetworkFault,
  type Connection,
  type Network,
  type NetworkFaultCode,
  type Security,
  type Target,
} from '../world.ts'

/** The server's side of a conversation; the connection is closed when it resolves. */
export type Handler = (connection: Connection) => Promise<void>

/** A failure of a server. */
export type Trouble =
  | { kind: 'refuse' | 'unreachable' }
  /** Packets are lost: a connection is never made. */
  | { kind: 'noConnection' }
  /** The connection is made, but no answer arrives. */
  | { kind: 'noAnswer' }
  /** Every connection breaks once the server has sent this many bytes. */
  | { kind: 'reset'; afterBytes: number }

/** Controls of the network for tests. */
export interface NetworkControls {
  /** Sets up a server at `host:port`; with `security` it uses TLS. The returned function takes it down: connections are
   *  refused. */
  serve(host: string, port: number, handler: Handler, security?: Security): () => void
  /** Sets the failure of `host:port` for every connection made from now on; undefined removes it. */
  trouble(host: string, port: number, trouble: Trouble | undefined): void
}

/** Everything outside the machine, which survives its crash. */
export interface Internet extends NetworkControls {
  connect(from: Machine, target: Target, signal: AbortSignal | undefined): Promise<Connection>
  /** Ends the connections of a machine that has stopped: the servers find them broken. */
  forget(machine: Machine): void
}

interface Server {
  handler: Handler
  security: Security | undefined
}

const clientAddress = '10.0.0.1'

/** Returns an internet without servers. */
export function seededInternet(time: SeededTime, chance: SeededChance): Internet {
  const servers = new Map<string, Server>()
  const troubles = new Map<string, Trouble>()
  /** Host names are never forgotten: a server that was taken down refuses connections, but its name stays known. */
  const addresses = new Map<string, string>()
  const pipes = new Map<Machine, Set<Pipe>>()

  async function meet(target: Target): Promise<{ server: Server; trouble: Trouble | undefined; address: string }> {
    const address = target.address ?? addresses.get(target.host) ?? (isIP(target.host) === 0 ? undefined : target.host)
    if (address === undefined) throw fault('unknownHost', target)
    if (!target.privateAllowed && isNonGlobal(address)) throw fault('private', target)
    await new Promise<void>((resolve) => void time.after(chance.below(40_000) / 1000, resolve))
    const trouble = troubles.get(`${address}:${target.port}`)
    if (trouble?.kind === 'noConnection') return new Promise(() => {})
    if (trouble?.kind === 'unreachable') throw fault('unreachable', target)
    const server = servers.get(`${address}:${target.port}`)
    if (!server || trouble?.kind === 'refuse') throw fault('refused', target)
    if (target.tls && !server.security) throw fault('tlsFailed', target)
    return { server, trouble, address }
  }
  function addressOf(host: string): string {
    const known = addresses.get(host)
    if (known !== undefined) return known
    // Hosts are on the public Internet unless their name is an address that is not.
    const address = isIP(host) === 0 ? `20.0.${(addresses.size >> 8) + 1}.${addresses.size & 255}` : host
    addresses.set(host, address)
    // An address resolves to itself.
    addresses.set(address, address)
    return address
  }

  return {
    serve(host, port, handler, security) {
      const key = `${addressOf(host)}:${port}`
      servers.set(key, { handler, security })
      return () => void servers.delete(key)
    },
    trouble(host, port, trouble) {
      const key = `${addressOf(host)}:${port}`
      if (trouble) troubles.set(key, trouble)
      else troubles.delete(key)
    },
    async connect(from, target, signal) {
      const { server, trouble, address } = await bounded(time, target, signal, meet(target))
      const [there, back] = [pipe(time, chance.fork()), pipe(time, chance.fork())]
      const held = pipes.get(from) ?? new Set()
      pipes.set(from, held.add(there).add(back))
      const security = target.tls ? server.security : undefined
      const near = connection(address, security, { incoming: back, outgoing: there }, () => {
        held.delete(there)
        held.delete(back)
      })
      // Plain HTTP to a TLS port, or the reverse, ends the connection.
      if (server.security && !target.tls) back.break(fault('reset', target))
      else if (trouble?.kind !== 'noAnswer') {
        const far = connection(clientAddress, security, {
          incoming: there,
          outgoing: breaking(back, there, trouble, target),
        })
        void attend(server.handler, far, time)
      }
      return near
    },
    forget(machine) {
      for (const held of pipes.get(machine) ?? []) held.break(new NetworkFault('reset'))
      pipes.delete(machine)
    },
  }
}

/** Returns the network of one machine. */
export function seededNetwork(internet: Internet, machine: Machine): Network {
  return {
    async connect(target, signal) {
      const made = await machine.does(() => internet.connect(machine, target, signal))
      return {
        remoteAddress: made.remoteAddress,
        security: made.security,
        get quiet() {
          return made.quiet
        },
        write: (bytes) => machine.does(() => made.write(bytes)),
        read: (signal) => machine.does(() => made.read(signal)),
        close: () => made.close(),
      }
    },
  }
}

async function attend(handler: Handler, far: Connection, time: SeededTime): Promise<void> {
  try {
    await handler(far)
  } catch (error) {
    // A closed connection is normal for a server. Any other error is a bug of the server and ends the run.
    if (!(error instanceof NetworkFault)) time.fail(error)
  }
  far.close()
}

function connection(
  remoteAddress: string,
  security: Security | undefined,
  { incoming, outgoing }: { incoming: Pipe; outgoing: Pipe },
  onClose = () => {},
): Connection {
  return {
    remoteAddress,
    security,
    get quiet() {
      return incoming.quiet()
    },
    write: (bytes) => outgoing.write(bytes),
    read: (signal) => incoming.read(signal),
    close() {
      outgoing.end()
      incoming.leave()
      onClose()
    },
  }
}

/** Breaks both directions once `afterBytes` were sent; bytes sent before arrive first. */
function breaking(back: Pipe, there: Pipe, trouble: Trouble | undefined, target: Target): Pipe {
  if (trouble?.kind !== 'reset') return back
  let bytesLeft = trouble.afterBytes
  return {
    ...back,
    async write(bytes) {
      await back.write(bytes.subarray(0, bytesLeft))
      bytesLeft -= bytes.length
      if (bytesLeft >= 0) return
      back.breakAfterwards(fault('reset', target))
      there.break(fault('reset', target))
      throw fault('reset', target)
    },
  }
}

/** Settles with the first of: the work, the time limit of the target, the signal. */
function bounded<T>(time: SeededTime, target: Target, signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => reject(fault('aborted', target)))
    const takeBack = time.after(target.connectMsMax, () => settle(() => reject(fault('timeout', target))))
    const settle = (act: () => void) => {
      takeBack()
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function fault(code: NetworkFaultCode, { host, port }: Target): NetworkFault {
  return new NetworkFault(code, `${host}:${port}`)
}
