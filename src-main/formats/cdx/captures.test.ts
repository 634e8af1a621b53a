import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { capturesOf, type CaptureOptions } from './captures.ts'
import { sha1Base32 } from '../digest.ts'
import { newRecord, warcMember, type RecordType } from '../records/warcWriter.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'

function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return Promise.resolve(part.length)
    },
  }
}

async function indexed(
  bytes: Uint8Array,
  options: Partial<CaptureOptions> = {},
): Promise<{ captures: Capture[]; codes: string[] }> {
  const captures: Capture[] = []
  const codes: string[] = []
  for await (const found of capturesOf(sourceOf(bytes), 'a.warc', { digests: 'verify', post: false, ...options })) {
    if ('capture' in found) captures.push(found.capture)
    else codes.push(found.complaint.rule)
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
  return (await warcMember(record, 6)).bytes
}

const chunked = `HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n${page.toString()}\r\n0\r\n\r\n`

test('captures of the types that can be asked for', async () => {
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

test('digests are checked, and the practice of digesting chunk framing is known', async () => {
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

const corpora = new URL('../../../../shared/corpora/', import.meta.url)

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

test.skipIf(!existsSync(corpora)).each(samples)(
  '%s has %i captures (needs ../shared)',
  async (file, count, ...codes) => {
    const found = await indexed(readFileSync(new URL(file, corpora)))
    expect(found.captures).toHaveLength(count)
    expect(found.codes).toEqual(codes)
  },
)
