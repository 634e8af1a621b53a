/** What was found wrong with one imported file: exact counts, and the first findings of each rule. */
import { FindingTally, type RuleFindings } from '../../formats/rules/findingTally.ts'
import type { Account } from '../../formats/rewrite/account.ts'

export type Findings = RuleFindings[]

export const noFindings: Findings = []

/** Those of two looks at one file. Each has kept no more of a rule than is kept. */
export function together(one: Findings, other: Findings): Findings {
  const rules = new Map(one.map((found) => [found.rule, { ...found }]))
  for (const found of other) {
    const known = rules.get(found.rule)
    const sum = known && { ...known, count: known.count + found.count, first: [...known.first, ...found.first] }
    rules.set(found.rule, sum ?? found)
  }
  return [...rules.values()]
}

/** Those of a file that was written anew from another. */
export function findingsOf({ findings }: Account, file: string): Findings {
  const tally = new FindingTally()
  for (const found of findings.items) tally.add(found, file)
  return tally.rules()
}
