/** Error messages of the command line: one line that names what happened, to what, and what to do, and the exit code. */
import { CommanderError } from 'commander'
import { Fault, faults, type FaultCode } from '../../../contract/calls/faults.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { messageOf } from '../../../contract/text/messageOf.ts'
import { parserProblem } from './parserProblem.ts'

/** An error as the command line reports it. */
export interface Problem {
  line: string
  code: FaultCode
  exitCode: number
}

export function problemOf(error: unknown): Problem {
  const { code, line } = faultOf(error)
  return { line, code, exitCode: faults[code].exitCode }
}

function faultOf(error: unknown): Pick<Problem, 'code' | 'line'> {
  if (error instanceof CommanderError) return { code: 'badInput', line: oneLine(textOf(parserProblem(error))) }
  const text = oneLine(messageOf(error))
  if (error instanceof Fault) return { code: error.code, line: sentence(text) }
  return { code: 'internal', line: textFor('cli.bug', { problem: text }) }
}

/** The stacks of an error and all its causes, the outermost first, for --debug. */
export function stacksOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause = error instanceof Error && error.cause !== undefined ? `\nCaused by ${stacksOf(error.cause)}` : ''
  return `${stack}${cause}`
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

/** Words with which sentences begin here. Any other first word may be the name of a file, and a name is never changed. */
const beginnings =
  /^(an?|the|this|that|there|no|not|nobody|nothing|two|its?|every|only|replica|check|job|line|stopped|ended|unknown|missing|too|option|command|error|required|excess) /

/** Makes a sentence. A text that begins with a name (harvest.workers, a path, a file called passwd) keeps it unchanged. */
export function sentence(text: string): string {
  const begun = beginnings.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return `${begun}${/[.!?]$/.test(text) ? '' : '.'}`
}
