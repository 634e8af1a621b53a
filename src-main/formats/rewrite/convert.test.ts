import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { capturesOf } from '../cdx/captures.ts'
import { surt } from '../cdx/surt.ts'
import { sha1Base32 } from '../bytes/digest.ts'
import { payloadOf } from '../http/http.ts'
import { recognise } from '../recognise.ts'
import { recordField } from '../records/record.ts'
import { readRecords } from '../records/readRecords.ts'
import { Account } from './account.ts'
import { convertArc } from './convertArc.ts'
import { convertHar } from './convertHar.ts'
import type { Spool } from './heldBlock.ts'
import { recompress } from './recompress.ts'
import { salvage } from './salvage.ts'
import { corporaFolder, hasCorpora } from '../testing/corpora.ts'

function memorySpool(): Spool {
  let held: Uint8Array[] = []
  return {
    clear: () => Promise.resolve(void (held = [])),
    append: (bytes) => Promise.resolve(void held.push(Uint8Array.from(bytes))),
    async *read(bytes) {
      yield await Promise.resolve(Buffer.concat(held).subarray(0, bytes))
    },
  }
}

interface Read {
  type: string
  url: string | undefined
  contentType: string | undefined
  header: string
  block: Buffer
  field: (name: string) => string | undefined
}

async function recordsIn(bytes: Uint8Array): Promise<Read[]> {
  const records: Read[] = []
  const rules: string[] = []
  for await (const record of readRecords(sourceOf(bytes), { onFinding: ({ rule }) => rules.push(rule) })) {
    const { type, url, contentType, fields } = record
    const header = Buffer.from(record.header).toString('latin1')
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(part)
    records.push({
      type,
      url,
      contentType,
      header,
      block: Buffer.concat(parts),
      field: (name) => recordField({ fields }, name),
    })
    await record.finish()
  }
  expect(rules.filter((rule) => rule === 'noRecord')).toEqual([])
  return records
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

const origin = { name: 'a.arc.gz', bytes: 7, sha256: 'cafe', software: 'Loupe test' }

async function converted(bytes: Uint8Array, how: typeof convertArc | typeof convertHar = convertArc) {
  const account = new Account()
  const result = await gathered(how(sourceOf(bytes), { spool: memorySpool(), account, origin }))
  return { result, account, records: await recordsIn(result) }
}

interface Made {
  url: string
  ip?: string
  date?: string
  type?: string
  block: Buffer
}

function arcRecord({ url, ip = '192.0.2.1', date = '20050102030405', type = 'text/html', block }: Made): Buffer {
  return Buffer.concat([
    Buffer.from(`${url} ${ip} ${date} ${type} ${block.length}\n`, 'latin1'),
    block,
    Buffer.from('\n'),
  ])
}

const version =
  '1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n<?xml version="1.0"?>\n<arcmetadata/>\n'
const filedesc = arcRecord({
  url: 'filedesc://a.arc',
  ip: '0.0.0.0',
  date: '20050101000000',
  type: 'text/plain',
  block: Buffer.from(version),
})
const page = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>')

test('converts each record to WARC', async () => {
  const arc = [
    filedesc,
    arcRecord({ url: 'http://example.org/', block: page }),
    arcRecord({
      url: 'dns:example.org',
      ip: '0.0.0.0',
      date: '20050102030406',
      block: Buffer.from('20050102\n1.2.3.4'),
    }),
    arcRecord({ url: 'ftp://example.org/x', type: 'no-type', date: '20050102030407', block: Buffer.from('bytes') }),
  ]
  const { records, account } = await converted(Buffer.concat(arc.map((bytes) => gzipSync(bytes))))
  expect(records.map(({ type, url, contentType }) => [type, url, contentType])).toEqual([
    ['warcinfo', undefined, 'application/warc-fields'],
    ['metadata', 'filedesc://a.arc', 'text/plain'],
    ['response', 'http://example.org/', 'application/http; msgtype=response'],
    ['resource', 'dns:example.org', 'text/dns'],
    ['resource', 'ftp://example.org/x', undefined],
  ])
  const [info, description, response, dns] = records
  expect(info?.block.toString()).toBe(
    [
      'software: Loupe test',
      'format: WARC File Format 1.1',
      'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
      'description: Converted from the ARC/1.1 file a.arc.gz',
      'convertedFrom: a.arc.gz',
      'convertedFromBytes: 7',
      'convertedFromSha256: cafe',
      '',
    ].join('\r\n'),
  )
  expect(info?.field('WARC-Date')).toBe('2005-01-01T00:00:00Z')
  expect(description?.block.toString()).toBe(version)
  const place = gzipSync(filedesc).length
  expect(response?.header).toBe(
    [
      'WARC/1.1',
      'WARC-Type: response',
      `WARC-Record-ID: ${response?.field('WARC-Record-ID')}`,
      'WARC-Date: 2005-01-02T03:04:05Z',
      'WARC-Target-URI: http://example.org/',
      'WARC-IP-Address: 192.0.2.1',
      `WARC-Warcinfo-ID: ${info?.field('WARC-Record-ID')}`,
      `Converted-From: a.arc.gz; offset=${place}`,
      'Content-Type: application/http; msgtype=response',
      `Content-Length: ${page.length}`,
      `WARC-Block-Digest: ${sha1Base32([page])}`,
      `WARC-Payload-Digest: ${sha1Base32([Buffer.from('<p>hello</p>')])}`,
      '',
      '',
    ].join('\r\n'),
  )
  expect(response?.block.equals(page)).toBe(true)
  expect(dns?.field('WARC-IP-Address')).toBeUndefined()
  const ids = records.map(({ field }) => field('WARC-Record-ID'))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids)
    expect(id).toMatch(/^<urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}>$/)
  expect(account.changed.total + account.leftOut.total).toBe(0)
})

