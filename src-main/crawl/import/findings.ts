/** Findings on one imported file: exact counts, and the first findings of each rule. */
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { FindingTally, type RuleFindings } from '../../formats/rules/findingTally.ts'
import type { Account } from '../../formats/rewrite/account.ts'

/** Text of a stored finding. It is one sentence, but it may quote long values. */
const findingCharactersMax = 500

/** Writes the text of a finding for the database. An overlong one is stored as its English text, cut. */
export function storedFinding(found: Message): string {
  const stored = storedMessage(found)
  if (stored.length <= findingCharactersMax) return stored
  return storedMessage(message('text', { text: textOf(found).slice(0, findingCharactersMax) }))
}

/** One entry per rule. */
export type Findings = RuleFindings[]

/** An empty list of findings. */
export const noFindings: Findings = []

/** Merges the findings of two checks of one file. Each of them is already limited per rule. */
export function together(one: Findings, other: Findings): Findings {
  const rules = new Map(one.map((found) => [found.rule, { ...found }]))
  for (const found of other) {
    const known = rules.get(found.rule)
    const sum = known && { ...known, count: known.count + found.count, first: [...known.first, ...found.first] }
    rules.set(found.rule, sum ?? found)
  }
  return [...rules.values()]
}

/** The findings of a rewrite, attributed to the file that was rewritten. */
export function findingsOf({ findings }: Account, file: string): Findings {
  const tally = new FindingTally()
  for (const found of findings.items) tally.add(found, file)
  return tally.rules()
}
