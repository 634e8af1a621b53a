/** The material of inputs: good archive files in every compression, written by the program itself, and the sample files of other
 *  projects where they are installed. `mutate.ts` damages them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { newRecord, recordBytes, type RecordType } from '../../src-main/formats/records/warcWriter.ts'
import { WaczWriter } from '../../src-main/formats/wacz/waczWriter.ts'
import { corporaFolder, hasCorpora } from '../../src-main/formats/testing/corpora.ts'

/** How the records of a file are compressed. zstd is rare because each of its frames takes as long as many gzip members. */
export const packings = {
  usual: ['plain', 'plain', 'gzip', 'gzip', 'gzipShared', 'gzipSpread', 'gzipNested', 'gzipWhole'],
  rare: ['zstd', 'zstdShared', 'zstdDictionary', 'mixed'],
} as const
export type Packing = (typeof packings)['usual' | 'rare'][number]

/** The material from which inputs are made. */
export interface Seeds {
  /** Files as lists of uncompressed records, which can be changed before compression. */
  unpacked: Buffer[][]
  /** Files as bytes. */
  whole: Buffer[]
  /** Byte sequences that have a meaning for a reader, to be inserted anywhere. */
  morsels: Buffer[]
}

const dateMs = Date.UTC(2026, 10, 20)

/** The bytes of a WARC record, the same for the same content. */
function made(
  type: RecordType,
  block: string | Uint8Array,
  { contentType, fields = [] }: { contentType?: string; fields?: [string, string][] } = {},
): Buffer {
  const bytes = Buffer.from(block)
  const head = bytes.indexOf('\r\n\r\n')
  const id = createHash('md5').update(type).update(bytes).digest('hex')
  const isAnswer = type === 'response' && head >= 0
  const record = newRecord({
    ...{ type, id, dateMs, fields, contentType, block: [bytes] },
    ...(isAnswer && { payload: { offset: head + 4 } }),
  })
  return Buffer.concat(recordBytes(record))
}

const http = 'application/http'
/** The field with the URL of a record. */
function target(path: string): [string, string][] {
  return [['WARC-Target-URI', `http://example.com/${path}`]]
}

/** A response record with an HTTP message. */
function answer(path: string, head: string, body: string | Uint8Array): Buffer {
  const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(body)])
  return made('response', block, { contentType: `${http}; msgtype=response`, fields: target(path) })
}

/** A request record with an HTTP message. */
function asked(path: string, block: string): Buffer {
  return made('request', block, { contentType: `${http}; msgtype=request`, fields: target(path) })
}

/** Words that are compressible like those of pages. */
function page(bytes: number): string {
  let text = ''
  for (let word = 1; text.length < bytes; word++) text += `<p class="${word % 7}">${(word * 2654435761) % 9973}</p>\n`
  return text.slice(0, bytes)
}

/** Incompressible bytes. */
function noise(bytes: number): Buffer {
  const parts: Buffer[] = []
  for (let part = 0; part * 32 < bytes; part++) parts.push(createHash('sha256').update(`${part}`).digest())
  return Buffer.concat(parts).subarray(0, bytes)
}

const chunked = 'Content-Type: text/html\r\nTransfer-Encoding: chunked'
const html = 'Content-Type: text/html; charset=utf-8'

/** WARC files as lists of records: pairs, revisits, all types, bodies that are chunked, posted or compressed. */
function warcFiles(): Buffer[][] {
  const info = made('warcinfo', 'software: Loupe\r\nformat: WARC File Format 1.1\r\n', {
    contentType: 'application/warc-fields',
  })
  const small = answer('a', html, '<p>hello</p>')
  const posted = 'POST /a HTTP/1.1\r\nHost: example.com\r\nContent-Type: application/json\r\n\r\n{"a":[1,{"b":"c"}]}'
  const pair = [small, asked('a', 'GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n')]
  const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
  const revisit = made('revisit', 'HTTP/1.1 200 OK\r\n\r\n', { contentType: http, fields: target('r') })
  const others = (['resource', 'metadata', 'conversion', 'continuation'] as const).map((type) =>
    made(type, `a ${type}`, { contentType: 'text/plain', fields: target(type) }),
  )
  return [
    [info, ...pair],
    [info, answer('chunks', chunked, '4\r\nwiki\r\n5;x=1\r\npedia\r\n0\r\nA: b\r\n\r\n'), revisit, ...others],
    [
      asked('p', posted),
      answer('p', html, ''),
      asked('m', `POST /m HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n${form}`),
      answer('m', html, 'x'),
    ],
    [answer('page', html, page(6_000)), answer('gz', `${html}\r\nContent-Encoding: gzip`, gzipSync(page(900)))],
    Array.from({ length: 12 }, (_, number) => answer(`many/${number}`, html, page(number * 40))),
    // An archive inside an archive: its beginning is not a record of this file.
    [answer('inside.warc.gz', 'Content-Type: application/warc', gzipSync(small)), answer('inside.warc', html, small)],
    [made('resource', '', { fields: target('empty') }), small, made('resource', noise(3_000), { fields: target('n') })],
  ]
}

