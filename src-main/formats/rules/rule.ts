/** The shape of a rule. The rules themselves stand in the tables beside this file, one table a standard. */
export interface Rule {
  /** error: bytes are lost or lie. warning: against the standard, but understood. note: allowed, worth knowing. */
  severity: 'error' | 'warning' | 'note'
  /** Where it comes from: the standard with its clause, or whose practice it is. */
  clause: string
  /** What it means for whoever keeps the file, and what to do: sentences for a person. */
  means: string
}

export type RuleTable = Readonly<Record<string, Rule>>