test.each([
  ['blanks', 'http://example.org/a b', 'http://example.org/a%20b'],
  ['bytes that are not UTF-8', 'http://example.org/\xe9cole?q=\xff', 'http://example.org/%E9cole?q=%FF'],
  ['bytes that are', 'http://example.org/\xc3\xa9cole', 'http://example.org/%C3%A9cole'],
  ['a CR and a tab', 'http://example.org/a\rb\tc', 'http://example.org/abc'],
])('%s in a URL become what a browser requests, with the key of the ARC record', async (_what, url, uri) => {
  const arc = Buffer.concat([filedesc, arcRecord({ url, block: page })])
  const { records, result } = await converted(arc)
  expect(records[2]?.field('WARC-Target-URI')).toBe(uri)
  const [inArc, inWarc] = await Promise.all([arc, result].map(keysIn))
  expect(inArc).toEqual([surt(uri)])
  expect(inWarc).toEqual(inArc)
})

async function keysIn(bytes: Uint8Array): Promise<string[]> {
  const keys: string[] = []
  for await (const found of capturesOf(sourceOf(bytes), 'x', { digests: 'trust', post: false }))
    if ('capture' in found && found.capture.url.startsWith('http')) keys.push(found.capture.key)
  return keys
}

describe('a date that cannot be read is not invented', () => {
  const good = arcRecord({ url: 'http://example.org/good', date: '20050304050607', block: page })
  const bad = (date: string) => arcRecord({ url: 'http://example.org/bad', date, block: page })
  const undated = arcRecord({
    url: 'filedesc://a.arc',
    ip: '0.0.0.0',
    date: '00000000000000',
    type: 'text/plain',
    block: Buffer.from(version),
  })
  const told = ({ field }: Read) =>
    [field('WARC-Date'), field('Original-Archive-date'), field('Converted-Date-From')] as const

  test('takes the date of the record before, and notes that in the record', async () => {
    const bytes = Buffer.concat([filedesc, good, bad('20059999000000'), bad('never')])
    const { records, account } = await converted(bytes)
    const place = `a.arc.gz; offset=${filedesc.length}`
    expect(records.slice(2).map(told)).toEqual([
      ['2005-03-04T05:06:07Z', undefined, undefined],
      ['2005-03-04T05:06:07Z', '20059999000000', place],
      ['2005-03-04T05:06:07Z', 'never', place],
    ])
    expect(account.changed.items.map(({ rules }) => rules)).toEqual([['arcDateInvalid'], ['arcDateInvalid']])
  })

  test('takes for the first records the date of the first record after them', async () => {
    const { records } = await converted(Buffer.concat([undated, bad('x'), good]))
    const place = `a.arc.gz; offset=${undated.length + bad('x').length}`
    expect(records.map(told)).toEqual([
      ['2005-03-04T05:06:07Z', undefined, place],
      ['2005-03-04T05:06:07Z', '00000000000000', place],
      ['2005-03-04T05:06:07Z', 'x', place],
      ['2005-03-04T05:06:07Z', undefined, undefined],
    ])
  })

  test('writes nothing where no record has a date', async () => {
    const { result, account } = await converted(Buffer.concat([undated, bad('00000000000000')]))
    expect(result).toHaveLength(0)
    expect(account.leftOut.items).toMatchObject([
      { from: 0, to: undated.length - 1, rule: 'arcDateInvalid', message: { code: 'rewrite.date.none' } },
      { from: undated.length, rule: 'arcDateInvalid' },
    ])
  })

  test('notes the digits that it could not read in the record', async () => {
    const { records } = await converted(Buffer.concat([filedesc, bad('2005'), bad('2005030405060700')]))
    expect(records.slice(2).map(told)).toEqual([
      ['2005-01-01T00:00:00Z', '2005', undefined],
      ['2005-03-04T05:06:07Z', '2005030405060700', undefined],
    ])
  })
})

