/** Revisits whose original is not where they say: the replies of the proxy, and the explanations. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver, operator } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const [y2020, y2021, y2022] = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']
const html = [['Content-Type', 'text/html']] as const
const body = 'x'.repeat(400)
const original = { url: 'http://site.example/original', at: y2020, fields: html, body }
const copy = { url: 'http://mirror.example/copy', at: y2021, fields: html, body }
const torn = { url: 'http://site.example/torn', at: y2020, fields: html, body: 'y'.repeat(400) }
const bodyDigest = sha1Base32([Buffer.from(body)])

function revisit(path: string, { of, at, digest }: { of: string; at: string; digest?: string }): Row {
  return {
    ...{ url: `http://site.example${path}`, at: y2022, type: 'revisit', body: '' },
    fields: [...html, ['X-Whose', 'revisit']],
    warcFields: [
      ['WARC-Refers-To-Target-URI', of],
      ['WARC-Refers-To-Date', at],
      ...(digest === undefined ? [] : [['WARC-Payload-Digest', digest] as const]),
    ],
  }
}

const rows = [
  copy,
  { ...copy, url: 'http://third.example/copy' },
  revisit('/same', { of: original.url, at: y2020, digest: bodyDigest }),
  revisit('/elsewhere', { of: copy.url, at: y2021 }),
  revisit('/only-torn', { of: torn.url, at: y2020 }),
  revisit('/lost', { of: 'http://never.example/', at: y2020 }),
  revisit('/lost-then', { of: copy.url, at: y2020 }),
]

let made: ArchiveFixture
let offsets: number[]
let viewer: Viewer
const ask = (path: string) => askOver(viewer.proxy, `http://site.example${path}`)
const explain = (path: string) =>
  viewer.explain({ url: `http://site.example${path}`, method: 'GET', isPage: false }, operator)

beforeAll(async () => {
  made = await createArchive()
  // Only the checksum of an original is wrong (RFC 1952 2.3.1). Changed content could be decoded in many ways.
  const tear = (bytes: Buffer) => void bytes.fill(0xaa, bytes.length - 8, bytes.length - 4)
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [original], spoil: tear })
  await made.add({ name: '1-3-a.warc.gz', job: 1, rows: [torn], spoil: tear })
  offsets = await made.add({ name: '1-2-a.warc.gz', job: 1, rows })
  viewer = await viewerOver(made)
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test.each([
  ['whose first original cannot be read uses the next one', '/same'],
  ['whose original has another host uses the record of that host', '/elsewhere'],
])('a revisit %s', async (_, path) => {
  const got = await ask(path)
  expect([got.status, got.body.toString(), got.headers['x-whose']]).toEqual([200, body, 'revisit'])
  expect(got.headers['memento-datetime']).toBe(new Date(y2022).toUTCString())
})

test('each original is listed with its result: unreadable, used or not needed', async () => {
  const explained = await explain('/same')
  expect(explained).toMatchObject({ answeredBy: 'exactCapture', isMissing: false, archived: { status: 200 } })
  expect(explained?.revisitHops).toMatchObject([
    {
      ...{ capture: { url: original.url, filename: '1-1-a.warc.gz' }, isUsed: false },
      why: {
        code: 'viewer.record.damaged',
        values: { place: message('viewer.record.place', { file: '1-1-a.warc.gz', offset: 0 }) },
      },
    },
    { capture: { url: copy.url, offset: offsets[0] }, isUsed: true, why: null },
    { capture: { url: 'http://third.example/copy' }, isUsed: false, why: null },
  ])
})

test.each([
  [
    'was never captured',
    '/lost',
    / is not in the view: http:\/\/never\.example\/ of 2020-01-01T00:00:00\.000Z\. That URL has no capture\.$/,
  ],
  [
    'was captured only at another time',
    '/lost-then',
    / is not in the view: http:\/\/mirror\.example\/copy of 2020-01-01T00:00:00\.000Z\. That URL was captured only at other times\.$/,
  ],
  ['is damaged', '/only-torn', / cannot be read\. The record in 1-3-a\.warc\.gz at offset 0 is damaged\. /],
])('reports a revisit whose original %s', async (_, path, why) => {
  const got = await ask(path)
  expect([got.status, got.headers['x-loupe']]).toEqual([503, 'unreadable'])
  const explained = await explain(path)
  expect(explained).toMatchObject({ answeredBy: 'missing', isMissing: false, archived: null, sent: { status: 503 } })
  expect(explained?.candidates).toMatchObject([{ capture: { recordType: 'revisit' }, isUsed: false }])
  const [first] = explained?.candidates ?? []
  expect(first?.why && textOf(first.why)).toMatch(why)
  expect(explained?.revisitHops.filter(({ isUsed }) => isUsed)).toEqual([])
})
