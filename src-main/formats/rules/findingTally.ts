/** Counts findings and keeps the first ones of each rule, so that the report on a billion bad records has a bounded
 *  size: at most the number of rules times the limit. The counts by severity include all findings. */
import type { Finding } from './finding.ts'
import type { RuleName } from './rules.ts'

/** Maximum number of findings kept for each rule. Users look at the first few; the count gives their number. */
const findingsPerRuleMax = 100

/** A finding with its file. */
export interface PlacedFinding extends Finding {
  file: string
}

/** The findings of one rule. */
export interface RuleFindings {
  rule: RuleName
  severity: Finding['severity']
  count: number
  /** The first findings, in the order of the files. */
  first: PlacedFinding[]
}

/** Numbers of findings by severity. */
export interface FindingCounts {
  errors: number
  warnings: number
  notes: number
}

const severityOrder = { error: 0, warning: 1, note: 2 } as const

/** Counts are exact; the findings that are kept are the first in the order in which they were added. */
export class FindingTally {
  readonly counts: FindingCounts = { errors: 0, warnings: 0, notes: 0 }
  #rules = new Map<RuleName, RuleFindings>()
  #perRuleMax: number

  constructor(perRuleMax = findingsPerRuleMax) {
    this.#perRuleMax = perRuleMax
  }

  /** Counts a finding. Returns true when it is kept. */
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

  /** Returns the findings by rule: errors first, and within a severity the most frequent rules first. */
  rules(): RuleFindings[] {
    const bySeverity = (one: RuleFindings, other: RuleFindings): number =>
      severityOrder[one.severity] - severityOrder[other.severity] || other.count - one.count
    return [...this.#rules.values()].sort(bySeverity)
  }
}
