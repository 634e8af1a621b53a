/** Builds small archive files as other tools write them, intact and damaged, byte by byte and without Loupe's own writer. */
import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { gradient } from './picture.ts'

/** The page of `soundFile` and `damagedFile`. */
export const page =
  '<!doctype html><title>Tide table</title><h1>Tide table</h1><p>High water at noon. <b>Bring boots.</b></p>'
export const pictureSize = { width: 96, height: 64 }
const picture = gradient(pictureSize.width, pictureSize.height, [20, 90, 160], [240, 200, 90])

interface Part {
  type: string
  /** WARC-Date; absent: the default date of `record`. */
  at?: string
  fields?: readonly (readonly [string, string])[]
  block: Buffer
}

/** A page and its picture, each in a separate gzip member, with correct digests. */
export function soundFile(host: string): Buffer {
  return written([information(), answer(`http://${host}/`, 'text/html', Buffer.from(page)), pictureOf(host)])
}

/** The same, but the payload of the page does not match its digest, and the last record is cut off. */
export function damagedFile(host: string): Buffer {
  const wrong = answer(`http://${host}/`, 'text/html', Buffer.from(page), Buffer.from(`${page} `))
  const whole = written([information(), wrong, pictureOf(host)])
  const torn = gzipSync(record(answer(`http://${host}/torn.html`, 'text/html', Buffer.from(page.repeat(40)))))
  return Buffer.concat([whole, torn.subarray(0, torn.length - 24)])
}

const shown = (host: string) => Buffer.from(`${page}<img src="http://${host}/tide.png" alt="The tide">`)

/** One capture of `fileOf`. */
export interface Capture {
  url: string
  at: string
  mediaType: string
  content: string | Buffer
  /** Status code and reason phrase; absent: 200 OK. */
  status?: string
  /** Further header lines of the response, in addition to its type and length, each ended by CRLF. */
  head?: string
}

/** A WARC file of the captures in the order given; an address may occur several times, at different times. */
export function fileOf(captures: readonly Capture[]): Buffer {
  return written([
    information(),
    ...captures.map(({ url, at, mediaType, content, status, head }) => {
      const made = answer(url, mediaType, Buffer.from(content))
      return { ...made, at, block: httpAnswer(mediaType, Buffer.from(content), status, head) }
    }),
  ])
}

/** A PNG of `pictureSize`. */
export const tide: Buffer = picture

/** The page and its picture as an ARC file (version 1): for each a header line, the HTTP response and an empty line. */
export function arcFile(host: string): Buffer {
  const version = '1 0 a test\nURL IP-address Archive-date Content-type Archive-length\n'
  const line = (url: string, mediaType: string, bytes: Buffer) =>
    Buffer.from(`${url} 192.0.2.7 20061120120000 ${mediaType} ${bytes.length}\n`)
  const parts = [
    [Buffer.from(`filedesc://tides.arc 0.0.0.0 20061120120000 text/plain ${version.length}\n`), Buffer.from(version)],
    ...pageAndPicture(host).map(({ url, mediaType, body }) => {
      const answer = httpAnswer(mediaType, body)
      return [line(url, mediaType, answer), answer]
    }),
  ]
  return Buffer.concat(parts.map((part) => gzipSync(Buffer.concat([...part, Buffer.from('\n')]))))
}

/** The same as a HAR (1.2) with only the mandatory fields; the contents are in Base64. */
export function harFile(host: string): string {
  const nothing = { cookies: [], headersSize: -1, bodySize: -1, httpVersion: 'HTTP/1.1' }
  const entries = pageAndPicture(host).map(({ url, mediaType, body }) => ({
    startedDateTime: '2024-05-17T08:30:00.000Z',
    time: 1,
    request: { method: 'GET', url, headers: [], queryString: [], ...nothing },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'Content-Type', value: mediaType }],
      content: { size: body.length, mimeType: mediaType, text: body.toString('base64'), encoding: 'base64' },
      redirectURL: '',
      ...nothing,
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'a test', version: '1' }, entries } })
}

function pageAndPicture(host: string): { url: string; mediaType: string; body: Buffer }[] {
  return [
    { url: `http://${host}/`, mediaType: 'text/html', body: shown(host) },
    { url: `http://${host}/tide.png`, mediaType: 'image/png', body: picture },
  ]
}

function pictureOf(host: string): Part {
  return answer(`http://${host}/tide.png`, 'image/png', picture)
}

function information(): Part {
  const block = Buffer.from('software: a test\r\nformat: WARC File Format 1.1\r\n')
  return { type: 'warcinfo', fields: [['Content-Type', 'application/warc-fields']], block }
}

/** A response record. `promised` is what the payload digest is computed from, when it is not the payload. */
function answer(url: string, mediaType: string, payload: Buffer, promised = payload): Part {
  return {
    type: 'response',
    fields: [
      ['WARC-Target-URI', url],
      ['WARC-Payload-Digest', sha256(promised)],
      ['WARC-IP-Address', '192.0.2.7'],
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    block: httpAnswer(mediaType, payload),
  }
}

function httpAnswer(mediaType: string, body: Buffer, status = '200 OK', further = ''): Buffer {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${mediaType}\r\nContent-Length: ${body.length}\r\n${further}\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

function written(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map((part) => gzipSync(record(part))))
}

function record({ type, at = '2024-05-17T08:30:00Z', fields = [], block }: Part): Buffer {
  const header = [
    ['WARC-Type', type],
    ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
    ['WARC-Date', at],
    ['WARC-Block-Digest', sha256(block)],
    ...fields,
    ['Content-Length', String(block.length)],
  ]
  const text = header.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${text}\r\n`), block, Buffer.from('\r\n\r\n')])
}

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
