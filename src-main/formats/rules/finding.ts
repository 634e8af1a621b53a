/** An irregularity in parsed bytes, described for the user: parsers return a value and a list of findings. A finding
 *  is not an error, and nothing here stops a reader; failures of the disk or the network are reported as faults.
 *  Made by `finding`. */
import { rules, type RuleName } from './rules.ts'

/** One finding, as shown in reports. */
export interface Finding {
  /** The rule; `rules/rules.ts` has its clause and meaning. */
  rule: RuleName
  /** What was found at this place: one sentence for the user. */
  text: string
  severity: 'error' | 'warning' | 'note'
  /** Offset in bytes from the start of the parsed data; from the start of the file once a file reader passes it on. */
  offset?: number
  /** Number of the record in the file, from 1; set by a file reader. */
  record?: number
}

/** Creates a finding with the severity of its rule. `text` says what was found at this place, in one sentence.
 *  `offset` is in bytes from the start of the parsed data. */
export function finding(rule: RuleName, text: string, offset?: number): Finding {
  const { severity } = rules[rule]
  return offset === undefined ? { rule, text, severity } : { rule, text, severity, offset }
}
