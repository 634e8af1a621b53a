/** How a document can end without being fetched, or without an answer: one table for the engine, the reports and the
 *  interface. `excluded` was refused by a rule before any request; `failed` was tried. `retry` says whether the harvester
 *  tries again before it gives up. */

export const reasons = {
  // excluded
  outOfScope: { outcome: 'excluded', text: 'outside the scope of the harvest' },
  excludedByPattern: { outcome: 'excluded', text: 'matches an exclude pattern' },
  notIncluded: { outcome: 'excluded', text: 'matches no include pattern' },
  tooManyHops: { outcome: 'excluded', text: 'too many hops from a seed' },
  robots: { outcome: 'excluded', text: 'disallowed by robots.txt' },
  objectLimit: { outcome: 'excluded', text: 'the limit of objects was reached' },
  byteLimit: { outcome: 'excluded', text: 'the limit of bytes was reached' },
  timeLimit: { outcome: 'excluded', text: 'the limit of time was reached' },
  domainObjects: { outcome: 'excluded', text: 'the budget of objects of its domain is spent' },
  domainBytes: { outcome: 'excluded', text: 'the budget of bytes of its domain is spent' },
  rejected: { outcome: 'excluded', text: 'a rule of a person rejects it' },
  dropped: { outcome: 'excluded', text: 'a person deleted it from the queue' },
  jobStopped: { outcome: 'excluded', text: 'the job was stopped first' },
  endsSession: { outcome: 'excluded', text: 'it would end the session of the login' },
  // failed
  badAddress: { outcome: 'failed', text: 'not an address that can be fetched' },
  privateAddress: {
    outcome: 'failed',
    text: 'an address that is not on the public Internet (this machine, a private network, a reserved range), which no seed names',
  },
  lost: { outcome: 'failed', text: 'the disk lost its capture before it was stored' },
  internal: { outcome: 'failed', text: 'Loupe made a mistake with it' },
  unknownHost: { outcome: 'failed', text: 'the host name is not known' },
  refused: { outcome: 'failed', text: 'the server refuses connections' },
  unreachable: { outcome: 'failed', text: 'the server cannot be reached' },
  reset: { outcome: 'failed', text: 'the server broke the connection' },
  timeout: { outcome: 'failed', text: 'the server did not answer in time' },
  tlsFailed: { outcome: 'failed', text: 'no secure connection could be agreed' },
  robotsUnreachable: { outcome: 'failed', text: 'robots.txt could not be read, so the host is left alone' },
  notHttp: { outcome: 'failed', text: 'the answer is not HTTP' },
  emptyAnswer: { outcome: 'failed', text: 'the server closed the connection without an answer' },
  headTooLarge: { outcome: 'failed', text: 'the header of the answer is too large' },
  tooSlow: { outcome: 'failed', text: 'the answer took longer than allowed' },
  loginFailed: { outcome: 'failed', text: 'the login that it needs did not succeed' },
  loginUnavailable: { outcome: 'failed', text: 'the login that it needs could not be reached' },
  loggedOut: { outcome: 'failed', text: 'the session of its login had ended' },
  noFolder: { outcome: 'failed', text: 'there is no such folder' },
  fileGone: { outcome: 'failed', text: 'the file is not there any more' },
  fileUnreadable: { outcome: 'failed', text: 'it cannot be read' },
  fileChanged: { outcome: 'failed', text: 'the file changes while it is being read' },
  linkedElsewhere: { outcome: 'failed', text: 'a link, which is not followed' },
  connectionFailed: { outcome: 'failed', text: 'the connection failed' },
} as const satisfies Record<string, { outcome: 'excluded' | 'failed'; text: string }>

export type Reason = keyof typeof reasons

/** Why an answer that was kept is not whole. `field`: the value of WARC-Truncated in its record (WARC 1.1 section 5.15), which has none
 *  for broken framing; `text` ends a sentence. */
export const truncations = {
  length: { field: 'length', text: 'cut off at the size limit for one response' },
  time: { field: 'time', text: 'cut off at the time limit for one response' },
  disconnect: { field: 'disconnect', text: 'the connection ended before the response was complete' },
  framing: { field: 'unspecified', text: 'the chunked encoding broke off, so where the response ends is unknown' },
  unspecified: { field: 'unspecified', text: 'incomplete, for a reason that the record does not name' },
} as const satisfies Record<string, { field: string; text: string }>

export type Truncation = keyof typeof truncations
export const truncationNames = Object.keys(truncations) as [Truncation, ...Truncation[]]
