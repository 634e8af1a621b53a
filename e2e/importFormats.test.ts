/** Files of other programs, imported into one archive and viewed through the proxy: one page from each of ARC,
 *  .warc.zst, HAR and WACZ as a browser receives it, and the exported records. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import type { ImportedFile } from '../src-main/contract/services/harvests.ts'
import * as made from '../src-main/crawl/import/testing/archiveSamples.ts'
import { newRecord, recordBytes } from '../src-main/formats/records/warcWriter.ts'

let folder: string
let engine: Engine
let job: number
let heard: ImportedFile[] = []

/** A minimal PNG: one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** A raw dictionary of zstd, as for `zstd --patch-from`: text that the records have in common. */
const dictionary = Buffer.from(
  'WARC/1.1 WARC-Type: response WARC-Target-URI: http:// HTTP/1.1 200 OK Content-Type: text/html',
)
const pages = {
  arc: 'http://arc.example/',
  zstd: 'http://zstd.example/',
  dictionary: 'http://dictionary.example/',
  har: 'http://har.example/',
  wacz: 'http://wacz.example/',
  whole: 'http://whole.example/',
}

function answered(url: string, mediaType: string, body: Buffer): Buffer {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${mediaType}\r\nContent-Length: ${body.length}\r\n\r\n`)
  const record = newRecord({
    type: 'response',
    id: '10000000-0000-4000-8000-000000000000',
    dateMs: made.madeAtMs,
    fields: [['WARC-Target-URI', url]],
    contentType: 'application/http;msgtype=response',
    block: [head, body],
  })
  return Buffer.concat(recordBytes(record))
}

/** Records of old crawlers: URLs in the charset of their page or with a CR, after a member without content. */
const oddPages: [asked: string, url: string, statusLine: string][] = [
  ['http://raw.example/%E9cole', 'http://raw.example/\xe9cole', 'HTTP/1.1 200 OK\r\n'],
  ['http://raw.example/%C3%A9cole', 'http://raw.example/\xc3\xa9cole', 'HTTP/1.1 200 OK\r\n'],
  ['http://raw.example/ab', 'http://raw.example/a\rb', 'HTTP/1.1 200 OK\r\n'],
  ['http://raw.example/status', 'http://raw.example/status', 'HTTP/1.0 200\r\r\n'],
]
const oddBlock = (url: string, statusLine: string) =>
  Buffer.from(`${statusLine}Content-Type: text/plain\r\n\r\n${encodeURI(url)}`)
const oddArc = oddPages.map(([, url, statusLine]) => {
  const block = oddBlock(url, statusLine)
  return Buffer.concat([
    Buffer.from(`${url} 192.0.2.1 20050102030405 text/html ${block.length}\n`, 'latin1'),
    ...[block, Buffer.from('\n')],
  ])
})
const oddWarc = Buffer.concat([
  Buffer.from('WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:10000000-0000-4000-8000-00000000000e>\r\n'),
  Buffer.from('WARC-Date: 2005-01-02T03:04:05Z\r\nWARC-Target-URI: http://raw.example/\xe9t\xe9\r\n', 'latin1'),
  Buffer.from('Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nwas\r\n\r\n'),
])

const pictures = [
  answered('http://zstd.example/dot.png', 'text/html', png),
  answered('http://zstd.example/drawing.svg', 'image/svg+xml', Buffer.from('<svg><script>alert(1)</script></svg>')),
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-formats-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
  const files = {
    'old.arc.gz': made.gzipped(made.arcRecords(pages.arc)),
    'new.warc.zst': made.zstandard([...made.warcRecords(pages.zstd), ...pictures]),
    'shared.warc.zst': made.zstandardWithDictionary(made.warcRecords(pages.dictionary), dictionary),
    'saved.har': made.har(pages.har),
    'shared.wacz': await made.zip({
      'archive/data.warc.gz': made.gzipped(made.warcRecords(pages.wacz)),
      'pages/pages.jsonl': made.pagesFile(pages.wacz),
    }),
    'whole.warc.gz': made.gzippedWhole(made.warcRecords(pages.whole)),
    'odd.arc.gz': Buffer.concat([gzipSync(''), made.gzipped(oddArc)]),
    'odd.warc.gz': Buffer.concat([gzipSync(''), gzipSync(''), gzipSync(oddWarc)]),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const unsubscribe = engine.services.harvests.importChanged((moved) => {
    heard = [...heard, ...moved.files]
  })
  const paths = Object.keys(files).map((name) => join(folder, name))
  job = (await engine.services.harvests.import({ paths })).job
  await ended(job)
  unsubscribe()
  await engine.services.viewer.open({ jobs: [job], untilWhole: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

test('every file is in the archive, and each was reported as it progressed', async () => {
  const files = await engine.services.harvests.imported({ job })
  expect(files.map(({ name, state }) => [name, state])).toEqual([
    ['new.warc.zst', 'IMPORTED'],
    ['odd.arc.gz', 'IMPORTED'],
    ['odd.warc.gz', 'IMPORTED'],
    ['old.arc.gz', 'IMPORTED'],
    ['saved.har.warc.gz', 'IMPORTED'],
    [null, 'IMPORTED'],
    ['shared.warc.zst', 'IMPORTED'],
    ['whole.warc.gz', 'IMPORTED'],
    ['shared-data.warc.gz', 'IMPORTED'],
  ])
  for (const { from } of files) expect(heard.filter((file) => file.from === from).length, from).toBeGreaterThan(0)
})

test.each(Object.entries(pages))('a page from the %s', async (_, url) => {
  const answer = await throughProxy(url)
  expect([answer.status, answer.body.toString()]).toEqual([200, made.pageText(url)])
})

test.each(oddPages)('%s returns the capture with the same URL bytes', async (asked, url, statusLine) => {
  const answer = await throughProxy(asked)
  const body = oddBlock(url, statusLine).toString().split('\r\n\r\n')[1]
  expect([answer.status, answer.body.toString()]).toEqual([200, body])
})

test('the bytes of a URL in a WARC also match the request of a browser', async () => {
  const answer = await throughProxy('http://raw.example/%E9t%E9')
  expect([answer.status, answer.body.toString()]).toEqual([200, 'was'])
})

test.each([
  ['new.warc.zst', pages.zstd, made.warcRecords(pages.zstd)[1]],
  ['old.arc.gz', pages.arc, made.arcRecords(pages.arc)[1]],
  ['shared.warc.zst', pages.dictionary, made.warcRecords(pages.dictionary)[1]],
])('a record of %s is returned unchanged', async (file, url, written) => {
  const at = await engine.services.viewer.locate({ jobs: [job], url })
  const answer = await command(`/getRecord?arcFile=${file}&arcOffset=${at?.offset}`)
  expect(answer.body.equals(written ?? Buffer.alloc(0))).toBe(true)
})

test('the payload of a record is shown when it is an image, and nothing in it may run', async () => {
  const offsetOf = async (url: string) => (await engine.services.viewer.locate({ jobs: [job], url }))?.offset
  const payload = async (url: string) => command(`/getPayload?file=new.warc.zst&offset=${await offsetOf(url)}`)
  // The media type that the server sent is ignored.
  const dot = await payload('http://zstd.example/dot.png')
  expect([dot.status, dot.headers['content-type'], dot.body.equals(png)]).toEqual([200, 'image/png', true])
  const drawing = await payload('http://zstd.example/drawing.svg')
  expect(drawing.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  })
  const page = await payload(pages.zstd)
  expect([page.status, page.body.toString()]).toEqual([
    415,
    expect.stringMatching(/^The content in new\.warc\.zst at offset \d+ is not an image that a browser can show\.\n$/),
  ])
  expect((await command('/getPayload?file=new.warc.zst&offset=1')).status).toBe(404)
  expect((await command('/getPayload?file=none.warc&offset=0')).status).toBe(404)
  expect((await command('/getPayload?file=new.warc.zst&offset=-1')).status).toBe(400)
})

interface Answer {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

function command(path: string): Promise<Answer> {
  return throughProxy(`http://${engine.commandHost}${path}`)
}

function throughProxy(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...engine.viewer, path: url, headers: { host: new URL(url).host } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
      )
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}

async function ended(wanted: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () =>
    engine.services.jobs.show({ job: wanted }).then((whole) => (whole.ended === null ? undefined : resolve()), reject)
  const unsubscribe = engine.services.jobs.changed((changed) => (changed.job === wanted ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
}
