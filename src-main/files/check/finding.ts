/** What a reader complains of, as a finding that a person can act on: with its place, and what its rule says. */
import type { FileFinding } from '../../contract/contract.ts'
import { complaint, type Complaint } from '../../formats/rules/finding.ts'
import { ruleNamed, rules } from '../../formats/rules/rules.ts'

export function findingOf({ rule, severity, text, offset, record }: Complaint, file: string): FileFinding {
  const { clause, means } = ruleNamed(rule)
  return { rule, severity, clause, means, text, file, record: record ?? null, offset: offset ?? null }
}

/** A file that the disk does not give, or a folder: nothing else can be found in it. */
export function unreadableFinding(path: string, text: string): FileFinding {
  return findingOf(complaint('fileUnreadable', `It cannot be read: ${text}.`), path)
}

export type KnownRule = Pick<FileFinding, 'rule' | 'severity' | 'clause' | 'means'>

/** All that a finding can name. */
export function knownRules(): KnownRule[] {
  return Object.entries(rules).map(([rule, { severity, clause, means }]) => ({ rule, severity, clause, means }))
}
