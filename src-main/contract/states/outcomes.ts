/**
 * Reasons why a document was not fetched or has no answer, and why an answer is incomplete: one list for the engine, the reports and the
 * interface. Their texts are in `words/outcomeWords.ts`.
 */
import type { Message } from '../words/message.ts'

/** The outcome of a document for each reason. `excluded`: refused by a rule before any request. `failed`: tried. */
export const reasonOutcomes = {
  // excluded
  outOfScope: 'excluded',
  excludedByPattern: 'excluded',
  notIncluded: 'excluded',
  tooManyHops: 'excluded',
  robots: 'excluded',
  objectLimit: 'excluded',
  byteLimit: 'excluded',
  timeLimit: 'excluded',
  noResponse: 'excluded',
  inactive: 'excluded',
  domainObjects: 'excluded',
  domainBytes: 'excluded',
  rejected: 'excluded',
  dropped: 'excluded',
  jobStopped: 'excluded',
  endsSession: 'excluded',
  // failed
  badAddress: 'failed',
  privateAddress: 'failed',
  lost: 'failed',
  internal: 'failed',
  unknownHost: 'failed',
  refused: 'failed',
  unreachable: 'failed',
  reset: 'failed',
  timeout: 'failed',
  tlsFailed: 'failed',
  robotsUnreachable: 'failed',
  notHttp: 'failed',
  emptyAnswer: 'failed',
  headTooLarge: 'failed',
  tooSlow: 'failed',
  loginFailed: 'failed',
  loginUnavailable: 'failed',
  loggedOut: 'failed',
  noFolder: 'failed',
  fileGone: 'failed',
  fileUnreadable: 'failed',
  fileChanged: 'failed',
  linkedElsewhere: 'failed',
  notInSource: 'failed',
  moduleFailed: 'failed',
  connectionFailed: 'failed',
} as const satisfies Record<string, 'excluded' | 'failed'>

export type Reason = keyof typeof reasonOutcomes
export const reasonNames = Object.keys(reasonOutcomes) as [Reason, ...Reason[]]

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasonOutcomes, text)
}

/** Returns the text of a reason, which is a part of a sentence. */
export function reasonMessage(reason: Reason): Message {
  return { code: `reason.${reason}` }
}

/**
 * The value of WARC-Truncated (WARC 1.1 section 5.15) for each reason why a stored answer is incomplete. The standard has no value for
 * broken framing.
 */
export const truncationFields = {
  length: 'length',
  time: 'time',
  disconnect: 'disconnect',
  framing: 'unspecified',
  unspecified: 'unspecified',
} as const

export type Truncation = keyof typeof truncationFields
export const truncationNames = Object.keys(truncationFields) as [Truncation, ...Truncation[]]

/** Returns the text of a truncation, which can end a sentence. */
export function truncationMessage(truncation: Truncation): Message {
  return { code: `truncation.${truncation}` }
}
