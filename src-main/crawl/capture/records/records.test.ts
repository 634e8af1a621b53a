import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sourceOf } from '../../../formats/bytes/testing/sourceOf.ts'
import { capturesOf } from '../../../formats/cdx/captures.ts'
import { checkRecord } from '../../../formats/check/checkRecord.ts'
import { sha1Base32 } from '../../../formats/bytes/digest.ts'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { finding } from '../../../formats/rules/finding.ts'
import { readRecords } from '../../../formats/records/readRecords.ts'
import { recordField } from '../../../formats/records/record.ts'
import { payloadDigestKinds, warcVersions, type PayloadDigestKind } from '../../../formats/records/warcWriter.ts'
import { seededWorld } from '../../../world/testing/seeded.ts'
import type { Answered } from '../fetch/outcome.ts'
import { defaultCrawlSettings, answerBytesInMemoryMax, type CrawlSettings } from '../../model/limits.ts'
import { recordMembers, type MembersInput } from './recordMembers.ts'
import { recordsOf, type CaptureRecords } from './records.ts'
import type { Original } from '../../model/document.ts'
import { spoolIn } from '../fetch/spool.ts'

const world = seededWorld({ seed: 1 })
const bodies = { members: async (input: MembersInput) => recordMembers(input) }
const nowMs = Date.UTC(2026, 0, 2)
const url = 'http://a.test/'
const document = { id: 1, url, role: 'page', hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 } as const

async function answered(text: string): Promise<Answered> {
  const bytes = Buffer.from(text)
  const parsed = parseResponseHead(bytes)
  if (!parsed) throw new Error('the head of a test is readable')
  const response = spoolIn(world, { folder: '/', runId: 'run' })
  await response.append(bytes)
  return {
    ...{ kind: 'answered', head: parsed.head, response, truncated: undefined, security: undefined, findings: [] },
    ...{ request: Buffer.from('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'), remoteAddress: '192.0.2.1' },
    ...{ startedMs: nowMs, durationMs: 1 },
  }
}

async function recordsFor(
  text: string,
  original?: Original,
  given: Partial<Pick<CrawlSettings, 'warcVersion' | 'payloadDigest' | 'revisitRecords'>> = {},
  isConditional = true,
): Promise<CaptureRecords> {
  const settings = { ...defaultCrawlSettings, ...given }
  const place = { fileName: '1-1.warc.gz', offset: 700 }
  const known = original && { original, place, etag: null, lastModified: null }
  return world.run(
    answered(text).then((answer) => {
      const isUnmodified = known && isConditional && answer.head.status === 304
      const conditional = {
        ...answer,
        ...(isUnmodified && { earlier: { head: answer.head, response: answer.response } }),
      }
      return recordsOf({ world, settings, bodies }, document, conditional, known)
    }),
  )
}

async function bytesOf({ response, others }: CaptureRecords): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  if (Array.isArray(response)) chunks.push(...response)
  else for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat([...chunks, ...others])
}

/** Reads the records back: type, profile and block of the first one, the types of all, and the rules that any of them violates. */
async function read(records: CaptureRecords) {
  const seen: { type: string; profile: string | undefined; refersTo: string | undefined; block: string }[] = []
  const rules: string[] = []
  const bytes = await bytesOf(records)
  for await (const record of readRecords(sourceOf(bytes))) {
    const profile = recordField(record, 'warc-profile')?.split('/').slice(-3).join('/')
    const chunks: Uint8Array[] = []
    for await (const chunk of record.block()) chunks.push(chunk)
    const block = Buffer.concat(chunks).toString()
    seen.push({ type: record.type, profile, refersTo: recordField(record, 'warc-refers-to'), block })
  }
  for await (const record of readRecords(sourceOf(bytes))) {
    rules.push(...(await checkRecord(record, { nowMs })).findings.map(({ rule }) => rule))
  }
  expect([await indexed(bytes)]).toEqual([
    { ...records.capture, offset: 0, filename: 'a.warc.gz', length: await lengthOf(records) },
  ])
  return { main: seen[0], types: seen.map(({ type }) => type), rules }
}

