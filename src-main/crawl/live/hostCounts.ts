/** How each host of a running job goes, written down with the commit of its documents: one statement for each host of a
 *  commit, however many documents it has. */
import type { Clock } from '../../world/world.ts'
import type { Counts } from '../frontier/frontier.ts'
import { paceMs } from './limits.ts'
import type { LiveStatements } from './live.sql.ts'

interface Account {
  fetched: number
  failed: number
  bytes: number
}

interface Pace {
  lastMs: number
  perMinute: number
}

/** Of the commit under way. */
const none: Account = { fetched: 0, failed: 0, bytes: 0 }
/** Hosts whose pace is remembered; one that was forgotten begins anew, and nothing else is lost. */
const rememberedMax = 10_000

/** In memory all moments are those of `elapsed`; what is written down is by the wall clock of that moment. */
export function hostCounter({ noteHost }: Pick<LiveStatements, 'noteHost'>, clock: Clock) {
  const changed = new Map<number, Account>()
  const paces = new Map<number, Pace>()
  const ready = new Map<number, number>()

  function paceAfter(host: number, documents: number, nowMs: number): number {
    const before = paces.get(host)
    const passedMs = before ? Math.max(1, nowMs - before.lastMs) : paceMs
    // What is older than a minute counts little: each document adds one to a sum that falls away with time.
    const perMinute = (before?.perMinute ?? 0) * Math.exp(-passedMs / paceMs) + documents
    if (paces.size >= rememberedMax) paces.clear()
    paces.set(host, { lastMs: nowMs, perMinute })
    return perMinute
  }

  return {
    note(host: number, { fetched, failed, bytes }: Counts): void {
      const account = changed.get(host) ?? { ...none }
      account.fetched += fetched
      account.failed += failed
      account.bytes += bytes
      changed.set(host, account)
    },
    recordReadyTime(host: number, readyMs: number): void {
      if (ready.size >= rememberedMax) ready.clear()
      ready.set(host, readyMs)
    },
    writeDown(): void {
      const [lastMs, nowMs] = [clock.now(), clock.elapsed()]
      for (const [host, account] of changed) {
        const pace = paceAfter(host, account.fetched + account.failed, nowMs)
        const restsMs = (ready.get(host) ?? -Infinity) - nowMs
        noteHost.run({ host, ...account, lastMs, readyMs: restsMs > 0 ? lastMs + Math.round(restsMs) : null, pace })
      }
      changed.clear()
    },
    forget(): void {
      changed.clear()
    },
  }
}
