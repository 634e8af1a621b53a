/**
 * Reasons why a document was not fetched, or has no answer: one table for the engine, the reports and the interface. `excluded`: refused by
 * a rule before any request. `failed`: tried. `retry`: whether the harvester tries again before it gives up.
 */

export const reasons = {
  // excluded
  outOfScope: { outcome: 'excluded', text: 'out of scope' },
  excludedByPattern: { outcome: 'excluded', text: 'matches an exclude pattern' },
  notIncluded: { outcome: 'excluded', text: 'matches no include pattern' },
  tooManyHops: { outcome: 'excluded', text: 'too many hops from a seed' },
  robots: { outcome: 'excluded', text: 'disallowed by robots.txt' },
  objectLimit: { outcome: 'excluded', text: 'URL limit reached' },
  byteLimit: { outcome: 'excluded', text: 'size limit reached' },
  timeLimit: { outcome: 'excluded', text: 'time limit reached' },
  domainObjects: { outcome: 'excluded', text: 'URL budget of the domain used up' },
  domainBytes: { outcome: 'excluded', text: 'size budget of the domain used up' },
  rejected: { outcome: 'excluded', text: 'rejected by a rule' },
  dropped: { outcome: 'excluded', text: 'deleted from the queue' },
  jobStopped: { outcome: 'excluded', text: 'job stopped before it was fetched' },
  endsSession: { outcome: 'excluded', text: 'would end the login session' },
  // failed
  badAddress: { outcome: 'failed', text: 'not a valid URL' },
  privateAddress: {
    outcome: 'failed',
    text: 'resolves to a private or reserved IP address, and its host is not a seed',
  },
  lost: { outcome: 'failed', text: 'capture lost by the disk before it was stored' },
  internal: { outcome: 'failed', text: 'internal error' },
  unknownHost: { outcome: 'failed', text: 'host name not found' },
  refused: { outcome: 'failed', text: 'connection refused' },
  unreachable: { outcome: 'failed', text: 'server unreachable' },
  reset: { outcome: 'failed', text: 'connection reset by the server' },
  timeout: { outcome: 'failed', text: 'server timed out' },
  tlsFailed: { outcome: 'failed', text: 'TLS connection failed' },
  robotsUnreachable: { outcome: 'failed', text: 'robots.txt could not be read, so the host is skipped' },
  notHttp: { outcome: 'failed', text: 'response is not HTTP' },
  emptyAnswer: { outcome: 'failed', text: 'connection closed without a response' },
  headTooLarge: { outcome: 'failed', text: 'response header too large' },
  tooSlow: { outcome: 'failed', text: 'response took longer than allowed' },
  loginFailed: { outcome: 'failed', text: 'login failed' },
  loginUnavailable: { outcome: 'failed', text: 'login page unreachable' },
  loggedOut: { outcome: 'failed', text: 'login session ended' },
  noFolder: { outcome: 'failed', text: 'folder not found' },
  fileGone: { outcome: 'failed', text: 'file no longer exists' },
  fileUnreadable: { outcome: 'failed', text: 'file cannot be read' },
  fileChanged: { outcome: 'failed', text: 'file changed while it was being read' },
  linkedElsewhere: { outcome: 'failed', text: 'symbolic link (not followed)' },
  connectionFailed: { outcome: 'failed', text: 'connection failed' },
} as const satisfies Record<string, { outcome: 'excluded' | 'failed'; text: string }>

export type Reason = keyof typeof reasons

/**
 * Reasons why a stored answer is truncated. `field`: the value of WARC-Truncated in its record (WARC 1.1 section 5.15), which has none for
 * broken framing; `text` ends a sentence.
 */
export const truncations = {
  length: { field: 'length', text: 'cut off at the size limit for one response' },
  time: { field: 'time', text: 'cut off at the time limit for one response' },
  disconnect: { field: 'disconnect', text: 'the connection ended before the response was complete' },
  framing: { field: 'unspecified', text: 'the chunked encoding broke off, so where the response ends is unknown' },
  unspecified: { field: 'unspecified', text: 'incomplete, for a reason that the record does not name' },
} as const satisfies Record<string, { field: string; text: string }>

export type Truncation = keyof typeof truncations
export const truncationNames = Object.keys(truncations) as [Truncation, ...Truncation[]]
