/** WARC files as Browsertrix Crawler writes them: a file of captures, one with screenshots and one with texts, which are resource records named
 *  `urn:<kind>:<url>` (https://crawler.docs.browsertrix.com, "Screenshots" and "Text Extraction Options"), gzipped record by record. */
import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A page as the crawler saw it. */
export interface SeenPage {
  url: string
  html: string
  /** PNG of the window of 1,920 x 1,080 pixels. */
  view?: Buffer
  /** JPEG. */
  thumbnail?: Buffer
  text?: string
}

const date = '2026-03-04T05:06:07.891Z'
const software = 'Browsertrix-Crawler 1.7.0 (with warcio.js 2.4.4)'

/** Writes the files into a folder and returns their paths. */
export async function writeBrowsertrixFiles(folder: string, pages: readonly SeenPage[]): Promise<string[]> {
  const records: Record<string, Buffer[]> = {
    rec: pages.flatMap(({ url, html }) => [
      record('response', url, 'application/http; msgtype=response', answer(html)),
    ]),
    screenshots: pages.flatMap(({ url, view, thumbnail }) => [
      ...(thumbnail ? [record('resource', `urn:thumbnail:${url}`, 'image/jpeg', thumbnail)] : []),
      ...(view ? [record('resource', `urn:view:${url}`, 'image/png', view)] : []),
    ]),
    text: pages.flatMap(({ url, text }) =>
      text === undefined ? [] : [record('resource', `urn:text:${url}`, 'text/plain', Buffer.from(text))],
    ),
  }
  const paths: string[] = []
  for (const [kind, all] of Object.entries(records)) {
    const path = join(folder, `${kind}-a1b2c3-20260304050607891-0.warc.gz`)
    await writeFile(path, Buffer.concat([warcinfo(), ...all]))
    paths.push(path)
  }
  return paths
}

function answer(html: string): Buffer {
  const body = Buffer.from(html)
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ])
}

function warcinfo(): Buffer {
  return member(
    [['WARC-Type', 'warcinfo']],
    'application/warc-fields',
    Buffer.from(`software: ${software}\r\nformat: WARC File Format 1.1\r\n`),
  )
}

function record(type: string, uri: string, contentType: string, block: Buffer): Buffer {
  const headEnd = block.indexOf('\r\n\r\n')
  const payload = type === 'response' ? block.subarray(headEnd + 4) : block
  return member(
    [
      ['WARC-Type', type],
      ['WARC-Target-URI', uri],
      ['WARC-Payload-Digest', digest(payload)],
    ],
    contentType,
    block,
  )
}

function member(fields: [string, string][], contentType: string, block: Buffer): Buffer {
  const all = [
    ...fields,
    ['WARC-Date', date],
    ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
    ['WARC-Block-Digest', digest(block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.length)],
  ]
  const head = ['WARC/1.1', ...all.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  return gzipSync(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]))
}

function digest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
