/** For tests: archive files of every kind that an import accepts, with one page for each given URL. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { ZipWriter } from '../../../formats/wacz/zipWriter.ts'
import { newRecord, recordBytes } from '../../../formats/records/warcWriter.ts'

/** Date of all samples. */
export const madeAtMs = Date.UTC(2026, 10, 20, 12)

/** Body of the page of a URL. */
export function pageText(url: string): string {
  return `<!doctype html><title>${url}</title><h1>The page of ${url}</h1>`
}

function httpAnswer(body: string, mediaType = 'text/html'): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${mediaType}\r\nContent-Length: ${length}\r\n\r\n${body}`)
}

/** The records of a WARC file: a warcinfo, and a page for each URL. */
export function warcRecords(...urls: string[]): Buffer[] {
  const info = newRecord({
    type: 'warcinfo',
    id: '00000000-0000-4000-8000-000000000000',
    dateMs: madeAtMs,
    fields: [],
    contentType: 'application/warc-fields',
    block: [Buffer.from('software: a sample\r\nformat: WARC File Format 1.1\r\n')],
  })
  const pages = urls.map((url, number) => {
    const answer = httpAnswer(pageText(url))
    return newRecord({
      type: 'response',
      id: `00000000-0000-4000-8000-${String(number + 1).padStart(12, '0')}`,
      dateMs: madeAtMs,
      fields: [['WARC-Target-URI', url]],
      contentType: 'application/http;msgtype=response',
      block: [answer],
      payload: { offset: answer.indexOf('\r\n\r\n') + 4 },
    })
  })
  return [info, ...pages].map((record) => Buffer.concat(recordBytes(record)))
}

/** A record with a truncated page and a WARC-Truncated field. */
export function truncatedRecord(url: string, reason: string): Buffer {
  return partOfPage(url, [['WARC-Truncated', reason]])
}

/** A record with a page whose body is shorter than its Content-Length, without a WARC-Truncated field. */
export function brokenOffRecord(url: string): Buffer {
  return partOfPage(url, [])
}

function partOfPage(url: string, fields: [string, string][]): Buffer {
  const answer = httpAnswer(pageText(url)).subarray(0, -5)
  const record = newRecord({
    type: 'response',
    id: `00000000-0000-4000-8001-${Buffer.from(url).subarray(7, 8).toString('hex').padStart(12, '0')}`,
    dateMs: madeAtMs,
    fields: [['WARC-Target-URI', url], ...fields],
    contentType: 'application/http;msgtype=response',
    block: [answer],
    payload: { offset: answer.indexOf('\r\n\r\n') + 4 },
  })
  return Buffer.concat(recordBytes(record))
}

/** The records without compression. */
export const plain = (records: Buffer[]): Buffer => Buffer.concat(records)
/** One gzip member per record. */
export const gzipped = (records: Buffer[]): Buffer => Buffer.concat(records.map((record) => gzipSync(record)))
/** One Zstandard frame per record. */
export const zstandard = (records: Buffer[]): Buffer => Buffer.concat(records.map((record) => zstdCompressSync(record)))
/** Frames that need a dictionary, which precedes them in a skippable frame (IIPC, "Zstandard Compression for WARC Files"). */
export function zstandardWithDictionary(records: Buffer[], dictionary: Buffer): Buffer {
  const frame = Buffer.alloc(8)
  frame.writeUInt32LE(0x184d2a5d, 0)
  frame.writeUInt32LE(dictionary.length, 4)
  return Buffer.concat([frame, dictionary, ...records.map((record) => zstdCompressSync(record, { dictionary }))])
}
/** One gzip member around all records, so that only the first can be opened by its offset. */
export const gzippedWhole = (records: Buffer[]): Buffer => gzipSync(Buffer.concat(records))

/** The records of an ARC file (Arc File Format 1.0): a version block, and a page for each URL. */
export function arcRecords(...urls: string[]): Buffer[] {
  const versionBlock = '1 0 Sample\nURL IP-address Archive-date Content-type Archive-length\n'
  const first = `filedesc://sample.arc 0.0.0.0 20061120120000 text/plain ${versionBlock.length}\n${versionBlock}\n`
  const pages = urls.map((url) => {
    const answer = httpAnswer(pageText(url))
    const line = `${url} 192.0.2.1 20061120120000 text/html ${answer.length}\n`
    return Buffer.concat([Buffer.from(line), answer, Buffer.from('\n')])
  })
  return [Buffer.from(first), ...pages]
}

/** A HAR with one page for each URL. */
export function har(...urls: string[]): Buffer {
  const entries = urls.map((url) => ({
    startedDateTime: new Date(madeAtMs).toISOString(),
    time: 1,
    request: {
      method: 'GET',
      url,
      httpVersion: 'HTTP/1.1',
      headers: [],
      cookies: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Content-Type', value: 'text/html' }],
      cookies: [],
      content: { size: pageText(url).length, mimeType: 'text/html', text: pageText(url) },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }))
  return Buffer.from(JSON.stringify({ log: { version: '1.2', creator: { name: 'sample', version: '1' }, entries } }))
}

/** A zip of these files. */
export async function zip(files: Record<string, Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const writer = new ZipWriter(async (bytes) => void parts.push(Uint8Array.from(bytes)), madeAtMs)
  for (const [name, bytes] of Object.entries(files)) await writer.whole(name, bytes)
  await writer.end()
  return Buffer.concat(parts)
}

/** A pages.jsonl that lists these URLs. */
export function pagesFile(...urls: string[]): Buffer {
  const header = { format: 'json-pages-1.0', id: 'pages', title: 'All pages' }
  const rows = urls.map((url, number) => ({
    id: String(number),
    url,
    ts: new Date(madeAtMs).toISOString(),
    title: url,
  }))
  return Buffer.from([header, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
}
