/** Scans the queue of a running job for documents of domains whose budget is spent, and excludes them, in bounded steps. */
import type { Clock } from '../../world/world.ts'
import type { ExclusionCause } from './exclusions.ts'
import { sweptCountMax, sweptEveryMs } from './limits.ts'
import type { ExcludeWaiting, RunExclusionsSetting } from './runExclusions.ts'

/** The scans of one run. */
export interface BudgetSweep {
  /** Plans a scan for the domain. Scans of several domains are made together. */
  plan(domain: string): void
  /** Makes one step, in a transaction of its own. Returns whether there may be more to do. */
  step(): boolean
}

interface BudgetSweepSetting extends RunExclusionsSetting {
  clock: Pick<Clock, 'elapsed'>
  exclude: ExcludeWaiting
  /** Returns the cause if the budget of the domain is still spent; a user may have raised it since the scan was planned. */
  spentDomain(domain: string): ExclusionCause | undefined
}

/** Opens the scan of a job's queue. */
export function budgetSweep({ store, sql, job, clock, exclude, spentDomain }: BudgetSweepSetting): BudgetSweep {
  const planned = new Set<string>()
  /** Domains of the scan in progress; empty if there is none. */
  let domains = new Set<string>()
  /** Id of the last document that was scanned. */
  let after = 0
  let endedMs = -Infinity

  function begin(): boolean {
    if (planned.size === 0 || clock.elapsed() < endedMs + sweptEveryMs) return false
    domains = new Set(planned)
    planned.clear()
    after = 0
    return true
  }

  function end(): void {
    domains = new Set()
    endedMs = clock.elapsed()
  }

  function excludeSpent(found: readonly { id: number; domain: string }[]): void {
    for (const [domain, rows] of Map.groupBy(found, (row) => row.domain)) {
      const cause = spentDomain(domain)
      if (cause) exclude(rows, cause)
    }
  }

  return {
    plan: (domain) => void planned.add(domain),
    step() {
      if (domains.size === 0 && !begin()) return false
      const last = sql.batchOfWaiting.get({ job, after, limit: sweptCountMax })?.last ?? undefined
      if (last === undefined) {
        end()
        return false
      }
      const found = sql.ofDomains.all({ job, after, last, domains: JSON.stringify([...domains]) })
      if (found.length > 0) store.transaction(() => excludeSpent(found))
      after = last
      return true
    },
  }
}
