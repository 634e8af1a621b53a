/** An archive with a site of unusual records, and a viewer over it, for the tests of the whole viewer. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver, type Asking } from './viewerFixture.ts'
import type { AccessRule } from '../model/accessRules.ts'
import type { Chosen, Located, Viewer } from '../viewer.ts'

const at = '2024-02-29T12:30:05Z'

const html = [['Content-Type', 'text/html']] as const

export const large = Buffer.alloc(1_500_000, 'all work and no play makes a large body. ')

const chunked = (body: string | Buffer, size = 700) => {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

export const nearest = (jobs: number[]): Chosen => ({
  jobs,
  moment: { kind: 'nearest', atMs: Date.parse(at) },
  withinMs: undefined,
})

export const misses = () => viewer.misses(viewer.current()?.view ?? 0)

const accessRules: AccessRule[] = [
  { surtPrefix: 'example,site)/blocked', effect: 'block' },
  { surtPrefix: 'example,site)/excluded', effect: 'exclude' },
]

const elsewhere: Located = {
  ...{ url: 'http://site.example/in-another-job', timestampMs: 0, job: 7, filename: '7-1.warc.gz', offset: 0 },
  ...{ status: 200, recordType: 'response' },
}

const rows: Row[] = [
  { url: 'http://site.example/', at, fields: html, body: '<h1>Hello</h1>' },
  { url: 'http://site.example/cut', at, fields: [...html, ['Content-Length', '999']], body: 'shorter than it says' },
  {
    url: 'http://site.example/chunked',
    at,
    fields: [...html, ['Transfer-Encoding', 'chunked']],
    body: chunked('one two three', 4),
  },
  ...(
    [
      ['broken', '3\r\none\r\nzz\r\ntwo'],
      ['torn', '3\r\none\r\n3\r\ntw'],
    ] as const
  ).map(([name, body]): Row => ({
    ...{ url: `http://site.example/chunks-${name}`, at, body },
    fields: [...html, ['Transfer-Encoding', 'chunked']],
  })),
  {
    ...{ url: 'http://site.example/truncated', at, fields: html, body: 'the first bytes' },
    warcFields: [['WARC-Truncated', 'length']],
  },
  {
    ...{ url: 'http://site.example/truncated-again', at, type: 'revisit', fields: html },
    warcFields: [
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
      ['WARC-Refers-To-Target-URI', 'http://site.example/truncated'],
      ['WARC-Refers-To-Date', at],
      ['WARC-Truncated', 'length'],
    ],
  },
  { url: 'http://site.example/gone', at, status: 404, reason: 'Really Gone', fields: html, body: 'an archived 404' },
  {
    url: 'http://site.example/gzip',
    at,
    fields: [...html, ['Content-Encoding', 'gzip']],
    body: gzipSync('coded content'),
  },
  {
    url: 'http://site.example/brotli',
    at,
    fields: [...html, ['Content-Encoding', 'br']],
    body: brotliCompressSync('brotli content'),
  },
  { url: 'http://site.example/notgzip', at, fields: [...html, ['Content-Encoding', 'gzip']], body: 'stored decoded' },
  {
    url: 'http://site.example/large',
    at,
    fields: [
      ['Content-Type', 'video/mp4'],
      ['ETag', '"v1"'],
    ],
    body: large,
  },
  {
    url: 'http://site.example/largechunked',
    at,
    fields: [
      ['Content-Type', 'video/mp4'],
      ['Transfer-Encoding', 'chunked'],
    ],
    body: chunked(large, 50_000),
  },
  {
    url: 'http://site.example/largegzip',
    at,
    fields: [
      ['Content-Type', 'text/css'],
      ['Content-Encoding', 'gzip'],
    ],
    body: gzipSync(large, { level: 0 }),
  },
  {
    url: 'http://site.example/ten',
    at,
    fields: [
      ['Content-Type', 'text/plain'],
      ['ETag', '"ten"'],
    ],
    body: '0123456789',
  },
  { url: 'http://site.example/empty', at, fields: html, body: '' },
  { url: 'http://site.example/nothing', at, status: 204, reason: 'No Content', fields: [], body: '' },
  {
    url: 'http://site.example/moved',
    at,
    status: 301,
    reason: 'Moved',
    fields: [['Location', 'http://site.example/']],
    body: '',
  },
  {
    url: 'http://site.example/round',
    at,
    status: 301,
    reason: 'Moved',
    fields: [['Location', 'https://site.example/round']],
    body: '',
  },
  { url: 'http://site.example/unmodified', at, status: 304, reason: 'Not Modified', fields: [], body: '' },
  { url: 'http://site.example/unmodified', at: '2024-02-28T00:00:00Z', fields: html, body: 'the one before' },
  {
    url: 'http://site.example/headers',
    at,
    fields: [
      ...html,
      ['X-Frame-Options', 'DENY'],
      ['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"],
      ['Strict-Transport-Security', 'max-age=99'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-Latin', 'caf\xe9'],
      ['X-Control', 'a\x01b'],
    ],
    body: 'x',
  },
  {
    url: 'http://site.example/part',
    at,
    status: 206,
    reason: 'Partial',
    fields: [['Content-Range', 'bytes 10-19/100']],
    body: 'abcdefghij',
  },
  {
    url: 'http://site.example/wholepart',
    at,
    status: 206,
    reason: 'Partial',
    fields: [['Content-Range', 'bytes 0-4/5']],
    body: 'whole',
  },
  {
    url: 'http://site.example/original',
    at: '2024-01-01T00:00:00Z',
    fields: [...html, ['X-Whose', 'original']],
    body: 'the original body',
  },
  {
    url: 'http://site.example/again',
    at,
    type: 'revisit',
    fields: [...html, ['X-Whose', 'revisit']],
    warcFields: [
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
      ['WARC-Refers-To-Target-URI', 'http://site.example/original'],
      ['WARC-Refers-To-Date', '2024-01-01T00:00:00Z'],
    ],
  },
  {
    url: 'http://site.example/lost',
    at,
    type: 'revisit',
    warcFields: [['WARC-Refers-To-Target-URI', 'http://site.example/never']],
  },
  {
    url: 'http://site.example/bare',
    at,
    type: 'resource',
    contentType: 'text/plain',
    block: Buffer.from('a resource without a head'),
  },
  ...[Buffer.from('Wörter'), Buffer.from('Wörter', 'latin1')].map((block, index): Row => ({
    ...{ url: `file:///papers/${index}.txt`, at, type: 'resource', contentType: 'text/plain', block },
  })),
  {
    url: 'file:///papers/a%20page.html',
    at,
    type: 'resource',
    contentType: 'text/html; charset=utf-8',
    block: Buffer.from('<a href="two.html">Two</a>'),
  },
  { url: 'http://site.example/twice', at: '2024-02-01T00:00:00Z', fields: html, body: 'the good copy' },
  { url: 'https://secure.example/', at, fields: html, body: 'over TLS' },
  { url: 'http://plain.example/', at, fields: html, body: 'only captured over http' },
  {
    url: 'http://site.example/odd',
    at,
    block: Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nNoColon\r\nX-Fine: yes\r\n\r\nafter an interim answer',
    ),
  },
]

export let made: ArchiveFixture

export let viewer: Viewer

export let offsets: number[]

export const problems: string[] = []

const allowedOrigins: string[] = ['http://127.0.0.1:4711']

export const ask = (url: string, { method = 'GET', headers = {} }: Pick<Asking, 'method' | 'headers'> = {}) =>
  askOver(viewer.proxy, url, { method, headers, ...(method === 'POST' && { content: 'posted' }) })

/** Sends the text and returns all bytes received until the viewer closes the connection. */
export function over(socket: Socket | TLSSocket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(heard))
    socket.write(text)
  })
}

