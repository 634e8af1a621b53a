/** What is strange in bytes we read, said to a person: parsing gives a value and a list of these. Deliberately not an
 *  error: nothing here stops a reader; a world that refuses (disk, network) travels as a fault instead. Made by `finding`. */
import { rules, type RuleName } from './rules.ts'

export interface Finding {
  /** Which rule: `rules/rules.ts` has its clause and what it means. */
  rule: RuleName
  /** What was found here: one sentence for a person. */
  text: string
  severity: 'error' | 'warning' | 'note'
  /** Where: bytes from the start of whatever was parsed (of the file, once a file reader passes it on). */
  offset?: number
  /** Which record of the file, from 1, once a file reader passes it on. */
  record?: number
}

/** `text`: what was found at this place, one sentence. `offset`: bytes from the start of what was parsed. */
export function finding(rule: RuleName, text: string, offset?: number): Finding {
  const { severity } = rules[rule]
  return offset === undefined ? { rule, text, severity } : { rule, text, severity, offset }
}