/** ARC files of versions 1.0, 1.1 and 2.0. */
function arcFiles(): Buffer[][] {
  const line = (url: string, block: string, type = 'text/html') =>
    Buffer.from(`${url} 192.0.2.1 20200102030405 ${type} ${block.length}\n${block}\n`)
  const begin = (version: string, names: string) => {
    const block = `${version} Archive\n${names}\n`
    return Buffer.from(`filedesc://a.arc 0.0.0.0 20200102030405 text/plain ${block.length}\n${block}\n`)
  }
  const names = 'URL IP-address Archive-date Content-type Archive-length'
  const block = 'HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>arc</p>'
  const two = `http://example.com/2 192.0.2.1 20200102030405 text/html 200 - - 0 a.arc ${block.length}\n${block}\n`
  const namesTwo = `URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length`
  const metadata = '1 1 Archive\n' + `${names}\n<?xml version="1.0"?><arcmetadata/>\n`
  return [
    [
      begin('1 0', names),
      line('http://example.com/', block),
      line('dns:example.com', '20200102\nexample.com A', 'text/dns'),
    ],
    [
      Buffer.from(`filedesc://b.arc 0.0.0.0 20200102030405 text/plain ${metadata.length}\n${metadata}\n`),
      line('http://example.com/a b', block),
    ],
    [begin('2 0', namesTwo), Buffer.from(two)],
    Array.from({ length: 8 }, (_, number) => line(`http://example.com/${number}`, block)),
  ]
}

/** Files beyond the sizes at which readers change their strategy: first views, windows, members held in memory. */
function largeFiles(): Buffer[][] {
  return [
    [answer('large', html, page(70_000)), answer('after', html, 'x')],
    [answer('noise', html, noise(140_000)), answer('after', html, 'x')],
  ]
}

/** A HAR file with two entries. */
function har(): Buffer {
  const message = {
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Host', value: 'example.com' }],
    cookies: [],
    headersSize: -1,
    bodySize: 5,
  }
  const content = { size: 5, mimeType: 'text/html', text: Buffer.from('hello').toString('base64'), encoding: 'base64' }
  const entry = (number: number) => ({
    startedDateTime: '2020-01-02T03:04:05.678Z',
    time: 1,
    request: {
      ...message,
      method: 'POST',
      url: `http://example.com/${number}`,
      queryString: [],
      postData: { mimeType: 'text/plain', text: 'q' },
    },
    response: { ...message, status: 200, statusText: 'OK', redirectURL: '', content },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  })
  const log = { version: '1.2', creator: { name: 'x', version: '1' }, pages: [], entries: [entry(1), entry(2)] }
  return Buffer.from(JSON.stringify({ log }))
}

