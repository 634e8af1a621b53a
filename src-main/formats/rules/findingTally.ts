/** Findings counted and the first of each rule kept, so that a billion bad records give a report of bounded size: no more
 *  than there are rules, times the bound. Severities come from the rules, so the counts by severity are of all findings. */
import type { Finding } from './finding.ts'
import type { RuleName } from './rules.ts'

/** Findings kept of each rule. A person looks at the first few; the count says how many there are. */
const findingsPerRuleMax = 100

/** Where a finding is. */
export interface PlacedFinding extends Finding {
  file: string
}

export interface RuleFindings {
  rule: RuleName
  severity: Finding['severity']
  count: number
  /** The first of them, in the order of the files. */
  first: PlacedFinding[]
}

export interface FindingCounts {
  errors: number
  warnings: number
  notes: number
}

const severityOrder = { error: 0, warning: 1, note: 2 } as const

export class FindingTally {
  readonly counts: FindingCounts = { errors: 0, warnings: 0, notes: 0 }
  #rules = new Map<RuleName, RuleFindings>()
  #perRuleMax: number

  constructor(perRuleMax = findingsPerRuleMax) {
    this.#perRuleMax = perRuleMax
  }

  /** True where it was kept. */
  add(found: Finding, file: string): boolean {
    this.counts[`${found.severity}s`]++
    const { rule, severity } = found
    const kept = this.#rules.get(rule) ?? { rule, severity, count: 0, first: [] }
    this.#rules.set(rule, kept)
    kept.count++
    if (kept.first.length >= this.#perRuleMax) return false
    kept.first.push({ ...found, file })
    return true
  }

  /** Errors first, and of one severity the most frequent first. */
  rules(): RuleFindings[] {
    const bySeverity = (one: RuleFindings, other: RuleFindings): number =>
      severityOrder[one.severity] - severityOrder[other.severity] || other.count - one.count
    return [...this.#rules.values()].sort(bySeverity)
  }
}
