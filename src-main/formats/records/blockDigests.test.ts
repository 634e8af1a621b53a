import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha1Base32, spellDigest } from '../bytes/digest.ts'
import type { ArchiveRecord } from './record.ts'
import { BlockDigests, isHttpRecord, type DigestVerdict } from './blockDigests.ts'

const body = '<p>hello</p>'
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const plain = `${head}\r\n${body}`
const chunks = `c\r\n${body}\r\n0\r\n\r\n`
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`

type Fields = [name: string, value: string][]

function recordOf(block: string, fields: Fields, type = 'response'): ArchiveRecord {
  const contentType = type === 'resource' ? 'text/plain' : `application/http; msgtype=${type}`
  return {
    format: 'warc',
    version: 'WARC/1.1',
    number: 1,
    offset: 0,
    addressable: true,
    type,
    fields,
    header: new Uint8Array(0),
    heldBlock: undefined,
    url: 'http://example.com/',
    date: '2026-11-20T00:00:00Z',
    contentType,
    blockBytes: Buffer.byteLength(block, 'latin1'),
    async *block() {
      yield await Promise.resolve(Buffer.from(block, 'latin1'))
    },
    finish: () => Promise.resolve({ length: 0, whole: true, findings: [] }),
  }
}

function read(record: ArchiveRecord, bytes: Uint8Array, partBytes = bytes.length) {
  const payload: Uint8Array[] = []
  const digests = new BlockDigests(record, (part) => payload.push(Uint8Array.from(part)))
  for (let at = 0; at < bytes.length; at += partBytes) digests.update(bytes.subarray(at, at + partBytes))
  const { digests: checked, payloadDigest, findings } = digests.end()
  return {
    verdicts: checked.map(({ of, verdict }) => [of, verdict]),
    payloadDigest,
    rules: findings.map(({ rule }) => rule),
    message: digests.messageFindings.map(({ rule, offset }) => [rule, offset]),
    payload: Buffer.concat(payload).toString('latin1'),
  }
}

/** Reads the block at once and byte by byte, and expects the same result. */
function readBoth(block: string, fields: Fields, type?: string) {
  const record = recordOf(block, fields, type)
  const bytes = Buffer.from(block, 'latin1')
  const whole = read(record, bytes)
  expect(read(record, bytes, 1)).toEqual(whole)
  return whole
}

const sha1 = (text: string) => sha1Base32([Buffer.from(text, 'latin1')])

test('verifies payload digests as all writers compute them', () => {
  const check = (block: string, digest: string, verdict: DigestVerdict, ...rules: string[]) => {
    const found = readBoth(block, [['WARC-Payload-Digest', digest]])
    expect(found.verdicts, digest).toEqual([['payload', verdict]])
    expect(found.rules).toEqual(rules)
  }
  check(plain, sha1(body), 'right')
  check(chunked, sha1(body), 'right')
  check(chunked, sha1(chunks), 'rightWithChunks', 'payloadDigestWithChunks')
  check(chunked, sha1(chunked), 'rightOfBlock', 'payloadDigestOfBlock')
  check(plain, sha1(plain), 'rightOfBlock', 'payloadDigestOfBlock')
  check(plain, sha1(''), 'wrong', 'payloadDigestWrong')
  check(plain, 'sha3:abc', 'unknown', 'digestUnknown')
  check(plain, '', 'unknown')
})

test('verifies every algorithm in every notation', () => {
  const spellings = ['hex', 'base64', 'base64url'] as const
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'] as const)
    for (const spelling of spellings)
      for (const label of [algorithm, algorithm.toUpperCase(), algorithm.replace('sha', 'sha-')]) {
        const digest = (text: string) => `${label}:${createHash(algorithm).update(text).digest(spelling)}`
        const found = readBoth(plain, [
          ['WARC-Block-Digest', digest(plain)],
          ['WARC-Payload-Digest', digest(body)],
        ])
        expect(found.verdicts).toEqual([
          ['block', 'right'],
          ['payload', 'right'],
        ])
        expect(found.payloadDigest).toBe(
          spellDigest({ algorithm, hex: createHash(algorithm).update(body).digest('hex') }),
        )
      }
})

test('verifies block digests, and a single digest where block and payload are the same', () => {
  const check = (fields: Fields, ...expected: [string, DigestVerdict][]) => {
    const found = readBoth('text', fields, 'resource')
    expect(found.verdicts).toEqual(expected)
    expect(found.payload).toBe('text')
    return found.payloadDigest
  }
  expect(check([])).toBe(sha1('text'))
  expect(check([['WARC-Block-Digest', sha1('text')]], ['block', 'right'])).toBe(sha1('text'))
  expect(check([['WARC-Block-Digest', sha1('other')]], ['block', 'wrong'])).toBe(sha1('text'))
  check(
    [
      ['WARC-Payload-Digest', sha1('text')],
      ['WARC-Block-Digest', sha1('text')],
    ],
    ['block', 'right'],
    ['payload', 'right'],
  )
  const md5 = `md5:${createHash('md5').update('text').digest('hex')}`
  expect(check([['WARC-Block-Digest', md5]], ['block', 'right'])).toBe(sha1('text'))
})

test('revisits and segments cannot be verified, because their payload is elsewhere', () => {
  const named: Fields = [['WARC-Payload-Digest', sha1('elsewhere')]]
  const check = (fields: Fields, type: string) => {
    const found = readBoth(plain, fields, type)
    expect(found.verdicts).toEqual([['payload', 'unknown']])
    expect(found.rules).toEqual([])
    expect(found.payloadDigest).toBe(sha1('elsewhere'))
  }
  check(named, 'revisit')
  check([...named, ['WARC-Segment-Number', '1']], 'response')
  expect(readBoth(plain, [], 'revisit').payloadDigest).toBe('')
})

test('a message of another kind is read as what it is', () => {
  const asked = `POST /a HTTP/1.1\r\n\r\n${body}`
  for (const type of ['request', 'response'])
    for (const block of [plain, asked])
      expect(readBoth(block, [['WARC-Payload-Digest', sha1(body)]], type).verdicts).toEqual([['payload', 'right']])
})

test('a block of an http URL without a content type is read as HTTP', () => {
  const check = (type: string, contentType: string | undefined, url: string, expected: boolean) =>
    expect(isHttpRecord({ type, contentType, url }), `${type} ${contentType} ${url}`).toBe(expected)
  check('response', 'application/http; msgtype=response', 'http://a/', true)
  check('response', 'Application/HTTP', 'gopher://a/', true)
  check('response', 'text/html', 'http://a/', false)
  check('response', undefined, 'http://a/', true)
  check('revisit', '', 'https://a/', true)
  check('resource', undefined, 'http://a/', false)
  check('response', undefined, 'dns:a', false)
})

test('a truncated record is not also reported with wrong digests', () => {
  const record = recordOf(plain, [['WARC-Block-Digest', sha1(plain)]])
  const found = read(record, Buffer.from(plain).subarray(0, 50))
  expect(found.verdicts).toEqual([['block', 'wrong']])
  expect(found.rules).toEqual([])
})

test('anomalies of the message are reported with their position', () => {
  const check = (block: string, ...expected: [string, number | undefined][]) =>
    expect(readBoth(block, []).message, block).toEqual(expected)
  const start = chunked.length - chunks.length
  check(chunked)
  check(`${chunked}more`, ['bytesAfterChunks', chunked.length])
  check(chunked.slice(0, -7), ['chunksTorn', chunked.length - 7])
  check(`${chunked.slice(0, start)}<html>\n`, ['notChunked', start])
  check('HTTP/1.1 200\r\n\r\n', ['httpReasonMissing', undefined])
  // A response to HEAD has no chunks.
  check(chunked.slice(0, start))
})

test('the payload is the content of the chunks, for any division into reads', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: 'binary-ascii' })),
      fc.integer({ min: 1, max: 9 }),
      (parts, cut) => {
        const coded = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
        const block = `${head}Transfer-Encoding: chunked\r\n\r\n${coded}0\r\n\r\n`
        const record = recordOf(block, [['WARC-Payload-Digest', sha1(parts.join(''))]])
        const found = read(record, Buffer.from(block, 'latin1'), cut)
        expect(found.verdicts).toEqual([['payload', 'right']])
        expect(found.payload).toBe(parts.join(''))
      },
    ),
  )
})
