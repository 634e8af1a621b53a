/** Maps the reasons of Loupe's harvests to status codes of Heritrix 3 (Heritrix documentation, "Status codes";
 *  `FetchStatusCodes` in its sources), so that scripts over crawl logs understand them. `fetchStatus.ts` describes
 *  them in words; Loupe's own reason, which is often more exact, is in the annotations. */
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'
import type { Message, MessageCode } from '../../contract/words/message.ts'

/** The code of each reason. */
const statusOfReason: Readonly<Record<Reason, number>> = {
  // Heritrix logs a URL as out of scope only when it checks again; its log does not contain links out of scope, Loupe's
  // does.
  outOfScope: -5000,
  notIncluded: -5000,
  excludedByPattern: -5001,
  rejected: -5001,
  endsSession: -5002,
  privateAddress: -5002,
  linkedElsewhere: -5002,
  tooManyHops: -4001,
  robots: -9998,
  objectLimit: -5003,
  byteLimit: -5003,
  domainObjects: -5003,
  domainBytes: -5003,
  timeLimit: -5004,
  noResponse: -5004,
  inactive: -5004,
  dropped: -6000,
  jobStopped: -6000,
  badAddress: -7,
  unknownHost: -1,
  // As in Heritrix, for all failures before the body of a response is read.
  refused: -2,
  unreachable: -2,
  tlsFailed: -2,
  connectionFailed: -2,
  notHttp: -2,
  headTooLarge: -2,
  reset: -3,
  timeout: -4,
  tooSlow: -4,
  emptyAnswer: -404,
  noFolder: -404,
  fileGone: -404,
  notInSource: -404,
  fileUnreadable: -5,
  internal: -5,
  moduleFailed: -5,
  fileChanged: -8,
  robotsUnreachable: -61,
  loginFailed: -62,
  loginUnavailable: -62,
  loggedOut: -62,
  lost: -3000,
}

/** Codes for documents that were never requested because robots.txt of their host was not available: Heritrix
 *  distinguishes an unknown host name from all other reasons. */
const statusOfPrerequisite: Partial<Record<Reason, number>> = { unknownHost: -6 }

/** Code for too many hops by embeds and redirects. */
const tooManyEmbedHops = -4002
/** Details of documents beyond a limit that counted embeds or redirects. */
const embedHopDetails: ReadonlySet<string> = new Set<MessageCode>(['hops.tooFar.embed', 'hops.tooFar.redirect'])

/** A document without content, and why. */
export interface NotFetched {
  outcome: 'failed' | 'excluded'
  reason: Reason
  detail: Message | undefined
  /** True when a request was sent to the server. */
  isRequested: boolean
}

/** Returns the status code. It is always negative: a status of 0 or more counts as a harvested object
 *  (NetarchiveSuite's harvest reports). */
export function statusOf({ outcome, reason, detail, isRequested }: NotFetched): number {
  if (reason === 'tooManyHops' && detail && embedHopDetails.has(detail.code)) return tooManyEmbedHops
  const isPrerequisite = outcome === 'failed' && !isRequested && isOfNetwork.has(reason)
  return isPrerequisite ? (statusOfPrerequisite[reason] ?? statusOfReason.robotsUnreachable) : statusOfReason[reason]
}

/** Reasons for which robots.txt may be unavailable. */
const isOfNetwork: ReadonlySet<Reason> = new Set([
  'unknownHost',
  'refused',
  'unreachable',
  'tlsFailed',
  'connectionFailed',
  'notHttp',
  'headTooLarge',
  'reset',
  'timeout',
  'tooSlow',
  'emptyAnswer',
  'robotsUnreachable',
])

/** Annotations by which Heritrix's QuotaEnforcer names the quota. Those of NetarchiveSuite's domains are group
 *  quotas, and its harvest reports derive the stop reason of a domain from exactly these two. */
export const quotaAnnotations: Partial<Record<Reason, string>> = {
  objectLimit: 'Q:groupMaxFetchSuccesses',
  domainObjects: 'Q:groupMaxFetchSuccesses',
  byteLimit: 'Q:groupMaxAllKb',
  domainBytes: 'Q:groupMaxAllKb',
}

/** Annotations for content that was stored although it is incomplete. Heritrix uses the first two, and stores
 *  nothing when a connection was closed early. */
export const truncationAnnotations: Readonly<Record<Truncation, string>> = {
  length: 'lenTrunc',
  time: 'timeTrunc',
  disconnect: 'disconnectTrunc',
  framing: 'framingTrunc',
  unspecified: 'unspecifiedTrunc',
}
