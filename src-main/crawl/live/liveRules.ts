/** The reject rules and budgets of a running job, as the run applies them. They are read again when a user has changed them, which
 *  is seen by the version of the job; the use of a budget is counted here between two reads. */
import type { Counts } from '../frontier/counts.ts'
import { patternsOf, type Patterns } from '../model/patterns.ts'
import { domainOf } from '../model/urlKeys.ts'
import { spentBy } from './budgets.ts'
import type { ExclusionCause } from './exclusions.ts'
import type { BudgetRow, LiveStatements, UseRow } from './live.sql.ts'

/** A budget, and how much of it the run has used. */
export type BudgetInUse = BudgetRow & UseRow

/** Rules and budgets of one job. */
export interface LiveRules {
  /** Version of the job up to which changes are known. 0: no user has changed its queue. */
  readonly version: number
  /** Reads rules and budgets again if a user has changed them. */
  refresh(): void
  /** Reads rules and budgets again in any case, and forgets uses that were not committed. */
  reload(): void
  /** The reject rule that matches the URL; undefined if there is none. */
  rejected(url: string): ExclusionCause | undefined
  /** The budget of the URL's domain if it is spent; undefined if more may be fetched. */
  spent(url: string): ExclusionCause | undefined
  /** As `spent`, for a registered domain. */
  spentDomain(domain: string): ExclusionCause | undefined
  /** The budget of the URL's domain; undefined if it has none. */
  budgetOf(url: string): Readonly<BudgetInUse> | undefined
  /** Counts the result of a request for the URL; returns its domain if its budget is spent now. */
  use(url: string, counts: Pick<Counts, 'fetched' | 'bytes'>): string | undefined
}

interface Known {
  version: number
  /** Patterns of the reject rules. */
  rules: Patterns
  budgets: Map<string, BudgetInUse>
}

/** Reads the rules and budgets of a job. */
export function liveRulesOf(
  sql: Pick<LiveStatements, 'version' | 'rules' | 'budgets' | 'use'>,
  job: number,
): LiveRules {
  let known = read()

  function versionNow(): number {
    return sql.version.get({ job })?.version ?? 0
  }

  function read(): Known {
    const budgets = sql.budgets.all({ job }).map((budget) => {
      const use = sql.use.get({ job, domain: budget.domain }) ?? { objects: 0, bytes: 0 }
      return [budget.domain, { ...budget, ...use }] as const
    })
    return {
      version: versionNow(),
      rules: patternsOf(sql.rules.all({ job }).map(({ pattern }) => pattern)),
      budgets: new Map(budgets),
    }
  }

  function budgetOf(url: string): BudgetInUse | undefined {
    // Most jobs have no budget, so their URLs need not be parsed.
    return known.budgets.size === 0 ? undefined : known.budgets.get(domainOf(url))
  }

  return {
    get version() {
      return known.version
    },
    refresh() {
      if (versionNow() !== known.version) known = read()
    },
    reload() {
      known = read()
    },
    rejected(url) {
      const pattern = known.rules.matchedBy(url)
      return pattern === undefined ? undefined : { reason: 'rejected', detail: pattern }
    },
    spent: (url) => causeOf(budgetOf(url)),
    spentDomain: (domain) => causeOf(known.budgets.get(domain)),
    budgetOf,
    use(url, { fetched, bytes }) {
      const budget = budgetOf(url)
      if (!budget) return undefined
      budget.objects += fetched
      budget.bytes += bytes
      return spentBy(budget, budget) ? budget.domain : undefined
    },
  }
}

function causeOf(budget: BudgetInUse | undefined): ExclusionCause | undefined {
  const reason = budget && spentBy(budget, budget)
  return budget && reason && { reason, detail: budget.domain }
}
