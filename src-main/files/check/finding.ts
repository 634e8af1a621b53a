/** Findings of the readers in the form of the contract: with their place, and the text of their rule. */
import type { MessageValue } from '../../contract/words/message.ts'
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import { finding, type Finding } from '../../formats/rules/finding.ts'
import { meaningOf, ruleNamed, rules, type RuleName } from '../../formats/rules/rules.ts'

/** Converts a finding of a file, which may be an entry of a package. */
export function findingOf({ rule, severity, message, offset, record }: Finding, file: string): FileFinding {
  const { clause } = ruleNamed(rule)
  return {
    rule,
    severity,
    clause,
    means: meaningOf(rule),
    message,
    file,
    record: record ?? null,
    offset: offset ?? null,
  }
}

/** The finding for a file that the disk does not return, or a folder: nothing else can be found in it. */
export function unreadableFinding(path: string, problem: MessageValue): FileFinding {
  return findingOf(finding('fileUnreadable', { problem }), path)
}

/** A rule, without any place. */
export type KnownRule = Pick<FileFinding, 'rule' | 'severity' | 'clause' | 'means'>

/** All rules that a finding can name. */
export function knownRules(): KnownRule[] {
  return (Object.keys(rules) as RuleName[]).map((rule) => {
    const { severity, clause } = rules[rule]
    return { rule, severity, clause, means: meaningOf(rule) }
  })
}
