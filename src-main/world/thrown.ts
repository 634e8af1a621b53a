/** Converts errors for transfer between threads. The structured clone keeps an Error's message and stack but loses its class
 *  and its own properties; here the world's faults keep their class, and any other error keeps its name and properties, from
 *  which a floor above can restore a class of its own. */
import { DiskFault, NetworkFault, type DiskFaultCode, type NetworkFaultCode } from './world.ts'

/** A thrown value in a form that can be cloned. */
export type Thrown =
  | { kind: 'disk'; code: DiskFaultCode; path: string; error: ErrorText }
  | { kind: 'network'; code: NetworkFaultCode; where: string | undefined; error: ErrorText }
  | { kind: 'error'; properties: Readonly<Record<string, unknown>>; error: ErrorText }
  /** A thrown value that is not an Error, as text, since it may not be cloneable. */
  | { kind: 'other'; text: string }

/** What every error has. */
interface ErrorText {
  name: string
  message: string
  stack: string | undefined
  cause: Thrown | undefined
}

/** Number of causes that are followed: deep enough to show what happened, and a bound for cyclic causes. */
const causesMax = 8

/** Converts a thrown value before it leaves its thread. */
export function packThrown(error: unknown, causesLeft = causesMax): Thrown {
  if (!(error instanceof Error)) return { kind: 'other', text: String(error) }
  const { name, message, stack } = error
  const cause = error.cause === undefined || causesLeft === 0 ? undefined : packThrown(error.cause, causesLeft - 1)
  const text: ErrorText = { name, message, stack, cause }
  if (error instanceof DiskFault) return { kind: 'disk', code: error.code, path: error.path, error: text }
  if (error instanceof NetworkFault) return { kind: 'network', code: error.code, where: error.where, error: text }
  return { kind: 'error', properties: propertiesOf(error), error: text }
}

/** Returns the own properties of an error besides its text, as far as they can be cloned. */
function propertiesOf(error: Error): Record<string, unknown> {
  const { name: _name, message: _message, stack: _stack, cause: _cause, ...own } = error
  return Object.fromEntries(Object.entries(own).filter(([, value]) => isCloneable(value)))
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataCloneError') return false
    throw error
  }
}

/** Restores a packed value as an error of the same class, name, text and stack. */
export function unpackThrown(thrown: Thrown): Error {
  if (thrown.kind === 'other') return new Error(thrown.text)
  const { name, message, stack, cause } = thrown.error
  const options = cause ? { cause: unpackThrown(cause) } : {}
  const error = made(thrown, message, options)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}

function made(thrown: Exclude<Thrown, { kind: 'other' }>, message: string, options: ErrorOptions): Error {
  if (thrown.kind === 'disk') return new DiskFault(thrown.code, thrown.path, options)
  if (thrown.kind === 'network') return new NetworkFault(thrown.code, thrown.where, options)
  return Object.assign(new Error(message, options), thrown.properties)
}
