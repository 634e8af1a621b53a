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
  if (error instanceof Fault) return { code: error.code, line: text }
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