export async function tunnel(target: string): Promise<Socket> {
  const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  const head = await new Promise<string>((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString())))
  expect(head).toBe('HTTP/1.1 200 Connection established\r\n\r\n')
  return socket
}

export async function secure(name: string, servername = name): Promise<TLSSocket> {
  const socket = await tunnel(`${name.includes(':') ? `[${name}]` : name}:443`)
  const ca = await readFile(viewer.certificate.path)
  return new Promise((resolve, reject) => {
    const end = connectTls(
      {
        socket,
        ca,
        ALPNProtocols: ['http/1.1'],
        ...(/^[\d.:]+$/.test(servername) ? { host: servername } : { servername }),
      },
      () => resolve(end),
    )
    end.on('error', reject)
  })
}

/** Creates the archive and its viewer before the tests of a file, and closes them afterwards. */
export function withArchivedSite(): void {
  beforeAll(async () => {
    made = await createArchive()
    offsets = await made.add({ name: '1-1-20240229-00000-loupe.warc.gz', job: 1, rows })
    await made.add({
      name: '1-1-20240229-00001-loupe.warc.gz',
      job: 1,
      rows: [
        { url: 'http://site.example/twice', at, fields: html, body: 'the bad copy' },
        { url: 'http://site.example/bad', at, fields: html, body: 'the only copy is bad' },
      ],
      // Changes one byte in the middle of the deflated data of each gzip member.
      spoil: (bytes) => {
        const second = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 10)
        for (const place of [second - 30, bytes.length - 30]) bytes[place] = (bytes[place] ?? 0) ^ 0xff
      },
    })
    for (const [job, version] of [
      [1, 1],
      [1, 2],
      [10, 1],
      [21, 1],
    ] as const) {
      await made.add({
        name: `${job}-metadata-${version}.warc.gz`,
        job,
        kind: 'metadata',
        rows: [
          {
            url: `metadata://loupe/crawl/reports/of-${job}-${version}`,
            at,
            type: 'resource',
            contentType: 'text/plain',
            block: Buffer.from(`job ${job}`),
          },
        ],
      })
    }
    await made.add({
      name: '2-1-a.warc.gz',
      job: 2,
      rows: [{ url: 'http://site.example/', at: '2020-01-01T00:00:00Z', fields: html, body: 'an older job' }],
    })
    viewer = await viewerOver(made, {
      allowedOrigins,
      accessRules: () => accessRules,
      otherCaptures: (url) => ({
        captures: url === 'http://site.example/in-another-job' ? [elsewhere] : [],
        notSearched: url === 'http://site.example/in-another-job' ? [8] : [],
      }),
      onProblem: (error, failure) => problems.push(textOf(failure(message('text', { text: String(error) })))),
    })
  })

  afterAll(async () => {
    await viewer.close()
    await made[Symbol.asyncDispose]()
  })
}
