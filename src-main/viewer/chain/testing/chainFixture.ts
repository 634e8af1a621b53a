/** An archive of small sites with a viewer over it, for the tests of the links of the chain. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { createArchive, type ArchiveFixture, type Row } from '../../../indexes/testing/archiveFixture.ts'
import type { AccessRule } from '../../model/accessRules.ts'
import { fuzzyCapturesMax } from '../../model/limits.ts'
import { askOver, viewerOver, type Asking, operator } from '../../testing/viewerFixture.ts'
import type { Chosen, Located, OwnView, Viewer } from '../../viewer.ts'

const html = [['Content-Type', 'text/html']] as const

const script = [['Content-Type', 'text/javascript']] as const

const saved = [
  ['Content-Type', 'text/plain'],
  ['Content-Disposition', 'Attachment; filename="a.txt"'],
] as const

export const [y2020, y2021, y2022] = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']

const y2023 = '2023-01-01T00:00:00Z'

export const page = 'http://site.example/'

/** 12,800 bytes that deflate hardly compresses. */
const incompressible = Array.from({ length: 200 }, (_, at) =>
  createHash('sha384').update(`${at}`).digest('base64'),
).join('')

export const rows: Row[] = [
  { url: page, at: y2020, fields: html, body: '<title>The first</title>2020' },
  { url: page, at: y2021, fields: html, body: '<title>The second &amp; last</title>2021' },
  { url: page, at: y2022, fields: html, body: '<p>2022' },
  { url: 'http://site.example/app.js?v=1&_=1700000000000', at: y2021, fields: script, body: 'version 1' },
  { url: 'http://site.example/show?id=1&utm_source=x', at: y2021, fields: html, body: 'thread 1' },
  { url: 'http://site.example/gone', at: y2021, status: 410, reason: 'Gone', fields: html, body: 'gone then' },
  { url: 'http://site.example/blocked/a', at: y2021, fields: html, body: '<title>never shown</title>' },
  { url: 'http://site.example/kept.js?v=1', at: y2021, fields: script, body: 'never shown' },
  { url: 'http://site.example/excluded/a', at: y2021, fields: html, body: 'never shown' },
  { url: 'http://site.example/torn', at: y2022, fields: html, body: incompressible },
  { url: 'http://site.example/torn', at: y2020, fields: html, body: 'the one before' },
  {
    url: 'http://site.example/same',
    at: y2022,
    type: 'revisit',
    fields: html,
    body: '',
    warcFields: [
      ['WARC-Refers-To-Target-URI', page],
      ['WARC-Refers-To-Date', y2020],
    ],
  },
  ...[
    ['moved', '/gone?a=1#part'],
    ['moved-outside', 'https://other.example/"x"'],
    ['moved-nowhere', 'http://'],
  ].map(([name, target]) => ({
    ...{ url: `http://site.example/${name}`, at: y2021, status: 301, reason: 'Moved Permanently', body: '' },
    fields: [['Location', target]] as [string, string][],
  })),
  ...['http', 'https'].map((scheme) => ({
    ...{ url: `${scheme}://site.example/both.js?v=1`, at: y2021, fields: script, body: `over ${scheme}` },
  })),
  { url: 'http://site.example/save', at: y2021, fields: saved, body: 'saved' },
]

/** Pages of a forum. The last but one has an insignificant parameter. */
const threads = Array.from({ length: fuzzyCapturesMax + 100 }, (_, id): Row => {
  const more = id === fuzzyCapturesMax + 98 ? '&utm_source=post' : ''
  return { url: `http://many.example/show?id=${id}${more}`, at: y2021, fields: html, body: `thread ${id}` }
})

export const elsewhere: Located = {
  ...{ url: 'http://site.example/in-another-job', timestampMs: 0, job: 7, filename: '7-1.warc.gz', offset: 5 },
  ...{ status: 200, recordType: 'response' },
}

const accessRules: AccessRule[] = [
  { surtPrefix: 'example,site)/blocked', effect: 'block' },
  { surtPrefix: 'example,site)/excluded', effect: 'exclude' },
  { surtPrefix: 'example,site)/kept.js?v=1', effect: 'exclude' },
]

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

export const search = 'http://site.example/search'

/** The records of a response and of the form request that led to it. */
const sent: Row[] = [
  { url: search, at: y2021, fields: html, body: 'of cats' },
  {
    ...{ url: search, at: y2021, type: 'request', contentType: 'application/http;msgtype=request' },
    block: Buffer.from(
      `POST /search HTTP/1.1\r\nHost: site.example\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 10\r\n\r\nq=cats&_=1`,
    ),
  },
]

/** Overwrites the last compressed bytes of a gzip member. The body is too long to be decompressed in one step, so the headers of the
 *  record stay readable. */
const tear = (bytes: Buffer) => void bytes.fill(0xaa, bytes.length - 24, bytes.length - 8)

let made: ArchiveFixture

/** Offsets of the first rows. */
export let offsets: number[]

export let viewer: Viewer

export const newest = (jobs: number[]): Chosen => ({ jobs, moment: { kind: 'newest' }, withinMs: undefined })

export const nearest = (at: string, withinMs?: number): Chosen => ({
  jobs: [1],
  moment: { kind: 'nearest', atMs: Date.parse(at) },
  withinMs,
})

export const ask = (url: string, asking?: Asking) => askOver(viewer.proxy, url, asking)

export const text = async (url: string, asking?: Asking) => (await ask(url, asking)).body.toString()

export const command = (path: string, asking?: Asking) => ask(`http://${viewer.commandHost}${path}`, asking)

/** Sends a command as scripts for NetarchiveSuite do: with GET, and with the command token as the proxy password. */
export const change = (path: string, own?: OwnView) => command(path, { as: commanding(own) })

export const commanding = (own?: OwnView) =>
  own ? { user: own.user, password: own.commandToken } : { user: viewer.commandUser, password: viewer.commandToken }

export const explain = (url: string, isPage = false) => viewer.explain({ url, method: 'GET', isPage }, operator)

/** The headers with which a browser requests a page. */
export const asPage = { headers: { 'upgrade-insecure-requests': '1', accept: 'text/html' } }

export const current = () => viewer.current()?.view ?? 0

/** Creates the archive and its viewer before the tests of a file, and closes them afterwards. */
export function withChain(): void {
  beforeAll(async () => {
    made = await createArchive()
    offsets = await made.add({ name: '1-1-a.warc.gz', job: 1, rows: rows.slice(0, 9) })
    await made.add({ name: '1-2-a.warc.gz', job: 1, rows: rows.slice(9, 10), spoil: tear })
    await made.add({ name: '1-3-a.warc.gz', job: 1, rows: rows.slice(10) })
    await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [{ url: page, at: y2020, fields: html, body: 'of job 2' }] })
    await made.add({ name: '3-1-a.warc.gz', job: 3, rows: threads })
    await made.add({ name: '4-1-a.warc.gz', job: 4, rows: sent })
    await made.add({ name: 'up.warc.gz', job: null, rows: [{ url: page, at: y2023, fields: html, body: 'uploaded' }] })
    viewer = await viewerOver(made, {
      accessRules: () => accessRules,
      otherCaptures: (url) => ({ captures: url === elsewhere.url ? [elsewhere] : [], notSearched: [] }),
    })
    await viewer.open(newest([1]))
  })

  afterAll(async () => {
    await viewer.close()
    await made[Symbol.asyncDispose]()
  })
}
