/** Everything that can be refused, in one table: its HTTP status, the command line's exit code, whether trying again may
 *  help. A fault travels as `{code, text}`; the text is one sentence: what happened, to what, and what to do. */

export const faults = {
  badInput: { status: 400, exitCode: 2, retry: false },
  unknownCall: { status: 404, exitCode: 2, retry: false },
  notFound: { status: 404, exitCode: 3, retry: false },
  refused: { status: 409, exitCode: 4, retry: false },
  notAllowed: { status: 403, exitCode: 4, retry: false },
  inUse: { status: 423, exitCode: 5, retry: true },
  damaged: { status: 500, exitCode: 5, retry: false },
  noSpace: { status: 507, exitCode: 6, retry: true },
  unreachable: { status: 503, exitCode: 5, retry: true },
  stopped: { status: 499, exitCode: 130, retry: true },
  /** A bug of ours: said plainly, with the reference to the log line that holds the stack. */
  internal: { status: 500, exitCode: 1, retry: false },
} as const

export type FaultCode = keyof typeof faults
export const faultCodes = Object.keys(faults) as FaultCode[]

export class Fault extends Error {
  readonly code: FaultCode
  constructor(code: FaultCode, text: string, options?: { cause?: unknown }) {
    super(text, options)
    this.name = 'Fault'
    this.code = code
  }
}
