/** Counters of each host of a running job, written with the commit of its documents: one statement for each host of a commit,
 *  regardless of the number of documents. */
import type { Clock } from '../../world/world.ts'
import type { Counts } from '../frontier/counts.ts'
import { paceMs } from './limits.ts'
import type { LiveStatements } from './live.sql.ts'

interface Account {
  fetched: number
  failed: number
  bytes: number
}

/** Documents per minute, as an exponentially decaying sum. */
interface Pace {
  lastMs: number
  perMinute: number
}

/** Counters of a host at the beginning of a commit. */
const none: Account = { fetched: 0, failed: 0, bytes: 0 }
/** Hosts whose pace is kept in memory. Forgetting a host only restarts the measurement of its pace. */
const rememberedMax = 10_000

/** Creates the counters. Times in memory are those of `clock.elapsed`; times in the database are of the wall clock. */
export function hostCounter({ noteHost }: Pick<LiveStatements, 'noteHost'>, clock: Clock) {
  const changed = new Map<number, Account>()
  const paces = new Map<number, Pace>()
  const ready = new Map<number, number>()

  function paceAfter(host: number, documents: number, nowMs: number): number {
    const before = paces.get(host)
    const passedMs = before ? Math.max(1, nowMs - before.lastMs) : paceMs
    // Each document adds one to a sum that decays over time, so documents from more than a minute ago count little.
    const perMinute = (before?.perMinute ?? 0) * Math.exp(-passedMs / paceMs) + documents
    if (paces.size >= rememberedMax) paces.clear()
    paces.set(host, { lastMs: nowMs, perMinute })
    return perMinute
  }

  return {
    /** Adds to the counters of a host. */
    note(host: number, { fetched, failed, bytes }: Counts): void {
      const account = changed.get(host) ?? { ...none }
      account.fetched += fetched
      account.failed += failed
      account.bytes += bytes
      changed.set(host, account)
    },
    /** Records when the host may be contacted again, as a time of `clock.elapsed`. */
    recordReadyTime(host: number, readyMs: number): void {
      if (ready.size >= rememberedMax) ready.clear()
      ready.set(host, readyMs)
    },
    /** Writes the counters of the commit; called inside its transaction. */
    write(): void {
      const [lastMs, nowMs] = [clock.now(), clock.elapsed()]
      for (const [host, account] of changed) {
        const pace = paceAfter(host, account.fetched + account.failed, nowMs)
        const restsMs = (ready.get(host) ?? -Infinity) - nowMs
        noteHost.run({ host, ...account, lastMs, readyMs: restsMs > 0 ? lastMs + Math.round(restsMs) : null, pace })
      }
      changed.clear()
    },
    /** Discards the counters of a commit that was rolled back. */
    forget(): void {
      changed.clear()
    },
  }
}
