/** Keep-alive connections to servers, one idle list per origin. It knows nothing of HTTP: whether a connection may be used
 *  again is said by whoever gives it back. */
import type { Connection, Target, World } from '../../../world/world.ts'
import { idleConnectionMsMax } from '../../model/limits.ts'

export interface Lease {
  connection: Connection
  /** It carried an answer before: the server may have closed it in the meantime, which is no fault of the document. */
  reused: boolean
}

export interface Connections {
  /** Rejects with `NetworkFault`. `fresh` asks for a new connection whatever is idle. */
  lease(target: Target, fresh: boolean, signal: AbortSignal): Promise<Lease>
  giveBack(target: Target, connection: Connection): void
  closeAll(): void
}

export function connectionsOf(world: World): Connections {
  const idle = new Map<string, { connection: Connection; sinceMs: number }[]>()
  let sweptMs = world.clock.elapsed()
  /** Origins that are not asked again must not keep their sockets. */
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
      // One more for the server, one less that lies idle: what it is asked for at once is what it has open.
      if (fresh) waiting?.pop()?.connection.close()
      while (!fresh && waiting && waiting.length > 0) {
        const taken = waiting.pop()
        if (!taken) break
        // Bytes that nobody asked for would be taken for the answer to the next request.
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
