import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { sha1Base32 } from '../bytes/digest.ts'
import {
  newRecord,
  recordBytes,
  recordStreamed,
  warcMember,
  warcMemberStreamed,
  type RecordHeader,
} from './warcWriter.ts'

const header: Omit<RecordHeader, 'payload'> = {
  type: 'response',
  id: '0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f1',
  dateMs: Date.UTC(2026, 10, 20, 13, 26, 9, 7),
  fields: [['WARC-Target-URI', 'http://example.com/ä']],
  contentType: 'application/http;msgtype=response',
}

function chunkedBody(...parts: Uint8Array[]): Buffer {
  const framed = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')])
}

const page = Buffer.from('<p>hello hello hello</p>')
const rows: { name: string; head: string; body: Buffer; payload?: Buffer }[] = [
  { name: 'plain', head: 'HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n', body: page },
  {
    name: 'chunked',
    head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    body: chunkedBody(page, page),
    payload: Buffer.concat([page, page]),
  },
  { name: 'gzip', head: 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', body: gzipSync(page) },
  { name: 'empty', head: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', body: Buffer.alloc(0) },
  { name: '304', head: 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', body: Buffer.alloc(0) },
  {
    name: 'large',
    head: 'HTTP/1.1 200 OK\r\nServer: x\r\n\r\n',
    body: Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => (n * n) >> 3)),
  },
  {
    name: 'chunked and gzip',
    head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n',
    body: chunkedBody(gzipSync(page)),
    payload: gzipSync(page),
  },
  {
    name: 'a short body that is declared chunked but is not',
    head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    body: Buffer.from('body'),
  },
]

/** Reads a member with warcio: the digests in the header, and those of the bytes that it returns. */
async function witnessed(
  member: Uint8Array,
): Promise<{ header: (string | null | undefined)[]; block: string; content: string; type: string | null }> {
  const [raw] = await records(member, false)
  const block = await raw?.readFully(false)
  const [parsed] = await records(member, true)
  const content = await parsed?.readFully(true)
  if (!raw || !parsed || !block || !content) throw new Error('warcio found no record')
  const fields = [raw.warcBlockDigest, raw.warcPayloadDigest]
  return { header: fields, block: sha1Base32([block]), content: sha1Base32([content]), type: raw.warcType }
}

async function records(bytes: Uint8Array, parseHttp: boolean) {
  const parser = new WARCParser(single(bytes), { parseHttp })
  const record = await parser.parse()
  return record ? [record] : []
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

test.each(rows)('warcio reads and verifies: $name', async ({ head, body, payload = body }) => {
  const block = [Buffer.from(head), body.subarray(0, 5), body.subarray(5)]
  const member = warcMember(newRecord({ ...header, block, payload: { offset: head.length } }), 6)
  const seen = await witnessed(member.bytes)
  expect(seen.header).toEqual([member.blockDigest, member.payloadDigest])
  expect(seen.block).toBe(member.blockDigest)
  expect(member.payloadDigest).toBe(sha1Base32([payload]))
  // warcio removes the content coding together with the transfer coding, so only without one can it confirm the payload.
  const entity = head.includes('gzip') ? page : payload
  expect(seen.content).toBe(sha1Base32([entity]))
  if (!head.includes('gzip')) expect(seen.content).toBe(member.payloadDigest)
})

test.each(rows)('streaming gives the same record: $name', async ({ head, body }) => {
  const bytes = Buffer.concat([Buffer.from(head), body])
  const record = { ...header, payload: { offset: head.length } }
  const made = warcMember(newRecord({ ...record, block: [bytes] }), 6)
  async function* block() {
    for (let at = 0; at < bytes.length; at += 10_007) yield await Promise.resolve(bytes.subarray(at, at + 10_007))
  }
  const { chunks, ...digests } = await warcMemberStreamed({ ...record, blockBytes: bytes.length, block }, 6)
  const parts: Uint8Array[] = []
  for await (const part of chunks) parts.push(part)
  expect(gunzipSync(Buffer.concat(parts)).equals(gunzipSync(made.bytes))).toBe(true)
  const { blockDigest, payloadDigest, standardDigest } = made
  expect(digests).toEqual({ blockDigest, payloadDigest, standardDigest })
})

test.each(rows)(
  'states the digest of the stored body when requested: $name',
  async ({ head, body, payload = body }) => {
    const bytes = Buffer.concat([Buffer.from(head), body])
    const record = { ...header, payload: { offset: head.length, digest: 'asStored' } } as const
    const made = newRecord({ ...record, block: [bytes.subarray(0, 7), bytes.subarray(7)] })
    expect([made.payloadDigest, made.standardDigest]).toEqual([sha1Base32([body]), sha1Base32([payload])])
    expect(made.header.toString()).toContain(`WARC-Payload-Digest: ${sha1Base32([body])}\r\n`)
    const { payloadDigest, standardDigest } = await recordStreamed({
      ...{ ...record, blockBytes: bytes.length },
      block: () => single(bytes),
    })
    expect([payloadDigest, standardDigest]).toEqual([made.payloadDigest, made.standardDigest])
  },
)

test('writes the header byte by byte as expected', () => {
  const record = newRecord({
    ...header,
    type: 'metadata',
    contentType: 'application/warc-fields',
    block: [Buffer.from('a: b\r\n')],
  })
  expect(Buffer.concat(recordBytes(record)).toString()).toBe(
    [
      'WARC/1.1',
      'WARC-Type: metadata',
      'WARC-Record-ID: <urn:uuid:0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f1>',
      'WARC-Date: 2026-11-20T13:26:09.007Z',
      'WARC-Target-URI: http://example.com/ä',
      'Content-Type: application/warc-fields',
      'Content-Length: 6',
      'WARC-Block-Digest: sha1:H7HBWPOE5VTMFRUFIAMUYBUQQJ3DUWAW',
      '',
      'a: b',
      '',
      '',
      '',
    ].join('\r\n'),
  )
})

test('WARC 1.0 dates have no fractions of a second', () => {
  const { header: bytes } = newRecord({ ...header, version: '1.0', block: [] })
  const [version, , , date] = Buffer.from(bytes).toString().split('\r\n')
  expect([version, date]).toEqual(['WARC/1.0', 'WARC-Date: 2026-11-20T13:26:09Z'])
})

test('no value can inject a field', () => {
  expect(() =>
    newRecord({ ...header, fields: [['WARC-Target-URI', 'http://a/\r\nWARC-Type: request']], block: [] }),
  ).toThrow('WARC-Target-URI')
})

test('a block that changes between the passes is a bug, and a fault of the source is passed on', async () => {
  let pass = 0
  const gather = async (block: () => AsyncIterable<Uint8Array>) => {
    const { chunks } = await warcMemberStreamed({ ...header, blockBytes: 3, block }, 6)
    for await (const part of chunks) expect(part.length).toBeGreaterThan(0)
  }
  await expect(gather(() => single(Buffer.from(pass++ === 0 ? 'abc' : 'ab')))).rejects.toThrow('3 bytes gave 2')
  let read = 0
  async function* breaking() {
    yield await Promise.resolve(Buffer.from('abc'))
    if (read++ > 0) throw new Error('the disk failed')
  }
  await expect(gather(breaking)).rejects.toThrow('the disk failed')
})
