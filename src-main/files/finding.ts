/** What a reader complains of, as a finding that a person can act on: with its place, and what its rule says. */
import type { FileFinding } from '../contract/contract.ts'
import type { Complaint } from '../formats/complaint.ts'
import { ruleNamed } from '../formats/rules/rules.ts'

export function findingOf({ rule, severity, text, offset, record }: Complaint, file: string): FileFinding {
  const { clause, means } = ruleNamed(rule)
  return { rule, severity, clause, means, text, file, record: record ?? null, offset: offset ?? null }
}
