/** All rules that findings refer to, for example `recordTorn`. The table of a rule shows its standard. Findings are
 *  made by `finding` (finding.ts), so that a rule has the same severity and clause everywhere.
 *  `src-main/formats/RULES.md` is generated from the tables. */
import { message, type Message } from '../../contract/words/message.ts'
import { arcRules } from './arcRules.ts'
import { harRules } from './harRules.ts'
import { fileRules } from './fileRules.ts'
import { httpRules } from './httpRules.ts'
import { importRules } from './importRules.ts'
import { linkRules } from './linkRules.ts'
import { logRules } from './logRules.ts'
import { packingRules } from './packingRules.ts'
import type { Rule } from './rule.ts'
import { textRules } from './textRules.ts'
import { warcFieldRules } from './warcFieldRules.ts'
import { warcRules } from './warcRules.ts'
import { waczRules } from './waczRules.ts'
import { zipRules } from './zipRules.ts'

/** Tables by standard. */
export const ruleTables = {
  file: fileRules,
  packing: packingRules,
  warc: warcRules,
  warcFields: warcFieldRules,
  arc: arcRules,
  har: harRules,
  http: httpRules,
  links: linkRules,
  logs: logRules,
  text: textRules,
  zip: zipRules,
  wacz: waczRules,
  import: importRules,
} as const

/** All rules by name. */
export const rules = {
  ...fileRules,
  ...packingRules,
  ...warcRules,
  ...warcFieldRules,
  ...arcRules,
  ...harRules,
  ...httpRules,
  ...linkRules,
  ...logRules,
  ...textRules,
  ...zipRules,
  ...waczRules,
  ...importRules,
}
export type RuleName = keyof typeof rules

/** Returns a rule as its interface, so that its literal types do not reach the caller. */
export function ruleNamed(name: RuleName): Rule {
  return rules[name]
}

/** Returns what a finding of the rule means for the owner of the file, and what to do. */
export function meaningOf(name: RuleName): Message {
  return message(`rule.${name}`)
}
