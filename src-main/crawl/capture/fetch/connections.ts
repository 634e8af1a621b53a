/** Keep-alive connections to servers, one idle list per origin. The module knows nothing of HTTP: the caller decides whether a
 *  connection may be reused, by giving it back. */
import type { Connection, Target, World } from '../../../world/world.ts'
import { idleConnectionMsMax } from '../../model/limits.ts'

/** A connection for one request. The caller gives it back or closes it. */
export interface Lease {
  connection: Connection
  /** Whether the connection carried an answer before. The server may have closed it since, which is no fault of the document. */
  reused: boolean
}

/** A pool of connections, shared by the requests of a job. */
export interface Connections {
  /** Takes an idle connection or opens one; rejects with `NetworkFault`. `fresh` asks for a new connection in any case. */
  lease(target: Target, fresh: boolean, signal: AbortSignal): Promise<Lease>
  /** Returns a connection for reuse. */
  giveBack(target: Target, connection: Connection): void
  /** Closes the idle connections. */
  closeAll(): void
}

/** Creates an empty pool. */
export function connectionsOf(world: World): Connections {
  const idle = new Map<string, { connection: Connection; sinceMs: number }[]>()
  let sweptMs = world.clock.elapsed()
  /** Closes connections that have been idle too long, so that origins without further requests do not keep their sockets. */
  function sweep(): void {
    const nowMs = world.clock.elapsed()
    if (nowMs - sweptMs < idleConnectionMsMax) return
    sweptMs = nowMs
    for (const [key, entries] of idle) {
      const kept = entries.filter(
        ({ connection, sinceMs }) => nowMs - sinceMs < idleConnectionMsMax && connection.quiet,
      )
      for (const entry of entries) if (!kept.includes(entry)) entry.connection.close()
      if (kept.length > 0) idle.set(key, kept)
      else idle.delete(key)
    }
  }

  return {
    async lease(target, fresh, signal) {
      const waiting = idle.get(keyOf(target))
      // An idle connection is closed for the new one, so that the number of open connections to the server does not grow.
      if (fresh) waiting?.pop()?.connection.close()
      while (!fresh && waiting && waiting.length > 0) {
        const taken = waiting.pop()
        if (!taken) break
        // Unsolicited bytes would be taken for the answer to the next request.
        const isFit = world.clock.elapsed() - taken.sinceMs < idleConnectionMsMax && taken.connection.quiet
        if (isFit) return { connection: taken.connection, reused: true }
        taken.connection.close()
      }
      return { connection: await world.network.connect(target, signal), reused: false }
    },
    giveBack(target, connection) {
      sweep()
      const key = keyOf(target)
      const waiting = idle.get(key)
      const entry = { connection, sinceMs: world.clock.elapsed() }
      if (waiting) waiting.push(entry)
      else idle.set(key, [entry])
    },
    closeAll() {
      for (const { connection } of [...idle.values()].flat()) connection.close()
      idle.clear()
    },
  }
}

function keyOf({ host, port, tls, address }: Target): string {
  return `${tls ? 'https' : 'http'}://${host}:${port} ${address ?? ''}`
}
