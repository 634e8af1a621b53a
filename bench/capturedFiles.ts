/** Writes archive files of generated captures in the way a harvest does: a response and its request for each, compressed. The same
 *  number gives the same capture, so that lookups know what exists. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { levelFor } from '../src-main/formats/packing/gzip.ts'
import { newRecord, warcMember, type RecordHeader } from '../src-main/formats/records/warcWriter.ts'

/** Number of host names. */
const hosts = 500
/** Captures per address: pages are captured repeatedly. */
const capturesOfUrl = 5

/** Address and time of a generated capture. */
export interface MadeCapture {
  url: string
  atMs: number
}

/** A generated capture with its body. */
export interface Answered extends MadeCapture {
  mediaType: string
  body: Buffer
}

/** The `number`-th of `total` captures. Those of one address are in files far from each other. */
export function captureNumber(number: number, total: number): MadeCapture {
  const address = number % Math.ceil(total / capturesOfUrl)
  const url = `http://www.host-${address % hosts}.example/folder/page-${address}.html?item=${address}`
  return { url, atMs: Date.UTC(2020, 0, 1) + number * 60_000 }
}

/** The same capture with a page of about 1.3 kB. */
export function pageNumber(number: number, total: number): Answered {
  const body = Buffer.from(`<!doctype html><title>${number}</title>${paragraph(number).repeat(12)}`)
  return { ...captureNumber(number, total), mediaType: 'text/html', body }
}

/** Writes the captures to a WARC file, each as a response record and a request record. */
export async function writeFileOf(path: string, captures: Iterable<Answered>): Promise<void> {
  const file = await open(path, 'wx')
  try {
    for (const capture of captures) {
      const level = levelFor(capture.mediaType, undefined)
      for (const record of recordsOf(capture)) await file.write(warcMember(newRecord(record), level).bytes)
    }
  } finally {
    await file.close()
  }
}

/** The response record and the request record of a capture. */
function recordsOf({ url, atMs, mediaType, body }: Answered): (RecordHeader & { block: Uint8Array[] })[] {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${mediaType}\r\nContent-Length: ${body.length}\r\n\r\n`
  const request = `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nUser-Agent: bench\r\n\r\n`
  const [answerId, requestId] = [uuidOf(`answer ${url} ${atMs}`), uuidOf(`request ${url} ${atMs}`)]
  const shared = { dateMs: atMs }
  return [
    {
      ...shared,
      type: 'response',
      id: answerId,
      fields: [['WARC-Target-URI', url]],
      contentType: 'application/http;msgtype=response',
      payload: { offset: head.length },
      block: [Buffer.concat([Buffer.from(head), body])],
    },
    {
      ...shared,
      type: 'request',
      id: requestId,
      fields: [
        ['WARC-Target-URI', url],
        ['WARC-Concurrent-To', `<urn:uuid:${answerId}>`],
      ],
      contentType: 'application/http;msgtype=request',
      block: [Buffer.from(request)],
    },
  ]
}

/** A paragraph of about 100 bytes that is compressible like text. */
function paragraph(number: number): string {
  return `<p>Of ${createHash('sha1').update(String(number)).digest('hex')} the archive keeps what it was given, bit by bit.</p>`
}

/** A UUID derived from a text, so that generated files are the same in every run. */
function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