test('notes other unreadable parts of a line in the record', async () => {
  const line = 'http://example.org/ 1.2.3 20050102030405 text 3x\nabc\n'
  const { records } = await converted(Buffer.concat([filedesc, Buffer.from(line)]))
  const [, , odd] = records
  const original = (name: string) => odd?.field(`Original-${name}`)
  expect([original('IP-address'), original('Content-type'), original('Archive-length')]).toEqual([
    '1.2.3',
    'text',
    '3x',
  ])
  expect([odd?.field('WARC-IP-Address'), original('Archive-date')]).toEqual([undefined, undefined])
})

const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 5 })

test.each([
  ['plain', (records: Buffer[]) => Buffer.concat(records)],
  ['a member a record', (records: Buffer[]) => Buffer.concat(records.map((bytes) => gzipSync(bytes)))],
  ['one member for all', (records: Buffer[]) => gzipSync(Buffer.concat(records))],
])('%s: keeps the payloads, and converts to the same bytes again', async (_name, packed) => {
  await fc.assert(
    fc.asyncProperty(payloads, async (bodies) => {
      const blocks = bodies.map((body) => Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), body]))
      const arc = packed([
        filedesc,
        ...blocks.map((block, index) => arcRecord({ url: `http://e.org/${index}`, block })),
      ])
      const { result, records } = await converted(arc)
      expect(records.slice(2).map(({ block }) => block.toString('latin1'))).toEqual(
        blocks.map((block) => block.toString('latin1')),
      )
      expect(result.equals((await converted(arc)).result)).toBe(true)
      const parser = new WARCParser(once(result), { parseHttp: false })
      const digests: (string | null | undefined)[] = []
      for await (const record of parser) {
        expect(sha1Base32([await record.readFully(false)])).toBe(record.warcBlockDigest)
        digests.push(record.warcPayloadDigest)
      }
      expect(digests.slice(2)).toEqual(bodies.map((body) => sha1Base32([body])))
    }),
    { numRuns: 30 },
  )
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

test('ARC stays ARC when it is recompressed', async () => {
  const arc = Buffer.concat([filedesc, arcRecord({ url: 'http://example.org/', block: page })])
  for (const bytes of [arc, gzipSync(arc)]) {
    const account = new Account()
    const result = await gathered(recompress(sourceOf(bytes), { spool: memorySpool(), account }))
    expect(gunzipSync(result).equals(arc)).toBe(true)
    const offsets: number[] = []
    for await (const record of readRecords(sourceOf(result))) if (record.addressable) offsets.push(record.offset)
    expect(offsets).toEqual([0, gzipSync(filedesc).length])
  }
})

