/** The status codes of Heritrix 3 that our own crawl logs have where HTTP has none (Heritrix documentation, "Status codes"; `FetchStatusCodes`
 *  in its sources), so that scripts over crawl logs understand them. What they mean in words is in `fetchStatus.ts`; our own reason,
 *  which is often more exact, stands in the annotations. */
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'

const statusOfReason: Readonly<Record<Reason, number>> = {
  // Heritrix logs what is out of scope only when it looks again; a link out of scope is not in its log at all, and is in ours.
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
  dropped: -6000,
  jobStopped: -6000,
  badAddress: -7,
  unknownHost: -1,
  // As in Heritrix, whatever goes wrong before the body of an answer is read.
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
  fileUnreadable: -5,
  internal: -5,
  fileChanged: -8,
  robotsUnreachable: -61,
  loginFailed: -62,
  loginUnavailable: -62,
  loggedOut: -62,
  lost: -3000,
}

/** Of documents that were never requested, because robots.txt of their host could not be had: Heritrix tells a name that is not known
 *  from every other reason. */
const statusOfPrerequisite: Partial<Record<Reason, number>> = { unknownHost: -6 }

/** Embeds and redirects have a code of their own. `detail`: what a limit of hops counted. */
const tooManyEmbedHops = -4002

export interface NotFetched {
  outcome: 'failed' | 'excluded'
  reason: Reason
  detail: string
  /** Something was sent to the server. */
  isRequested: boolean
}

/** Always negative: a status of 0 or more counts as an object that was harvested (NetarchiveSuite's harvest reports). */
export function statusOf({ outcome, reason, detail, isRequested }: NotFetched): number {
  if (reason === 'tooManyHops' && /^\d+ (embed|redirect)/.test(detail)) return tooManyEmbedHops
  const isPrerequisite = outcome === 'failed' && !isRequested && isOfNetwork.has(reason)
  return isPrerequisite ? (statusOfPrerequisite[reason] ?? statusOfReason.robotsUnreachable) : statusOfReason[reason]
}

/** What can keep robots.txt from being fetched. */
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

/** Annotations by which QuotaEnforcer of Heritrix says which quota it was. Those of NetarchiveSuite's domains are quotas of a group, and
 *  its harvest reports read a domain's stop reason from exactly these two. */
export const quotaAnnotations: Partial<Record<Reason, string>> = {
  objectLimit: 'Q:groupMaxFetchSuccesses',
  domainObjects: 'Q:groupMaxFetchSuccesses',
  byteLimit: 'Q:groupMaxAllKb',
  domainBytes: 'Q:groupMaxAllKb',
}

/** What was kept although it is not whole. Heritrix has the first two, and stores nothing where a connection broke. */
export const truncationAnnotations: Readonly<Record<Truncation, string>> = {
  length: 'lenTrunc',
  time: 'timeTrunc',
  disconnect: 'disconnectTrunc',
  framing: 'framingTrunc',
  unspecified: 'unspecifiedTrunc',
}
