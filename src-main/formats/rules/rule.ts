/** A rule. The rules are in the tables of this folder, one table for each standard; what a rule means is in
 *  `contract/words/rules`. */
export interface Rule {
  /** `error`: bytes are lost or wrong. `warning`: violates the standard, but is understood. `note`: allowed, worth
   *  knowing. */
  severity: 'error' | 'warning' | 'note'
  /** Source of the rule: a standard with its clause, or a practice. */
  clause: string
}

export type RuleTable = Readonly<Record<string, Rule>>
