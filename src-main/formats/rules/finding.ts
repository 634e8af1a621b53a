/** An irregularity in parsed bytes, described for the user: parsers return a value and a list of findings. A finding
 *  is not an error, and nothing here stops a reader; failures of the disk or the network are reported as faults.
 *  Made by `finding`. */
import { message, type Message, type MessageCode, type ValuesFor } from '../../contract/words/message.ts'
import { rules, type RuleName } from './rules.ts'

/** One finding, as shown in reports. */
export interface Finding {
  /** The rule; `rules/rules.ts` has its clause and meaning. */
  rule: RuleName
  /** What was found at this place: one sentence for the user. */
  message: Message
  severity: 'error' | 'warning' | 'note'
  /** Offset in bytes from the start of the parsed data; from the start of the file once a file reader passes it on. */
  offset?: number
  /** Number of the record in the file, from 1; set by a file reader. */
  record?: number
}

/** A rule, or a rule with one of several texts: `chunksTorn`, `waczIndexLineOutside.absent`. */
export type FindingCode = MessageCode extends infer Code ? (Code extends `finding.${infer Name}` ? Name : never) : never

/** The values of the text, if it takes any, and the offset. */
type Given<Code extends FindingCode> = [...ValuesFor<`finding.${Code}`>, offset?: number]

/**
 * Creates a finding with the severity of its rule and its text in `contract/words/findings`. `offset` is in bytes from
 * the start of the parsed data.
 *
 *     finding('memberChecksum', offset)
 *     finding('arcUrlBlank', { url }, offset)
 */
export function finding<Code extends FindingCode>(code: Code, ...given: Given<Code>): Finding
export function finding(code: string, ...[first, second]: (Message['values'] | number)[]): Finding {
  const rule = code.split('.', 1)[0] as RuleName
  if (typeof first === 'object')
    return findingWith(rule, { code: `finding.${code}`, values: first }, second as number | undefined)
  return findingWith(rule, { code: `finding.${code}` }, first)
}

/** Creates a finding whose text several rules share. */
export function findingWith(rule: RuleName, text: Message, offset?: number): Finding {
  const found = { rule, message: text, severity: rules[rule].severity }
  return offset === undefined ? found : { ...found, offset }
}

/** Names the file in a package that a finding is about. */
export function findingWithin(path: string, found: Finding): Finding {
  return { ...found, message: message('found.within', { path, finding: found.message }) }
}
