/** Duplicates from a crawl log: the view has only their job, and the content comes from any file of the archive. */
import { textOf } from '../../contract/words/render.ts'
import { message, storedMessage } from '../../contract/words/message.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import { createArchive, type ArchiveFixture, type Row } from '../../indexes/testing/archiveFixture.ts'
import { openIndexes } from '../../indexes/indexes.ts'
import { join } from 'node:path'
import { askOver, viewerOver, operator } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const [at2010, at2011] = ['2010-01-01T10:20:30Z', '2011-06-23T17:12:09Z']
const site = 'http://site.example'
const png = [['Content-Type', 'image/png']] as const
const body = 'x'.repeat(300)
const digest = sha1Base32([Buffer.from(body)])

const image = (path: string, more: Partial<Row> = {}): Row => ({
  url: site + path,
  at: at2010,
  fields: png,
  body,
  ...more,
})

interface Sketch {
  path: string
  origin: string
  digest?: string
  status?: number
  more?: string
  mediaType?: string
}

function logText(lines: readonly Sketch[]): string {
  const texts = lines.map(
    ({ path, origin, digest: named = digest, status = 200, more = '', mediaType = 'image/png' }) => {
      return `2011-06-23T17:12:08.802Z   ${status}        300 ${site}${path} LE ${site}/ ${mediaType} #025 20110623171208546+922 ${named} ${site}/ ${more}duplicate:"${origin}",content-size:350`
    },
  )
  return `${texts.join('\n')}\n`
}

let made: ArchiveFixture
let viewer: Viewer
const ask = (path: string) => askOver(viewer.proxy, site + path)
const explain = (path: string) => viewer.explain({ url: site + path, method: 'GET', isPage: false }, operator)

beforeAll(async () => {
  made = await createArchive()
  const records = [
    image('/image.png'),
    image('/other.png', { body: 'another' }),
    image('/dated.png'),
    image('/session.png?id=1'),
    image('/moved.png'),
    image('/revisit.png', { type: 'revisit', body: '' }),
    image('/page', { fields: [['Content-Type', 'text/html']], body: '<title>A page</title>' }),
  ]
  const [first = 0, other = 0, dated = 0, session = 0, moved = 0, revisit = 0, page = 0] = await made.add({
    name: '1-1-a.warc.gz',
    job: 1,
    rows: records,
  })
  const gone = await made.add({ name: '1-2-gone.warc.gz', job: 1, rows: [image('/gone.png')] })
  made.store.statement<object>(
    `UPDATE replica_file SET preservation_state = 'MISSING' WHERE file_id = (SELECT id FROM archive_file WHERE name LIKE '%gone%')`,
  ).run({}) // prettier-ignore
  const lines: Sketch[] = [
    { path: '/image.png', origin: `1-1-a.warc.gz,${first},20100101102030000` },
    { path: '/status.png', origin: `1-1-a.warc.gz,${first}`, status: 404, more: `equivalentURL:"${site}/image.png",` },
    {
      path: '/session.png?id=2',
      origin: `1-1-a.warc.gz,${session}`,
      more: `equivalentURL:"${site}/session.png?id=1",`,
    },
    { path: '/other.png', origin: `1-1-a.warc.gz,${other}` },
    { path: '/wrong-url.png', origin: `1-1-a.warc.gz,${other}` },
    { path: '/dated.png', origin: `1-1-a.warc.gz,${dated},20090101000000`, digest: '-' },
    { path: '/revisit.png', origin: `1-1-a.warc.gz,${revisit}`, digest: '-' },
    { path: '/nowhere.png', origin: `1-1-a.warc.gz,${first + 3}` },
    { path: '/unknown.png', origin: '9-9-never.arc,17' },
    { path: '/gone.png', origin: `1-2-gone.warc.gz,${gone[0]}` },
    { path: '/moved.png', origin: `renamed-since.arc,${moved}` },
    { path: '/page', origin: `1-1-a.warc.gz,${page}`, digest: '-', mediaType: 'text/html' },
  ]
  await made.add({
    ...{ name: '2-metadata-1.warc.gz', job: 2 },
    rows: [
      { url: `${site}/`, at: at2011, body: '<img src="/image.png">' },
      {
        ...{ url: 'metadata://netarkivet.dk/crawl/logs/crawl.log?jobid=2', at: at2011, type: 'resource' },
        ...{ contentType: 'text/plain', block: Buffer.from(logText(lines)) },
      },
    ],
  })
  const { folder, world, archive, tasks } = made
  const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })
  viewer = await viewerOver(made, { indexes, otherCaptures: (url) => indexes.otherCaptures({ url, sources: [1] }) })
  await viewer.open({ jobs: [2], moment: { kind: 'newest' }, withinMs: undefined })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test('an image of a deduplicated job is shown when its job is viewed alone, with the date of its log line', async () => {
  const got = await ask('/image.png')
  expect([got.status, got.body.toString(), got.headers['content-type']]).toEqual([200, body, 'image/png'])
  expect(got.headers['memento-datetime']).toBe('Thu, 23 Jun 2011 17:12:08 GMT')
  expect(viewer.misses(viewer.current()?.view ?? 0)).toEqual([])
  expect(await explain('/image.png')).toMatchObject({
    ...{ answeredBy: 'exactCapture', isMissing: false, archived: { status: 200 } },
    candidates: [{ capture: { recordType: 'duplicate', job: 2, filename: '1-1-a.warc.gz' }, isUsed: true, why: null }],
    revisitHops: [
      { capture: { url: `${site}/image.png`, job: 1, timestampMs: Date.parse(at2010) }, isUsed: true, why: null },
    ],
  })
})

