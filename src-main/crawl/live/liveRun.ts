/** Applies the user's changes of a job to its run: reject rules, budgets of domains, and counters of hosts. Changes arrive only
 *  through the database, so its version is checked before documents are requested or judged. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Candidate } from '../frontier/candidate.ts'
import type { Counts } from '../frontier/counts.ts'
import { hasRoom, spentBy } from './budgets.ts'
import { budgetSweep } from './budgetSweep.ts'
import { domainFetches } from './domainFetches.ts'
import { domainsOf } from './domains.ts'
import type { ExclusionCause } from './exclusions.ts'
import { hostCounter } from './hostCounts.ts'
import { liveRulesOf } from './liveRules.ts'
import { domainOf } from '../model/urlKeys.ts'
import { liveStatements } from './live.sql.ts'
import { excludeMarked, waitingExcluder } from './runExclusions.ts'

/** `go`; `wait` if other requests of its domain may use up the budget; `refused` if the budget is spent. */
export type HostStatus = 'go' | 'wait' | 'refused'

/** Live control as the run of a job sees it. */
export interface LiveRun {
  /** Whether requests to this origin may begin. */
  hostStatus(origin: string): HostStatus
  /** The same where only requests for these URLs may use up the budget. */
  hostStatusAfter(url: string, requests: () => readonly string[]): HostStatus
  /** Why a document that was handed out must not be requested; undefined if it may be. */
  refusal(document: { id: number; url: string; role: string }): ExclusionCause | undefined
  /** Counts a request as in progress; the function returned ends it, once the result is committed or lost. */
  begin(url: string): () => void
  /** The candidates, with those marked as excluded that a rule or a spent budget refuses. */
  judged(candidates: Candidate[]): Candidate[]
  /** Adds to the counters of a host; called inside the transaction of a commit. */
  note(host: number, url: string, counts: Counts): void
  /** Writes the counters; called inside the transaction of a commit. */
  writeCounts(): void
  /** Discards what was noted in a transaction that was rolled back, and reads rules and budgets again. */
  forget(): void
  /** Records when the host may be contacted again, a time of `clock.elapsed`, for the display of the queue. */
  recordReadyTime(host: number, readyMs: number): void
  /** Excludes a batch of waiting documents of spent domains, in a transaction of its own. Returns whether there may be more. */
  sweep(): boolean
}

/** Opens live control for the run of a job. */
export function openLiveRun({ store, world, job }: { store: Store; world: World; job: number }): LiveRun {
  const { clock } = world
  const sql = liveStatements(store)
  const account = hostCounter(sql, clock)
  const fetches = domainFetches()
  const exclude = waitingExcluder({ store, sql, job })
  // Before budgets are read: their use is the sum over the hosts of a domain.
  domainsOf(store, sql).fill(job)
  excludeMarked({ store, sql, job }, exclude)
  const rules = liveRulesOf(sql, job)
  const sweep = budgetSweep({ ...{ store, sql, job, clock, exclude }, spentDomain: rules.spentDomain })

  function statusOf(url: string, countOf: (budget: { domain: string }) => number): HostStatus {
    const budget = rules.budgetOf(url)
    if (!budget) return 'go'
    if (spentBy(budget, budget)) return 'refused'
    return hasRoom(budget, budget, countOf(budget)) ? 'go' : 'wait'
  }

  return {
    hostStatus: (url) => statusOf(url, ({ domain }) => fetches.count(domain)),
    hostStatusAfter: (url, requests) =>
      statusOf(url, ({ domain }) => requests().filter((other) => domainOf(other) === domain).length),
    refusal({ id, url, role }) {
      rules.refresh()
      // Documents are marked only by a change of the user.
      const selection = (rules.version > 0 ? sql.markOf.get({ id })?.detail : null) ?? undefined
      if (selection !== undefined) return { reason: 'dropped', detail: selection }
      // Reject rules are for the URLs that a job collects; robots.txt is requested for the sake of these.
      return rules.spent(url) ?? (role === 'robots' ? undefined : rules.rejected(url))
    },
    // Counted even without a budget, since one may be set while the request is in progress.
    begin: fetches.begin,
    judged(candidates) {
      rules.refresh()
      return candidates.map((candidate) => {
        if (candidate.excluded) return candidate
        const cause = rules.rejected(candidate.url) ?? rules.spent(candidate.url)
        return cause ? { ...candidate, excluded: cause } : candidate
      })
    },
    note(host, url, counts) {
      account.note(host, counts)
      const spentDomain = rules.use(url, counts)
      if (spentDomain !== undefined) sweep.plan(spentDomain)
    },
    writeCounts: () => account.write(),
    forget() {
      account.forget()
      rules.reload()
    },
    recordReadyTime: (host, readyMs) => account.recordReadyTime(host, readyMs),
    sweep() {
      rules.refresh()
      return sweep.step()
    },
  }
}
