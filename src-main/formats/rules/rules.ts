/** Every rule that a finding can name, in one place: look here for what `recordTorn` means. A rule's table says which
 *  standard it is of; `complaint` of complaint.ts makes the finding, so that severity and clause cannot differ from one place to another. */
import { arcRules } from './arcRules.ts'
import { httpRules } from './httpRules.ts'
import { linkRules } from './linkRules.ts'
import { packingRules } from './packingRules.ts'
import type { Rule } from './rule.ts'
import { warcRules } from './warcRules.ts'

/** By the standard they come from. */
export const ruleTables = { packing: packingRules, warc: warcRules, arc: arcRules, http: httpRules, links: linkRules } as const

export const rules = { ...packingRules, ...warcRules, ...arcRules, ...httpRules, ...linkRules }
export type RuleName = keyof typeof rules

export function ruleNamed(name: RuleName): Rule {
  return rules[name]
}
