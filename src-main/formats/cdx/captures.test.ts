import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { capturesOf, type CaptureOptions } from './captures.ts'
import { sha1Base32 } from '../bytes/digest.ts'
import { newRecord, warcMember, type RecordType } from '../records/warcWriter.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'

async function indexed(
  bytes: Uint8Array,
  options: Partial<CaptureOptions> = {},
): Promise<{ captures: Capture[]; codes: string[] }> {
  const captures: Capture[] = []
  const codes: string[] = []
  for await (const found of capturesOf(sourceOf(bytes), 'a.warc', { digests: 'verify', post: false, ...options })) {
    if ('capture' in found) captures.push(found.capture)
    else codes.push(found.finding.rule)
  }
  return { captures, codes }
}

const page = Buffer.from('<p>hello</p>')

async function member(
  block: string,
  fields: [string, string][] = [],
  type: RecordType = 'response',
): Promise<Uint8Array> {
  const head = block.indexOf('\r\n\r\n') + 4
  const record = newRecord({
    type,
    id: 'x',
    dateMs: Date.UTC(2026, 10, 20, 1, 2, 3, 4),
    fields: [['WARC-Target-URI', 'http://www.example.com/a'], ...fields],
    contentType: type === 'resource' ? 'text/plain; charset=utf-8' : `application/http; msgtype=${type}`,
    block: [Buffer.from(block)],
    ...(fields.some(([name]) => name === 'WARC-Payload-Digest') ? {} : { payload: { offset: head < 4 ? 0 : head } }),
  })
  return warcMember(record, 6).bytes
}

const chunked = `HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n${page.toString()}\r\n0\r\n\r\n`