/** A WACZ with the given records, an index and an empty page list. */
async function wacz(records: readonly Buffer[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const append = (bytes: Uint8Array) => Promise.resolve(void parts.push(Uint8Array.from(bytes)))
  const writer = new WaczWriter(append, { version: '1.1.1', createdAtMs: dateMs, software: 'Loupe/0' })
  const archive = await writer.archive('data.warc.gz')
  await archive.append(packed(records, 'gzip'))
  await archive.end()
  const place = { offset: '0', length: '300', filename: 'data.warc.gz', status: '200', mime: 'text/html' }
  await writer.index([`com,example)/a 20261120000000 ${JSON.stringify({ url: 'http://example.com/a', ...place })}`])
  await writer.pages([])
  await writer.end()
  return Buffer.concat(parts)
}

/** Content of the bombs. */
const zeros = Buffer.alloc(8 * 1024 * 1024)

/** Signatures, impossible lengths, deep nesting, and whole small members. */
function morsels(): Buffer[] {
  const small = answer('morsel', html, '<p>morsel</p>')
  return [
    ...['WARC/1.1\r\n', 'WARC/1.0\r\nWARC-Type: response\r\n', '\r\n\r\n', '\n', '\r', '\0', 'WARC/'].map((text) =>
      Buffer.from(text),
    ),
    ...[
      'Content-Length: 18446744073709551616\r\n',
      'Content-Length: -1\r\n',
      'Content-Length: 9007199254740991\r\n',
    ].map((text) => Buffer.from(text)),
    ...[
      'filedesc://x 0.0.0.0 20200101000000 text/plain 9\n',
      'http://a/ 1.2.3.4 20200101000000 text/html 999999999999\n',
    ].map((text) => Buffer.from(text)),
    ...['[[[[[[[[[[[[[[[[', '{"log":{"entries":[', '"\\u0000\\ud800"', '99999999999999999999\r\n'].map((text) =>
      Buffer.from(text),
    ),
    ...[
      [0x1f, 0x8b, 8, 0],
      [0x1f, 0x8b, 8, 0x1f],
      [0x28, 0xb5, 0x2f, 0xfd],
      [0x50, 0x4b, 3, 4],
      [0x50, 0x4b, 5, 6],
    ].map((bytes) => Buffer.from(bytes)),
    // Skippable frames of zstd, the second with the largest possible length; and a dictionary with the largest permitted length.
    ...[
      [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7],
      [0x5a, 0x2a, 0x4d, 0x18, 255, 255, 255, 255],
      [0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 8],
    ].map((bytes) => Buffer.from(bytes)),
    ...[Buffer.alloc(0), Buffer.from('x'), small].flatMap((content) => [
      gzipSync(content),
      zstdCompressSync(content),
      deflateRawSync(content),
    ]),
    gzipSync(gzipSync(small)),
    small,
    Buffer.alloc(300, '\r\n'),
    Buffer.alloc(5_000, 'WARC/1.0\r\n'),
    Buffer.alloc(5_000, 'a: b\r\n'),
    Buffer.alloc(200, 0),
    Buffer.alloc(64, 0xff),
  ]
}

/** Small files that decompress to many megabytes. They are used rarely, because each takes as long as a thousand others. */
export function bombs(): Buffer[] {
  const begin = Buffer.from(`WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: ${zeros.length}\r\n\r\n`)
  const record = Buffer.concat([begin, zeros, Buffer.from('\r\n\r\n')])
  const lines = Buffer.alloc(4 * 1024 * 1024, '\r\n')
  return [gzipSync(record), zstdCompressSync(record), gzipSync(gzipSync(zeros)), gzipSync(lines), gzipSync(zeros)]
}

/** Settings for small deflate tables, which are cleared for every member. */
export const quickly = { level: 1, windowBits: 12, memLevel: 4 } as const

/** A file of these records in the given compression. */
export function packed(records: readonly Uint8Array[], packing: Packing): Buffer {
  const each = (pack: (record: Uint8Array) => Uint8Array) => Buffer.concat(records.map(pack))
  const quick = (bytes: Uint8Array) => gzipSync(bytes, quickly)
  switch (packing) {
    case 'plain':
      return Buffer.concat(records)
    case 'gzip':
      return each(quick)
    case 'gzipShared':
      return each((record) => quick(Buffer.concat([record, ...records.slice(0, 1)])))
    case 'gzipWhole':
      return quick(Buffer.concat(records))
    case 'gzipSpread':
      return each((record) => Buffer.concat([quick(record.subarray(0, 150)), quick(record.subarray(150))]))
    case 'gzipNested':
      return quick(each(quick))
    case 'zstd':
      return each((record) => zstdCompressSync(record))
    case 'zstdShared':
      return zstdCompressSync(Buffer.concat(records))
    case 'zstdDictionary':
      return Buffer.concat([dictionaryFrame, each((record) => zstdCompressSync(record, { dictionary }))])
    case 'mixed':
      return Buffer.concat(
        records.map((record, at) => [record, quick(record), zstdCompressSync(record)][at % 3] ?? record),
      )
  }
}

/** A zstd dictionary of the bytes that the records have in common; any bytes can serve as one. */
const dictionary = made('response', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n', { contentType: http })
const dictionaryFrame = Buffer.concat([Buffer.from([0x5d, 0x2a, 0x4d, 0x18]), lengthOf(dictionary), dictionary])

/** The 32-bit length of a skippable frame. */
function lengthOf({ length }: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(length)
  return bytes
}

/** Larger samples take longer without finding more. */
const sampleBytesMax = 64 * 1024

/** Sample files of other programs; empty when they are not installed. */
function samples(): Buffer[] {
  if (!hasCorpora()) return []
  const names = readdirSync(corporaFolder, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .filter((name) => /\.(w?arc|gz|zst|wacz|har|zip)$/i.test(name))
    .map((name) => join(corporaFolder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size <= sampleBytesMax)
    .map((path) => readFileSync(path))
}

/** Makes and reads the material of all inputs. */
export async function seedFiles(): Promise<Seeds> {
  const unpacked = [...warcFiles(), ...arcFiles()]
  const large = largeFiles().flatMap((records) => [
    packed(records, 'plain'),
    packed(records, 'gzip'),
    packed(records, 'zstd'),
  ])
  const packages = await Promise.all(unpacked.slice(0, 4).map(wacz))
  return { unpacked, whole: [...packages, har(), ...samples(), ...large], morsels: morsels() }
}
