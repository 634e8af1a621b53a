/** Findings of the readers in the form of the contract: with their place, and the text of their rule. */
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import { finding, type Finding } from '../../formats/rules/finding.ts'
import { ruleNamed, rules } from '../../formats/rules/rules.ts'

export function findingOf({ rule, severity, text, offset, record }: Finding, file: string): FileFinding {
  const { clause, means } = ruleNamed(rule)
  return { rule, severity, clause, means, text, file, record: record ?? null, offset: offset ?? null }
}

/** The finding for a file that the disk does not return, or a folder: nothing else can be found in it. */
export function unreadableFinding(path: string, text: string): FileFinding {
  return findingOf(finding('fileUnreadable', `Cannot read the file: ${text}.`), path)
}

export type KnownRule = Pick<FileFinding, 'rule' | 'severity' | 'clause' | 'means'>

/** All rules that a finding can name. */
export function knownRules(): KnownRule[] {
  return Object.entries(rules).map(([rule, { severity, clause, means }]) => ({ rule, severity, clause, means }))
}