test('indexes the record types that can be requested', async () => {
  const revisit: [string, string][] = [['WARC-Payload-Digest', 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ']]
  const members = await Promise.all([
    member('software: x\r\n', [], 'warcinfo'),
    member(chunked),
    member('GET /a HTTP/1.1\r\n\r\n', [], 'request'),
    member('via: b\r\n', [], 'metadata'),
    member('HTTP/1.1 304 Not Modified\r\n\r\n', revisit, 'revisit'),
    member('text', [], 'resource'),
  ])
  const { captures, codes } = await indexed(Buffer.concat(members))
  expect(codes).toEqual([])
  const common = {
    key: 'com,example)/a',
    url: 'http://www.example.com/a',
    timestampMs: Date.UTC(2026, 10, 20, 1, 2, 3, 4),
    filename: 'a.warc',
  }
  expect(captures).toMatchObject([
    {
      ...common,
      recordType: 'response',
      mediaType: 'text/html',
      status: 200,
      payloadDigest: sha1Base32([page]),
      offset: members[0]?.length,
      length: members[1]?.length,
    },
    {
      ...common,
      recordType: 'revisit',
      mediaType: 'warc/revisit',
      status: 304,
      payloadDigest: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
    },
    {
      ...common,
      recordType: 'resource',
      mediaType: 'text/plain',
      status: undefined,
      payloadDigest: sha1Base32([Buffer.from('text')]),
    },
  ])
})

test('verifies digests, and recognises digests over chunk framing', async () => {
  const digested = (digest: string) => member(chunked, [['WARC-Payload-Digest', digest]])
  const framed = sha1Base32([Buffer.from(chunked.slice(chunked.indexOf('\r\n\r\n') + 4))])
  const check = async (bytes: Uint8Array, ...expected: string[]) =>
    expect((await indexed(bytes)).codes).toEqual(expected)
  await check(await digested(sha1Base32([page])))
  await check(await digested(framed), 'payloadDigestWithChunks')
  await check(await digested(sha1Base32([Buffer.from(chunked)])), 'payloadDigestOfBlock')
  await check(await digested(sha1Base32([])), 'payloadDigestWrong')
  await check(await digested('sha3:abc'), 'digestUnknown')
  const text =
    'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: never\r\nWARC-Target-URI: http://a/\r\nContent-Length: 1\r\n'
  await check(
    gzipSync(`${text}WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n\r\nx\r\n\r\n`),
    'blockDigestWrong',
    'dateInvalid',
  )
})

/** A record as text, with only the fields that a test sets. */
function recordText(fields: Record<string, string>, block: string): Buffer {
  const all = { 'WARC-Date': '2020-01-02T03:04:05Z', ...fields, 'Content-Length': String(Buffer.byteLength(block)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n${block}\r\n\r\n`)
}

const http = (type: string, url: string, more: Record<string, string> = {}) => ({
  'WARC-Type': type,
  'WARC-Target-URI': url,
  'Content-Type': `application/http; msgtype=${type}`,
  ...more,
})
const answer = (body: string, fields = '') => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${fields}\r\n${body}`

test('with trust, takes the stated digest and computes one only where it is missing', async () => {
  const none = sha1Base32([])
  const digestOf = async (block: Buffer, digests: 'trust' | 'verify') => {
    const { captures, codes } = await indexed(block, { digests })
    return [captures[0]?.payloadDigest, ...codes]
  }
  const check = async (fields: Record<string, string>, block: string, trusted: string, verified: string[]) => {
    expect(await digestOf(recordText(fields, block), 'trust')).toEqual([trusted])
    expect(await digestOf(recordText(fields, block), 'verify')).toEqual(verified)
  }
  const url = 'http://a/'
  const named = { 'WARC-Payload-Digest': none }
  await check(http('response', url, named), answer('x'), none, [none, 'payloadDigestWrong'])
  const x = sha1Base32([Buffer.from('x')])
  await check(http('response', url), answer('x'), x, [x])
  const inChunks = answer('1\r\nx\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\n')
  await check(http('response', url), inChunks, x, [x])
  await check(http('response', url, { 'WARC-Payload-Digest': 'crc:1' }), answer('x'), x, [x, 'digestUnknown'])
  await check(http('revisit', url), answer(''), '', [''])
  await check(http('response', url, { 'WARC-Segment-Number': '1' }), answer('x'), '', [''])
  const resource = { 'WARC-Type': 'resource', 'WARC-Target-URI': url, 'Content-Type': 'text/plain' }
  await check(resource, 'x', x, [x])
  // Outside HTTP the block is the payload.
  await check({ ...resource, 'WARC-Block-Digest': none }, 'x', none, [x, 'blockDigestWrong'])
})

test('responses get the key of their request, before or after them', async () => {
  const url = 'http://a.example/api'
  const post = `POST /api HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\nb=1&a`
  const inChunks =
    'PUT /api HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n'
  const check = async (records: Buffer[], ...expected: string[]) => {
    for (const digests of ['trust', 'verify'] as const) {
      const { captures } = await indexed(Buffer.concat(records), { post: true, digests })
      const said = captures.map(({ key, method, requestBody }) => [key, method, requestBody].join(' ').trimEnd())
      expect(said).toEqual(expected)
    }
  }
  const response = recordText(http('response', url, { 'WARC-Record-ID': '<r>' }), answer('x'))
  const request = (text: string, more: Record<string, string> = {}) => recordText(http('request', url, more), text)
  const key = 'example,a)/api'
  await check([response], key)
  await check([request('GET /api HTTP/1.1\r\n\r\n'), response], key)
  await check([request(post), response], `${key}?__wb_method=post&a&b=1 POST b=1&a`)
  await check([response, request(post)], `${key}?__wb_method=post&a&b=1 POST b=1&a`)
  await check([request(inChunks), response], `${key}?__wb_method=put&a=1 PUT a=1`)
  await check([request('OPTIONS /api HTTP/1.1\r\n\r\n'), response], `${key}?__wb_method=options OPTIONS`)
  const between = recordText({ 'WARC-Type': 'metadata', 'WARC-Target-URI': url, 'Content-Type': 'text/plain' }, 'x')
  await check([request(post), between, response], key)
  await check(
    [request(post, { 'WARC-Concurrent-To': '<r>' }), between, response],
    `${key}?__wb_method=post&a&b=1 POST b=1&a`,
  )
  const revisit = recordText(http('revisit', url), answer(''))
  await check([revisit, request(post)], `${key}?__wb_method=post&a&b=1 POST b=1&a`)
  // Without the option the address alone counts.
  expect((await indexed(Buffer.concat([response, request(post)]))).captures).toMatchObject([{ key }])
})

test('handles other record types and ARC records', async () => {
  const url = 'http://a/b c'
  const conversion = recordText(
    { 'WARC-Type': 'conversion', 'WARC-Target-URI': url, 'Content-Type': 'text/plain' },
    'x',
  )
  const empty = recordText(http('response', '<http://a/>'), '')
  const arc = Buffer.from(
    'filedesc://a.arc 0.0.0.0 20200102030405 text/plain 76\n1 0 Loupe\nURL IP-address Archive-date Content-type Archive-length\n\n' +
      'http://a/ 192.0.2.1 20200102030405 text/html 40\nHTTP/1.0 404 No\r\nContent-Type: a/b\r\n\r\nxy\n' +
      'dns:a 192.0.2.1 20200102030405 text/dns 5\nhello\n',
  )
  expect((await indexed(conversion)).captures).toEqual([])
  expect((await indexed(conversion, { types: ['conversion'] })).captures).toMatchObject([
    { key: 'a)/b%20c', url, mediaType: 'text/plain', recordType: 'conversion', status: undefined },
  ])
  expect((await indexed(empty)).captures).toMatchObject([
    { key: 'a)/', url: 'http://a/', mediaType: '', status: undefined, payloadDigest: sha1Base32([]) },
  ])
  expect((await indexed(arc)).captures).toMatchObject([
    {
      key: 'a)/',
      mediaType: 'a/b',
      status: 404,
      payloadDigest: sha1Base32([Buffer.from('xy')]),
      recordType: 'response',
    },
    { key: 'dns:a', mediaType: 'text/dns', status: undefined, recordType: 'resource' },
  ])
})

test('truncated at any byte, invents no captures', async () => {
  const url = 'http://a/'
  const parts = [
    recordText(http('response', url), answer('first')),
    recordText(http('request', url), 'POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na=1'),
    recordText(http('response', url, { 'WARC-Record-ID': '<r>' }), chunked),
  ]
  const packed = Buffer.concat(parts.map((part) => gzipSync(part)))
  for (const whole of [Buffer.concat(parts), packed]) {
    for (const digests of ['trust', 'verify'] as const) {
      const options = { digests, post: true }
      const all = (await indexed(whole, options)).captures
      expect(all).toHaveLength(2)
      const offsets = all.map(({ offset }) => offset)
      for (let cut = 0; cut < whole.length; cut += digests === 'trust' ? 1 : 29) {
        const { captures } = await indexed(whole.subarray(0, cut), options)
        expect(captures.map(({ offset }) => offset)).toEqual(offsets.slice(0, captures.length))
        for (const { offset, length } of captures) expect(offset + length).toBeLessThanOrEqual(cut)
      }
    }
  }
})

const samples: [file: string, captures: number, ...codes: string[]][] = [
  ['netarchivesuite+jwat/jwat-warc/src/test/resources/IAH-20080430204825-00000-blackbook.warc.gz', 299],
  ['oduwsdl+ipwb/samples/warcs/sample-1.warc.gz', 80],
  [
    'iipc+webarchive-commons/src/test/resources/org/archive/format/warc/IAH-urls-wget.warc',
    19,
    ...Array<string>(5).fill('payloadDigestWithChunks'),
  ],
  ['webrecorder+py-wacz/tests/fixtures/example-iana.warc', 58],
  ['webrecorder+warcio/test/data/example-iana.org-chunked.warc', 1, 'payloadDigestWithChunks'],
]

test.skipIf(!hasCorpora()).each(samples)(
  '%s has %i captures (skipped without samples: npm run corpora)',
  async (file, count, ...codes) => {
    const found = await indexed(readFileSync(new URL(file, corpora)))
    expect(found.captures).toHaveLength(count)
    expect(found.codes).toEqual(codes)
    const trusted = await indexed(readFileSync(new URL(file, corpora)), { digests: 'trust' })
    expect(trusted.captures).toEqual(found.captures)
  },
)
