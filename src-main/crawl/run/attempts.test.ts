import { expect, test } from 'vitest'
import { parseResponseHead } from '../../formats/http/http.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import type { DocumentToFetch } from '../model/document.ts'
import { spoolIn } from '../capture/fetch/spool.ts'
import { attemptOf } from './attempts.ts'

const previous: NonNullable<DocumentToFetch['previous']> = {
  original: { id: 'r', ms: 0, status: 200, payloadDigest: 'sha1:A', namedDigest: 'sha1:A' },
  place: { fileName: 'f', offset: 0 },
  ...{ etag: null, lastModified: null, firstMs: 0, checkedMs: 0, changeCount: 1 },
}

function answered(status: number): FetchOutcome {
  const parsed = parseResponseHead(Buffer.from(`HTTP/1.1 ${status} So\r\n\r\n`))
  if (!parsed) throw new Error('no answer')
  const { head } = parsed
  const response = spoolIn(seededWorld({ seed: 1 }), { folder: '/', runId: 'run' })
  const none = { truncated: undefined, security: undefined, findings: [], remoteAddress: '' }
  return { kind: 'answered', head, response, request: Buffer.of(), ...none, startedMs: 5, durationMs: 2 }
}

test.each([
  [304, true, 'page', 'recheckUnchanged'],
  [404, true, 'page', 'documentGone'],
  [410, true, 'requisite', 'documentGone'],
  [200, true, 'page', 'fetch'],
  [500, true, 'page', 'fetch'],
  // A document that was never captured cannot be gone.
  [404, false, 'page', 'fetch'],
  [304, false, 'page', 'fetch'],
  [404, false, 'robots', 'robots'],
] as const)('%i of a document that was captured before (%s), a %s, is %s', (status, isKnown, role, kind) => {
  const document = { url: 'http://a.test/', role, ...(isKnown ? { previous } : {}) }
  expect(attemptOf(document, answered(status))).toEqual({
    ...{ kind, identifier: 'http://a.test/', startMs: 5, durationMs: 2 },
    ...{ result: `${status}`, bytes: 0, description: null },
  })
})
