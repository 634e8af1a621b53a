/** Applies the user's changes of a job to its run: reject rules, budgets of domains, and counters of hosts. Changes arrive only
 *  through the database, so its version is checked before documents are requested or judged. */
import type { Reason } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { noCounts, type Candidate, type Counts } from '../frontier/frontier.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { patternsOf, type Patterns } from '../model/patterns.ts'
import { hasRoom, spentBy } from './budgets.ts'
import { domainsOf } from './domains.ts'
import { domainOf } from '../model/urlKeys.ts'
import { hostCounter } from './hostCounts.ts'
import { sweptCountMax, sweptEveryMs } from './limits.ts'
import { liveStatements, type BudgetRow, type UseRow } from './live.sql.ts'

/** Why a document is excluded. */
export interface Refused {
  reason: Reason
  detail: string
}

/** Live control as the run of a job sees it. */
export interface LiveRun {
  /** `go`; `wait` if other requests of its domain may use up the budget; `refused` if the budget is spent. */
  hostStatus(origin: string): 'go' | 'wait' | 'refused'
  /** Why a document that was handed out must not be requested; undefined if it may be. */
  refusal(document: { id: number; url: string; role: string }): Refused | undefined
  /** Counts a request as in progress; the function returned ends it, once the result is committed or lost. */
  begin(url: string): () => void
  /** The candidates, with those marked as excluded that a rule or a spent budget refuses. */
  judged(candidates: Candidate[]): Candidate[]
  /** Adds to the counters of a host; called inside the transaction of a commit. */
  note(host: number, url: string, counts: Counts): void
  /** Writes the counters; called inside the transaction of a commit. */
  noteDown(): void
  /** Discards what was noted in a transaction that was rolled back, and reads rules and budgets again. */
  forget(): void
  /** Records when the host may be contacted again, a time of `clock.elapsed`, for the display of the queue. */
  recordReadyTime(host: number, readyMs: number): void
  /** Excludes a batch of waiting documents of spent domains, in a transaction of its own. Returns whether there may be more. */
  sweep(): boolean
}

interface Known {
  version: number
  /** Patterns of the reject rules. */
  rules: Patterns
  budgets: Map<string, BudgetRow & UseRow>
}

