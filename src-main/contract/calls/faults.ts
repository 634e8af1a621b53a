/**
 * Every fault in one table: its HTTP status, the exit code of the command line, and whether a retry may help. A fault is sent as
 * `SentFault`: its code, the message, and the message's text in English.
 */
import { message, messageIn, type Message } from '../words/message.ts'
import { textOf } from '../words/render.ts'

export const faults = {
  badInput: { status: 400, exitCode: 2, retry: false },
  unknownCall: { status: 404, exitCode: 2, retry: false },
  notFound: { status: 404, exitCode: 3, retry: false },
  refused: { status: 409, exitCode: 4, retry: false },
  notAllowed: { status: 403, exitCode: 4, retry: false },
  /** The account has to give its password again (`accounts.confirm`); then the call may be repeated. */
  passwordNeeded: { status: 403, exitCode: 4, retry: false },
  inUse: { status: 423, exitCode: 5, retry: true },
  damaged: { status: 500, exitCode: 5, retry: false },
  noSpace: { status: 507, exitCode: 6, retry: true },
  unreachable: { status: 503, exitCode: 5, retry: true },
  stopped: { status: 499, exitCode: 130, retry: true },
  /** A bug in Loupe: reported as such, with a reference to the log line that holds the stack. */
  internal: { status: 500, exitCode: 1, retry: false },
} as const

export type FaultCode = keyof typeof faults
export const faultCodes = Object.keys(faults) as FaultCode[]

/** Path of a value in the input of a call: `['definition', 'seeds', 2]`. */
export type FieldPath = readonly (string | number)[]

/** The error with which a call is refused or fails. */
export class Fault extends Error {
  readonly code: FaultCode
  /** What failed, why, and what to do; undefined where only the text is known. `Error.message` is that text, in English. */
  readonly userMessage: Message | undefined
  /** Fields of the input that are refused; empty where the refusal concerns no particular field. */
  readonly fields: readonly FieldPath[]
  constructor(code: FaultCode, reason: Message | string, options?: { cause?: unknown; fields?: readonly FieldPath[] }) {
    super(typeof reason === 'string' ? reason : textOf(reason), options)
    this.name = 'Fault'
    this.code = code
    this.userMessage = typeof reason === 'string' ? undefined : reason
    this.fields = options?.fields ?? []
  }
}

/** Returns the message of a fault for users, or its text where it has none. */
export function userMessageOf({ userMessage, message: text }: Fault): Message {
  return userMessage ?? message('text', { text })
}

/** A fault as every transport sends it. Absent: `message` where only the text is known, `fields` where the fault concerns none. */
export interface SentFault {
  code: FaultCode
  text: string
  message?: Message
  fields?: readonly FieldPath[]
}

/** Converts a fault to the form in which it is sent. */
export function sentFault({ code, message: text, userMessage, fields }: Fault): SentFault {
  return { code, text, ...(userMessage && { message: userMessage }), ...(fields.length > 0 && { fields }) }
}

/** Restores a fault from the form in which it was sent. */
export function faultFrom({ code, text, message, fields }: SentFault): Fault {
  return new Fault(code, message ?? text, { fields: fieldsIn(fields) })
}

/** Restores the class of a fault that a worker thread threw: an error that leaves a thread keeps its name, text and properties, but
 *  not its class. Returns any other value unchanged. */
export function faultFromThread(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault || error.name !== 'Fault') return error
  const { userMessage, fields, message: text } = error as Error & Partial<Record<'userMessage' | 'fields', unknown>>
  const sent = sentFaultIn({ ...error, text, message: userMessage, fields })
  return sent ? new Fault(sent.code, sent.message ?? text, { cause: error, fields: sent.fields ?? [] }) : error
}

/** Reads a fault from a reply of unknown shape. Undefined where it is none; an unknown code becomes `internal`. */
export function sentFaultIn(value: unknown): SentFault | undefined {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('text' in value)) return undefined
  const code = isFaultCode(value.code) ? value.code : 'internal'
  const message = 'message' in value ? messageIn(value.message) : undefined
  const fields = 'fields' in value ? fieldsIn(value.fields) : []
  return { code, text: String(value.text), ...(message && { message }), ...(fields.length > 0 && { fields }) }
}

function isFaultCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(faults, code)
}

/** Runs the check of one field of the input: a refusal without fields is about this one. */
export function inField<Value>(path: FieldPath, look: () => Value): Value {
  return withFields(look, (fields) => (fields.length === 0 ? [path] : fields.map((field) => [...path, ...field])))
}

/** Runs the check of one part of the input: the fields that a refusal names are fields of this part. */
export function inPart<Value>(path: FieldPath, look: () => Value): Value {
  return withFields(look, (fields) => fields.map((field) => [...path, ...field]))
}

function withFields<Value>(look: () => Value, change: (fields: readonly FieldPath[]) => readonly FieldPath[]): Value {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, error.userMessage ?? error.message, { cause: error, fields: change(error.fields) })
  }
}

/** Reads the fields of a reply whose shape has not been checked. */
function fieldsIn(value: unknown): FieldPath[] {
  if (!Array.isArray(value)) return []
  return value.filter((field): field is FieldPath => Array.isArray(field) && field.every(isPathPart))
}

export function isPathPart(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number'
}