test('a list of captures has the values of the log line and the position of the original', async () => {
  const { body: listed } = await askOver(viewer.proxy, `http://${viewer.commandHost}/cdx?url=${site}/image.png`)
  expect(listed.toString()).toBe(
    `example,site)/image.png 20110623171208802 {"url": "${site}/image.png", "mime": "image/png", "status": "200", "digest": "${digest}", "offset": "0", "filename": "1-1-a.warc.gz", "recordType": "duplicate"}\n`,
  )
  const columns = await askOver(viewer.proxy, `http://${viewer.commandHost}/cdx?output=cdx11&url=${site}/image.png`)
  expect(columns.body.toString().split('\n')[1]).toBe(
    `example,site)/image.png 20110623171208 ${site}/image.png image/png 200 ${digest.slice(5)} - - - 0 1-1-a.warc.gz`,
  )
  const lines = await askOver(viewer.proxy, `http://${viewer.commandHost}/cdx?matchType=host&url=site.example`)
  expect(lines.body.toString().trim().split('\n')).toHaveLength(13)
})

test.each([
  ['of an equivalent URL is shown', '/session.png?id=2', 200],
  ['whose log line has another status is missing', '/status.png', 404],
  ['whose file was renamed is found by its payload in another job', '/moved.png', 200],
])('a duplicate %s', async (_, path, status) => {
  const got = await ask(path)
  expect([got.status, got.body.toString()]).toEqual([status, body])
})

const says =
  /^The crawl log in 2-metadata-1\.warc\.gz names the record in \S+ at offset \d+ as the original of this duplicate\. /
    .source

test.each([
  [
    'the record has another payload',
    '/other.png',
    /The record in 1-1-a\.warc\.gz at offset \d+ is not the original\. It has the payload digest sha1:\w+ instead of sha1:\w+\.$/,
  ],
  [
    'the record has another URL',
    '/wrong-url.png',
    /The record in 1-1-a\.warc\.gz at offset \d+ has the URL \S+\/other\.png instead of \S+\/wrong-url\.png\.$/,
  ],
  [
    'the record has another date',
    '/dated.png',
    /The record in \S+ at offset \d+ is not the original\. It is from 2010-01-01T10:20:30\.000Z instead of 2009-01-01T00:00:00\.000Z\.$/,
  ],
  [
    'the record is a revisit',
    '/revisit.png',
    /The record in \S+ at offset \d+ is not the original\. It is a revisit itself and has no content\.$/,
  ],
  ['no record begins there', '/nowhere.png', /There is no record in 1-1-a\.warc\.gz at offset \d+\.$/],
  ['the file is unknown', '/unknown.png', /The archive has no file 9-9-never\.arc\. Import it to show this capture\.$/],
  ['no replica can provide the file', '/gone.png', /No replica can provide 1-2-gone\.warc\.gz\.$/],
])('adds a finding and shows no other capture: %s', async (_, path, why) => {
  const got = await ask(path)
  expect([got.status, got.headers['x-loupe']]).toEqual([503, 'unreadable'])
  const explained = await explain(path)
  const said = explained?.candidates[0]?.why
  expect(said && textOf(said)).toMatch(new RegExp(says + why.source))
  expect(explained).toMatchObject({ answeredBy: 'missing', isMissing: false, archived: null })
  const findings = viewer.errors(viewer.current()?.view ?? 0).filter(({ url }) => url === site + path)
  expect(findings).toMatchObject([{ kind: 'unreadable', detail: said && storedMessage(said) }])
})

test('a page that is a duplicate is listed with its title', async () => {
  const listed = await viewer.pages({ text: '/page', offset: 0, limit: 5 })
  expect(listed?.rows).toMatchObject([{ url: `${site}/page`, status: 200, title: 'A page' }])
})

test('a missing file is reported once for all captures whose originals it contains', async () => {
  const filesMissing = viewer.current()?.filesMissing
  expect(filesMissing?.first.map(({ name }) => name)).toEqual([
    '1-2-gone.warc.gz',
    '9-9-never.arc',
    'renamed-since.arc',
  ])
  const problem = message('viewer.file.notImported')
  expect(filesMissing?.first[1]?.reason).toEqual(message('viewer.file.originals', { count: 1, problem }))
})
