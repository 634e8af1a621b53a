/** The shape of a rule. The rules are in the tables next to this file, one table per standard. */
export interface Rule {
  /** error: bytes are lost or lie. warning: against the standard, but understood. note: allowed, worth knowing. */
  severity: 'error' | 'warning' | 'note'
  /** Where it comes from: the standard with its clause, or whose practice it is. */
  clause: string
  /** What the finding means for the keeper of the file, and what to do: one to three sentences for users. */
  means: string
}

export type RuleTable = Readonly<Record<string, Rule>>
