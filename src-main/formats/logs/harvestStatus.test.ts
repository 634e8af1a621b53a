import { expect, test } from 'vitest'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import {
  reasonMessage,
  reasonOutcomes,
  truncationMessage,
  truncationNames,
  type Reason,
} from '../../contract/states/outcomes.ts'
import { outcomeOfLine } from './fetchStatus.ts'
import { quotaAnnotations, statusOf, truncationAnnotations } from './harvestStatus.ts'

/** Every way in which a document can end without an answer, with its code in Heritrix 3. */
const table: Record<Reason, number> = {
  outOfScope: -5000,
  excludedByPattern: -5001,
  notIncluded: -5000,
  tooManyHops: -4001,
  robots: -9998,
  objectLimit: -5003,
  byteLimit: -5003,
  timeLimit: -5004,
  noResponse: -5004,
  inactive: -5004,
  domainObjects: -5003,
  domainBytes: -5003,
  rejected: -5001,
  dropped: -6000,
  jobStopped: -6000,
  endsSession: -5002,
  badAddress: -7,
  privateAddress: -5002,
  lost: -3000,
  internal: -5,
  unknownHost: -1,
  refused: -2,
  unreachable: -2,
  reset: -3,
  timeout: -4,
  tlsFailed: -2,
  robotsUnreachable: -61,
  notHttp: -2,
  emptyAnswer: -404,
  headTooLarge: -2,
  tooSlow: -4,
  loginFailed: -62,
  loginUnavailable: -62,
  loggedOut: -62,
  noFolder: -404,
  fileGone: -404,
  fileUnreadable: -5,
  fileChanged: -8,
  linkedElsewhere: -5002,
  notInSource: -404,
  moduleFailed: -5,
  connectionFailed: -2,
}

const all = Object.keys(reasonOutcomes) as Reason[]

test.each(all)('%s has the code of Heritrix, which our reader knows and does not count as harvested', (reason) => {
  const outcome = reasonOutcomes[reason]
  const status = statusOf({ outcome, reason, detail: undefined, isRequested: true })
  expect(status).toBe(table[reason])
  expect(status).toBeLessThan(0)
  expect(outcomeOfLine({ status, annotations: '' }).message.code).not.toBe('crawlStatus.unknown')
  // The annotation is more precise and uses the words of the interface.
  expect(outcomeOfLine({ status, annotations: `2t,${outcome}:${reason}` })).toEqual({
    outcome,
    message: reasonMessage(reason),
  })
})

test.each<[string, Reason, number]>([
  ['the name of the host is not known', 'unknownHost', -6],
  ['the server refuses connections', 'refused', -61],
  ['the server breaks the connection', 'reset', -61],
  ['the server does not answer', 'timeout', -61],
  ['that could not be read', 'robotsUnreachable', -61],
])('a page has the code of its prerequisite robots.txt when %s', (_, reason, status) => {
  expect(statusOf({ outcome: 'failed', reason, detail: undefined, isRequested: false })).toBe(status)
})

test('too many link hops and too many embed hops have different codes', () => {
  const status = (detail: Message | undefined) =>
    statusOf({ outcome: 'excluded', reason: 'tooManyHops', detail, isRequested: false })
  const values = { distance: 4, most: 3 }
  const details = [
    message('hops.tooFar.hops', values),
    message('hops.tooFar.link', values),
    message('hops.tooFar.sitemap', values),
    message('hops.tooFar.embed', values),
    message('hops.tooFar.redirect', values),
    message('hops.unreachable'),
    undefined,
  ]
  expect(details.map(status)).toEqual([-4001, -4001, -4001, -4002, -4002, -4001, -4001])
})

test('only quotas have quota annotations, the two from which NetarchiveSuite reads a stop reason', () => {
  const annotated = all.filter((reason) => quotaAnnotations[reason] !== undefined)
  expect(annotated).toEqual(all.filter((reason) => table[reason] === -5003))
  expect(new Set(Object.values(quotaAnnotations))).toEqual(new Set(['Q:groupMaxFetchSuccesses', 'Q:groupMaxAllKb']))
})

test.each(truncationNames)('annotates a %s-truncated response, and reads it back', (kind) => {
  const annotation = truncationAnnotations[kind]
  const { outcome, message } = outcomeOfLine({ status: 200, annotations: `2t,${annotation},content-size:5` })
  expect(outcome).toBe('fetched')
  expect(textOf(message)).toBe(`the server answered 200; ${textOf(truncationMessage(kind))}`)
})