test('an ARC truncated at every byte is salvaged into a WARC with all complete records', async () => {
  const arc = Buffer.concat([filedesc, arcRecord({ url: 'http://example.org/', block: page })])
  for (let length = 0; length <= arc.length; length++) {
    const account = new Account()
    const cut = sourceOf(arc.subarray(0, length))
    const result = await gathered(salvage(cut, { spool: memorySpool(), account, origin, dateMs: 0 }))
    const records = await recordsIn(result)
    for (const { field, block } of records) expect(field('WARC-Block-Digest')).toBe(sha1Base32([block]))
    const response = records.find(({ type }) => type === 'response')
    if (response) expect(page.subarray(0, response.block.length).equals(response.block)).toBe(true)
    if (response)
      expect(response.field('WARC-Truncated')).toBe(response.block.length < page.length ? 'unspecified' : undefined)
  }
})

test('HAR: writes the response, the request and the program that exported them', async () => {
  const entry = {
    startedDateTime: '2026-11-20T12:00:00.123Z',
    serverIPAddress: '192.0.2.7',
    request: {
      method: 'POST',
      url: 'https://example.org/',
      headers: [],
      postData: { mimeType: 'text/plain', text: 'a' },
    },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: 'h2', redirectURL: '' },
      headers: [{ name: 'Content-Encoding', value: 'br' }],
      content: { size: 5, mimeType: 'text/plain', text: 'hello' },
    },
  }
  const failed = { ...entry, response: { status: 0 } }
  const damaged = { ...entry, startedDateTime: '?' }
  const har = JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '1' }, entries: [failed, entry, damaged] },
  })
  const { records, account, result } = await converted(Buffer.from(har), convertHar)
  const [info, response, request] = records
  expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'response', 'request'])
  expect(info?.block.toString()).toContain('harCreator: WebInspector 1\r\n')
  expect(response?.field('WARC-Date')).toBe('2026-11-20T12:00:00.123Z')
  expect(response?.field('WARC-IP-Address')).toBe('192.0.2.7')
  expect(response?.field('WARC-Protocol')).toBe('h2')
  expect(response?.field('WARC-Payload-Digest')).toBe(sha1Base32([Buffer.from('hello')]))
  expect(Buffer.from(payloadOf(response?.block ?? Buffer.alloc(0), 100).entity).toString()).toBe('hello')
  expect(request?.field('WARC-Concurrent-To')).toBe(response?.field('WARC-Record-ID'))
  expect(request?.block.toString()).toBe('POST / HTTP/1.1\r\nHost: example.org\r\n\r\na')
  expect(account.findings.items.map(({ rule }) => rule)).toEqual(['harFailed', 'harDateInvalid'])
  expect(account.leftOut.items).toMatchObject([{ rule: 'harDateInvalid' }])
  expect(result.equals((await converted(Buffer.from(har), convertHar)).result)).toBe(true)
})

const arcFiles = hasCorpora()
  ? readdirSync(corporaFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.arc(\.gz)?$/.test(name))
      .toSorted()
  : []

test.skipIf(arcFiles.length > 0)(
  'the ARC files of other projects: skipped without samples: npm run corpora',
  () => undefined,
)

test.each(arcFiles)('%s becomes a WARC with the same blocks', async (name) => {
  const bytes = readFileSync(join(corporaFolder, name))
  if ((await recognise(sourceOf(bytes))).form !== 'arc') return
  const blocks: string[] = []
  for await (const record of readRecords(sourceOf(bytes))) {
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(part)
    if (!(await record.finish()).findings.some(({ rule }) => rule === 'recordInside')) blocks.push(sha1Base32(parts))
  }
  const { records, result } = await converted(bytes)
  expect(records.map(({ field }) => field('WARC-Block-Digest'))).toEqual(expect.arrayContaining(blocks))
  let count = 0
  for await (const record of new WARCParser(once(result), { parseHttp: false })) {
    expect(sha1Base32([await record.readFully(false)])).toBe(record.warcBlockDigest)
    count++
  }
  expect(count).toBe(records.length)
})