/** Opens live control for the run of a job. */
export function openLiveRun({ store, world, job }: { store: Store; world: World; job: number }): LiveRun {
  const sql = liveStatements(store)
  const { count } = frontierStatements(store)
  const account = hostCounter(sql, world.clock)
  const inFlight = new Map<string, number>()
  /** Domains whose budget is spent and that may have waiting documents. */
  const toSweep = new Set<string>()
  /** The domains of the scan in progress, and the last document id that was scanned. */
  let sweeping = { domains: new Set<string>(), after: 0, endedMs: -Infinity }
  domainsOf(store, sql).fill(job)
  leaveOutMarked()
  let known = read()

  function read(): Known {
    const budgets = sql.budgets.all({ job }).map((budget) => {
      const use = sql.use.get({ job, domain: budget.domain }) ?? { objects: 0, bytes: 0 }
      return [budget.domain, { ...budget, ...use }] as const
    })
    return {
      version: sql.version.get({ job })?.version ?? 0,
      rules: patternsOf(sql.rules.all({ job }).map(({ pattern }) => pattern)),
      budgets: new Map(budgets),
    }
  }

  function now(): Known {
    if ((sql.version.get({ job })?.version ?? 0) !== known.version) known = read()
    return known
  }

  /** Documents that a user deleted while the previous run had them in progress. */
  function leaveOutMarked(): void {
    store.transaction(() => {
      for (const [detail, rows] of Map.groupBy(sql.markedWaiting.all({ job }), (row) => row.detail))
        leaveOut(rows, { reason: 'dropped', detail })
      sql.unmark.run({ job })
    })
  }

  /** Excludes waiting documents, and subtracts their former outcomes in this run from the counters. */
  function leaveOut(rows: readonly { id: number }[], refused: Refused): void {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const counts = { ...noCounts }
    for (const { outcome, documents } of sql.outcomes.all({ ids })) counts[outcome] -= documents
    counts.excluded += sql.spend.run({ ids, ...refused })
    count.run({ job, ...counts })
  }

  function rejected(url: string): Refused | undefined {
    const pattern = known.rules.matchedBy(url)
    return pattern === undefined ? undefined : { reason: 'rejected', detail: pattern }
  }

  function spent(url: string): Refused | undefined {
    const { budgets } = known
    if (budgets.size === 0) return undefined
    const budget = budgets.get(domainOf(url))
    const reason = budget && spentBy(budget, budget)
    return budget && reason && { reason, detail: budget.domain }
  }

  function leaveOutSpent(found: readonly { id: number; domain: string }[]): void {
    for (const [domain, rows] of Map.groupBy(found, (row) => row.domain)) {
      const budget = known.budgets.get(domain)
      const reason = budget && spentBy(budget, budget)
      if (reason) leaveOut(rows, { reason, detail: domain })
    }
  }

  function use(url: string, { fetched, bytes }: Counts): void {
    const budget = known.budgets.get(domainOf(url))
    if (!budget) return
    budget.objects += fetched
    budget.bytes += bytes
    if (spentBy(budget, budget)) toSweep.add(budget.domain)
  }

  return {
    hostStatus(url) {
      const { budgets } = known
      if (budgets.size === 0) return 'go'
      const budget = budgets.get(domainOf(url))
      if (!budget) return 'go'
      if (spentBy(budget, budget)) return 'refused'
      return hasRoom(budget, budget, inFlight.get(budget.domain) ?? 0) ? 'go' : 'wait'
    },
    refusal({ id, url, role }) {
      const { version } = now()
      const bySpent = spent(url)
      // Documents are marked only by a change of the user.
      const words = version > 0 ? (sql.markOf.get({ id })?.detail ?? null) : null
      if (words !== null) return { reason: 'dropped', detail: words }
      return bySpent ?? (role === 'robots' ? undefined : rejected(url))
    },
    begin(url) {
      // Counted even without a budget, since one may be set while the request is in progress.
      const domain = domainOf(url)
      inFlight.set(domain, (inFlight.get(domain) ?? 0) + 1)
      return () => {
        const others = (inFlight.get(domain) ?? 1) - 1
        if (others > 0) inFlight.set(domain, others)
        else inFlight.delete(domain)
      }
    },
    judged(candidates) {
      now()
      return candidates.map((candidate) => {
        if (candidate.excluded) return candidate
        const refused = rejected(candidate.url) ?? spent(candidate.url)
        return refused ? { ...candidate, excluded: refused } : candidate
      })
    },
    note(host, url, counts) {
      account.note(host, counts)
      use(url, counts)
    },
    noteDown: () => account.writeDown(),
    forget() {
      account.forget()
      known = read()
    },
    recordReadyTime: (host, readyMs) => account.recordReadyTime(host, readyMs),
    sweep() {
      now()
      if (sweeping.domains.size === 0) {
        if (toSweep.size === 0 || world.clock.elapsed() < sweeping.endedMs + sweptEveryMs) return false
        sweeping = { ...sweeping, domains: new Set(toSweep), after: 0 }
        toSweep.clear()
      }
      const { domains, after } = sweeping
      const last = sql.stretchOfWaiting.get({ job, after, limit: sweptCountMax })?.last ?? undefined
      if (last === undefined) {
        sweeping = { domains: new Set(), after, endedMs: world.clock.elapsed() }
        return false
      }
      const found = sql.ofDomains.all({ job, after, last, domains: JSON.stringify([...domains]) })
      if (found.length > 0) store.transaction(() => leaveOutSpent(found))
      sweeping.after = last
      return true
    },
  }
}
