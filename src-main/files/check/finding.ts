/** Findings of the readers as the contract has them: with their place, and what their rule says. */
import type { FileFinding } from '../../contract/contract.ts'
import { finding, type Finding } from '../../formats/rules/finding.ts'
import { ruleNamed, rules } from '../../formats/rules/rules.ts'

export function findingOf({ rule, severity, text, offset, record }: Finding, file: string): FileFinding {
  const { clause, means } = ruleNamed(rule)
  return { rule, severity, clause, means, text, file, record: record ?? null, offset: offset ?? null }
}

/** A file that the disk does not give, or a folder: nothing else can be found in it. */
export function unreadableFinding(path: string, text: string): FileFinding {
  return findingOf(finding('fileUnreadable', `Cannot read the file: ${text}.`), path)
}

export type KnownRule = Pick<FileFinding, 'rule' | 'severity' | 'clause' | 'means'>

/** All that a finding can name. */
export function knownRules(): KnownRule[] {
  return Object.entries(rules).map(([rule, { severity, clause, means }]) => ({ rule, severity, clause, means }))
}
