import { describe, expect, test } from 'vitest'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { compare, conditionsFor, validatorsOf, type KnownVersion } from './version.ts'
import type { Comparison } from '../../../contract/shapes/comparisons.ts'

const date = 'Wed, 21 Oct 2015 07:28:00 GMT'

function checkValidators(fields: string[], expected: [etag: string | null, lastModified: string | null]): void {
  const parsed = parseResponseHead(Buffer.from(`HTTP/1.1 200 OK\r\n${fields.map((f) => `${f}\r\n`).join('')}\r\n`))
  if (!parsed) throw new Error('the head of a test is readable')
  const { etag, lastModified } = validatorsOf(parsed.head)
  expect([etag, lastModified], fields.join()).toEqual(expected)
}

test('validators are kept as the server spells them, and malformed ones are ignored', () => {
  checkValidators([], [null, null])
  checkValidators(['ETag: "a"', `Last-Modified: ${date}`], ['"a"', date])
  checkValidators(['etag: W/"a"'], ['W/"a"', null])
  checkValidators(['ETag: ""'], ['""', null])
  checkValidators(['ETag: a'], [null, null])
  checkValidators(['ETag: "a", "b"'], [null, null])
  checkValidators(['ETag: "a'], [null, null])
  checkValidators([`ETag: "${'x'.repeat(2000)}"`], [null, null])
  checkValidators(['Last-Modified: 2015-10-21T07:28:00Z'], [null, '2015-10-21T07:28:00Z'])
  checkValidators(['Last-Modified: yesterday'], [null, null])
})

const known: KnownVersion = { status: 200, payloadDigest: 'sha1:A', etag: '"a"', lastModified: date }

test('a conditional request has the validators of the last complete answer', () => {
  const rows: [Partial<KnownVersion>, string[]][] = [
    [{}, ['If-None-Match: "a"', `If-Modified-Since: ${date}`]],
    [{ etag: null }, [`If-Modified-Since: ${date}`]],
    [{ lastModified: null }, ['If-None-Match: "a"']],
    [{ etag: null, lastModified: null }, []],
    [{ status: 404 }, []],
    [{ status: 301 }, []],
    [{ payloadDigest: null }, []],
  ]
  for (const [changes, expected] of rows)
    expect(conditionsFor({ ...known, ...changes }).map((field) => field.join(': '))).toEqual(expected)
  expect(conditionsFor(undefined)).toEqual([])
})

describe('comparison of an answer with the earlier capture', () => {
  const rows: [known: number | null, status: number, digest: string, Comparison][] = [
    [null, 200, 'A', 'new'],
    [null, 404, 'A', 'new'],
    [200, 304, '', 'unchanged'],
    [200, 200, 'A', 'unchanged'],
    [200, 200, 'B', 'changed'],
    [200, 301, 'A', 'changed'],
    [200, 404, 'B', 'gone'],
    [200, 410, 'B', 'gone'],
    [301, 404, 'B', 'gone'],
    [200, 500, 'B', 'changed'],
    [200, 403, 'B', 'changed'],
    [404, 404, 'A', 'unchanged'],
    [404, 410, 'A', 'changed'],
    [404, 200, 'B', 'changed'],
  ]
  test.each(rows)('%s, then %s with %s: %s', (before, status, digest, expected) => {
    const previous = before === null ? undefined : { status: before, payloadDigest: 'sha1:A' }
    expect(compare(previous, { status, payloadDigest: `sha1:${digest}` })).toBe(expected)
  })
})