/** The capture of the main record, read from its bytes. */
async function indexed(bytes: Uint8Array): Promise<unknown> {
  const options = { digests: 'verify', post: true } as const
  for await (const found of capturesOf(sourceOf(bytes), 'a.warc.gz', options))
    if ('capture' in found) return found.capture
  return undefined
}

async function lengthOf({ response, others, ...records }: CaptureRecords): Promise<number> {
  return (await bytesOf({ ...records, response, others })).length - Buffer.concat(others).length
}

const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Run: two\r\n\r\n'
const whole = `${head}hello`

async function originalOf(text: string, kind: PayloadDigestKind = 'standard'): Promise<Original> {
  const { payloadDigest, namedDigest, id } = await recordsFor(text, undefined, { payloadDigest: kind })
  return { id, ms: nowMs - 86_400_000, status: 200, payloadDigest, namedDigest }
}

describe.each(warcVersions)('WARC %s', (version) => {
  test('an answer with the same payload as before is a revisit that contains only its own header', async () => {
    const original = await originalOf('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
    const records = await recordsFor(whole, original, { warcVersion: version })
    expect(records).toMatchObject({ kind: 'revisit', payloadDigest: original.payloadDigest })
    const { main, types, rules } = await read(records)
    expect([types, records.count]).toEqual([['revisit'], 1])
    expect(main).toMatchObject({ profile: `${version}/revisit/identical-payload-digest`, block: head })
    expect(main?.refersTo).toBe(`<urn:uuid:${original.id}>`)
    expect(rules).toEqual([])
  })

  test('a 304 is a revisit with the profile server-not-modified', async () => {
    const original = await originalOf(whole)
    const notModified = 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'
    const records = await recordsFor(notModified, original, { warcVersion: version })
    expect(records).toMatchObject({ kind: 'revisit', payloadDigest: original.payloadDigest })
    const { main, types, rules } = await read(records)
    expect([types, records.count]).toEqual([['revisit'], 1])
    expect(main).toMatchObject({ profile: `${version}/revisit/server-not-modified`, block: notModified })
    expect(rules).toEqual([])
  })

  test('a revisit has its request and metadata if the setting asks for them', async () => {
    const original = await originalOf(whole)
    for (const text of [whole, 'HTTP/1.1 304 Not Modified\r\n\r\n']) {
      const records = await recordsFor(text, original, { warcVersion: version, revisitRecords: 'complete' })
      expect([(await read(records)).types, records.count]).toEqual([['revisit', 'request', 'metadata'], 3])
    }
  })

  test('the original may have another URL, and its place is named', async () => {
    const original = { ...(await originalOf(whole)), url: 'http://b.test/' }
    const records = await recordsFor(whole, original, { warcVersion: version })
    const header = Buffer.from(await plainOf(records)).toString()
    expect(header).toContain('WARC-Refers-To-Filename: 1-1.warc.gz\r\nWARC-Refers-To-File-Offset: 700\r\n')
    if (version === '1.1') expect(header).toContain('WARC-Refers-To-Target-URI: http://b.test/\r\n')
  })
})

async function plainOf(records: CaptureRecords): Promise<Uint8Array> {
  return gunzipSync(await bytesOf(records))
}

test('every other answer is written in full', async () => {
  const original = await originalOf(whole)
  const rows: [string, string, Original | undefined][] = [
    ['no earlier capture', whole, undefined],
    ['another body', whole.replace('hello', 'HELLO'), original],
    ['a status that differs from a 200', whole.replace('200 OK', '500 Oh'), original],
    ['an earlier capture with another status', whole, { ...original, status: 203 }],
    ['no body', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', await originalOf('HTTP/1.1 200 OK\r\n\r\n')],
    ['a 304 to an unconditional request', 'HTTP/1.1 304 Not Modified\r\n\r\n', original],
  ]
  for (const [what, text, known] of rows) {
    const { main } = await read(await recordsFor(text, known, {}, false))
    expect(main, what).toMatchObject({ type: 'response', block: text })
  }
})

test('an answer too large for the memory is compared as well', async () => {
  const body = 'x'.repeat(answerBytesInMemoryMax + 1)
  const large = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const original = await originalOf(large)
  expect(await recordsFor(large, original)).toMatchObject({ kind: 'revisit' })
  expect(await recordsFor(large, { ...original, payloadDigest: 'sha1:A' })).toMatchObject({ kind: 'response' })
})

describe('payload digests of chunked answers', () => {
  const chunked = (body: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`
  const body = '5\r\nhello\r\n0\r\n\r\n'
  const otherChunks = '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'
  const named = async (records: CaptureRecords) => {
    for await (const record of readRecords(sourceOf(await bytesOf(records))))
      return recordField(record, 'warc-payload-digest')
    throw new Error('there is a record')
  }

  test('the record has the digest that the setting selects; the comparison uses the digest of the payload', async () => {
    const standard = await recordsFor(chunked(body), undefined, { payloadDigest: 'standard' })
    const stored = await recordsFor(chunked(body), undefined, { payloadDigest: 'asStored' })
    expect(await named(standard)).toBe(sha1Base32([Buffer.from('hello')]))
    expect(await named(stored)).toBe(sha1Base32([Buffer.from(body)]))
    expect(stored.payloadDigest).toBe(standard.payloadDigest)
    expect((await read(standard)).rules).toEqual([])
    expect((await read(stored)).rules).toEqual(['payloadDigestWithChunks'])
  })

  test.each(payloadDigestKinds.flatMap((then) => payloadDigestKinds.map((now) => [then, now] as const)))(
    'captured with %s, then with %s: other chunks do not change the payload, and the revisit has the digest of its original',
    async (then, now) => {
      const original = await originalOf(chunked(body), then)
      const records = await recordsFor(chunked(otherChunks), original, { payloadDigest: now })
      expect(records).toMatchObject({ kind: 'revisit', payloadDigest: original.payloadDigest })
      expect(await named(records)).toBe(original.namedDigest)
      expect((await recordsFor(chunked(body.replace('hello', 'HELLO')), original, { payloadDigest: now })).kind).toBe(
        'response',
      )
    },
  )

  test('both digests are the same without chunks', async () => {
    const { payloadDigest, namedDigest } = await recordsFor(whole, undefined, { payloadDigest: 'asStored' })
    expect(namedDigest).toBe(payloadDigest)
  })

  test('an answer too large for the memory has both digests', async () => {
    const text = 'x'.repeat(answerBytesInMemoryMax + 1)
    const large = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
    const { payloadDigest, namedDigest } = await recordsFor(chunked(large), undefined, { payloadDigest: 'asStored' })
    expect([payloadDigest, namedDigest]).toEqual([text, large].map((bytes) => sha1Base32([Buffer.from(bytes)])))
  })
})

test('data that other documents pass on and findings are recorded with the capture, one line per item', async () => {
  const inherited = [{ name: 'title', value: 'Roses\r\nof June' }]
  const findings = [finding('chunksTorn')]
  const { others } = await world.run(
    answered(whole).then((answer) =>
      recordsOf({ world, settings: defaultCrawlSettings, bodies }, { ...document, inherited }, { ...answer, findings }),
    ),
  )
  const texts: string[] = []
  for await (const record of readRecords(sourceOf(Buffer.concat(others)))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of record.block()) chunks.push(chunk)
    if (record.type === 'metadata') texts.push(Buffer.concat(chunks).toString())
  }
  expect(texts).toEqual([expect.stringContaining('\r\ninherited-title: Roses of June\r\n')])
  expect(texts).toEqual([expect.stringMatching(/\r\nfinding: \S.*\.\r\n$/)])
})
