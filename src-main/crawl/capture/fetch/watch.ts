/** Watches running exchanges and ends them when the server falls silent, the answer takes too long, or the user stops the job.
 *  One periodic sweep checks all of them, since a timer for each read would cost more than the read. */
import type { Connection, World } from '../../../world/world.ts'

/** Interval between sweeps, and so the accuracy of the time limits. */
const sweepMs = 200

/** An exchange under watch. */
export interface Watched {
  /** Restarts the measurement of silence; called when bytes arrive. */
  touch(): void
  /** Why the watch closed the connection; undefined if it did not. */
  readonly ended: 'silence' | 'time' | 'stopped' | undefined
  /** Ends the watch without closing the connection. */
  release(): void
}

/** Starts watching a connection. */
export interface Watch {
  over(connection: Connection, bounds: { silenceMsMax: number; responseMsMax: number }): Watched
}

/** Creates a watch. When `signal` is aborted, it closes every connection that is still watched. */
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
      // Time in which this process stood still does not count: bytes that arrived meanwhile are not read yet.
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
