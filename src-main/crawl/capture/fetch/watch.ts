/** Watches over running exchanges: a server that falls silent, an answer that never ends, a person who stops the job. One
 *  sweep looks at all of them, since a timer of its own for each read would cost more than the read. */
import type { Connection, World } from '../../../world/world.ts'

/** Bounds are kept to within this. */
const sweepMs = 200

export interface Watched {
  /** Bytes came: the silence begins anew. */
  touch(): void
  /** Why the watch closed the connection; undefined while all is well. */
  readonly ended: 'silence' | 'time' | 'stopped' | undefined
  release(): void
}

export interface Watch {
  over(connection: Connection, bounds: { silenceMsMax: number; responseMsMax: number }): Watched
}

/** Ends, and closes every connection still watched, when `signal` is aborted. */
export function watchOf(world: World, signal: AbortSignal): Watch {
  interface Entry {
    connection: Connection
    startedMs: number
    lastMs: number
    silenceMsMax: number
    responseMsMax: number
    ended: Watched['ended']
  }
  const entries = new Set<Entry>()
  let sweeping = false

  const end = (entry: Entry, why: NonNullable<Watched['ended']>) => {
    entry.ended = why
    entries.delete(entry)
    entry.connection.close()
  }
  async function sweep(): Promise<void> {
    let checkedMs = world.clock.elapsed()
    while (entries.size > 0 && !signal.aborted) {
      await world.clock.sleep(sweepMs)
      const nowMs = world.clock.elapsed()
      // When we stood still ourselves, what came meanwhile is not read yet: no server is to blame for that time.
      const ownMs = Math.max(0, nowMs - checkedMs - sweepMs)
      checkedMs = nowMs
      for (const entry of entries) {
        entry.lastMs = Math.min(nowMs, entry.lastMs + ownMs)
        entry.startedMs = Math.min(nowMs, entry.startedMs + ownMs)
        if (nowMs - entry.lastMs > entry.silenceMsMax) end(entry, 'silence')
        else if (nowMs - entry.startedMs > entry.responseMsMax) end(entry, 'time')
      }
    }
    sweeping = false
  }
  signal.addEventListener('abort', () => {
    for (const entry of entries) end(entry, 'stopped')
  })

  return {
    over(connection, { silenceMsMax, responseMsMax }) {
      const nowMs = world.clock.elapsed()
      const entry: Entry = {
        connection,
        startedMs: nowMs,
        lastMs: nowMs,
        silenceMsMax,
        responseMsMax,
        ended: undefined,
      }
      entries.add(entry)
      if (signal.aborted) end(entry, 'stopped')
      else if (!sweeping) {
        sweeping = true
        void sweep()
      }
      return {
        touch: () => {
          entry.lastMs = world.clock.elapsed()
        },
        get ended() {
          return entry.ended
        },
        release: () => entries.delete(entry),
      }
    },
  }
}
