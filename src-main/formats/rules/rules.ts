/** Every rule that a finding can name, in one place: look here for what `recordTorn` means. A rule's table says which
 *  standard it is of; `finding` of finding.ts makes the finding, so that severity and clause cannot differ from one
 *  place to another. `RULES.md` at the root of this floor is generated from the tables. */
import { arcRules } from './arcRules.ts'
import { harRules } from './harRules.ts'
import { fileRules } from './fileRules.ts'
import { httpRules } from './httpRules.ts'
import { importRules } from './importRules.ts'
import { linkRules } from './linkRules.ts'
import { logRules } from './logRules.ts'
import { packingRules } from './packingRules.ts'
import type { Rule } from './rule.ts'
import { warcFieldRules } from './warcFieldRules.ts'
import { warcRules } from './warcRules.ts'
import { waczRules } from './waczRules.ts'
import { zipRules } from './zipRules.ts'

/** By the standard they come from. */
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
  zip: zipRules,
  wacz: waczRules,
  import: importRules,
} as const

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
  ...zipRules,
  ...waczRules,
  ...importRules,
}
export type RuleName = keyof typeof rules

export function ruleNamed(name: RuleName): Rule {
  return rules[name]
}
