import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cdxjHeader } from './canonicaliser.ts'
import { captureTypes, type Capture } from './capture.ts'
import { cdxjLine, parseCdxjLine } from './cdxj.ts'

const fieldName = fc.stringMatching(/^http:[a-z-]{1,8}$/)

const anyCapture: fc.Arbitrary<Capture> = fc
  .record({
    key: fc.stringMatching(/^[!-~]+$/),
    timestampMs: fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
    url: fc.string({ minLength: 1, unit: 'grapheme' }),
    mediaType: fc.constantFrom('', 'text/html', 'image/"odd"'),
    status: fc.option(fc.integer({ min: 100, max: 999 }), { nil: undefined }),
    payloadDigest: fc.constantFrom('', 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'),
    offset: fc.nat(),
    length: fc.nat(),
    filename: fc.string({ minLength: 1 }),
    recordType: fc.constantFrom(...captureTypes.filter((type) => type !== 'revisit')),
    folded: fc.option(fc.record({ method: fc.constantFrom('POST', 'PUT'), requestBody: fc.string() })),
    recordDigest: fc.option(fc.constant('sha256:00')),
    fields: fc.option(fc.dictionary(fieldName, fc.string({ minLength: 1 }), { minKeys: 1 })),
  })
  .map(({ folded, recordDigest, fields, ...capture }) => ({
    ...capture,
    ...folded,
    ...(recordDigest && { recordDigest }),
    ...(fields && { fields: { ...fields } }),
  }))

test('a line contains all fields of a capture in one line of ASCII', () => {
  fc.assert(
    fc.property(anyCapture, (made) => {
      const line = cdxjLine(made)
      expect(line).toMatch(/^[!-~]+ \d{14,17} \{[ -~]*\}$/)
      expect(parseCdxjLine(line)).toEqual(made)
    }),
  )
  const revisit: Capture = {
    key: 'a)/',
    timestampMs: 0,
    url: 'http://a/',
    mediaType: 'warc/revisit',
    status: undefined,
    payloadDigest: '',
    offset: 1,
    length: 2,
    filename: 'b',
    recordType: 'revisit',
  }
  expect(parseCdxjLine(cdxjLine(revisit))).toEqual(revisit)
})

const plain: Capture = {
  key: 'a)/',
  timestampMs: Date.UTC(2020, 0, 2, 3, 4, 5),
  url: 'http://a/',
  mediaType: 'text/html',
  status: 200,
  payloadDigest: 'sha1:ABC',
  offset: 7,
  length: 9,
  filename: 'f',
  recordType: 'response',
}

test('parses lines', () => {
  const check = (more: Partial<Capture>, fields: string[] | undefined, json: string) =>
    expect(cdxjLine({ ...plain, ...more }, fields)).toBe(`a)/ 20200102030405 ${json}`)
  const usual =
    '"url": "http://a/", "mime": "text/html", "status": "200", "digest": "sha1:ABC", "length": "9", "offset": "7", "filename": "f"'
  check({}, undefined, `{${usual}}`)
  check(
    { fields: { 'http:date': 'now' }, recordDigest: 'sha256:0' },
    undefined,
    `{${usual}, "recordDigest": "sha256:0", "http:date": "now"}`,
  )
  check({ method: 'POST', requestBody: 'ä"' }, undefined, `{${usual}, "requestBody": "\\u00e4\\"", "method": "POST"}`)
  check({ recordType: 'metadata' }, undefined, `{${usual}, "recordType": "metadata"}`)
  check(
    { fields: { method: 'GET' } },
    ['method', 'mime', 'absent', 'offset'],
    '{"method": "GET", "mime": "text/html", "offset": "7"}',
  )
  check({ method: 'PUT', requestBody: '' }, ['method', 'url'], '{"method": "PUT", "url": "http://a/"}')
})

test('the fast path for usual lines gives the same as parsing JSON', () => {
  fc.assert(
    fc.property(anyCapture, fc.webUrl(), (made, url) => {
      const line = cdxjLine({ ...made, url })
      const [key = '', time = ''] = line.split(' ')
      const sameJson = JSON.stringify(JSON.parse(line.slice(key.length + time.length + 2)))
      expect(parseCdxjLine(line)).toEqual(parseCdxjLine(`${key} ${time} ${sameJson}`))
    }),
  )
})

test('reads lines of other programs and rejects malformed ones', () => {
  const line = (digest: string) =>
    `a)/ 20200102030405 {"url":"http://a/","mime":"text/html","status":200,"digest":"${digest}","length":1,"offset":0,"filename":"f"}`
  expect(parseCdxjLine(`${line('ABC')}\n`)).toMatchObject({
    status: 200,
    payloadDigest: 'sha1:ABC',
    offset: 0,
    length: 1,
  })
  const digest = (written: string, read: string) =>
    expect(parseCdxjLine(line(written))?.payloadDigest, written).toBe(read)
  digest('WJM2KPM4GF3QK2BISVUH2ASX64NOUY7L', 'sha1:WJM2KPM4GF3QK2BISVUH2ASX64NOUY7L')
  digest('sha1:wjm2kpm4gf3qk2bisvuh2asx64nouy7l', 'sha1:WJM2KPM4GF3QK2BISVUH2ASX64NOUY7L')
  // Scoop and browsertrix write SHA-256 in hexadecimal.
  const sha256 = 'sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===='
  digest('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', sha256)
  digest('sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', sha256)
  digest('-', '')
  const check = (text: string) => expect(parseCdxjLine(text), text).toBeUndefined()
  check('')
  check('!meta {"format": "cdxj-gzip-1.0"}')
  check(cdxjHeader('surt-1'))
  check('a)/ 20200102030405 {"url":')
  check('a)/ 20200102030405 {"url":"http://a/"}')
  check('a)/ 20201302030405 {"url":"http://a/","length":1,"offset":0,"filename":"f"}')
})
