/** Whole plans over archive files, with real HTTP servers: what arrives, what one destination costs the others, and that each arrives once. */
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WrittenDeliveryPlan } from '../contract/services/deliveryPlan.ts'
import { textOf } from '../contract/words/render.ts'
import { messageFrom } from '../contract/words/message.ts'
import { openTextStore, textIndexPath } from '../indexes/text/store/textStore.ts'
import { textSearcher } from '../indexes/text/query/searchIndex.ts'
import { openStore } from '../storage/storage.ts'
import { realWorld } from '../world/real.ts'
import { openDelivery, stepEnvironment, type DeliveryReport, type RunProgress } from './delivery.ts'
import { searchServer } from './testing/searchServer.ts'

const noArchive = {
  openFile: () => Promise.resolve(undefined),
  selected: () => ({ files: [], jobs: [], jobsMissing: [] }),
  everything: () => Promise.resolve({ files: [], jobs: [], jobsMissing: [] }),
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-delivery-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Writes a WARC file with these pages. */
function warcIn(folder: string, pages: readonly { url: string; type?: string; body: string }[]): void {
  const records = pages.map(({ url, type = 'text/html', body }) => {
    const block = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    const fields = [
      `WARC-Type: response`,
      `WARC-Target-URI: ${url}`,
      `WARC-Date: 2026-01-31T09:30:00Z`,
      `WARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789012>`,
      `Content-Type: application/http; msgtype=response`,
      `Content-Length: ${Buffer.byteLength(block)}`,
    ]
    return `WARC/1.1\r\n${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`
  })
  writeFileSync(join(folder, 'a.warc'), records.join(''))
}

function opened(steps: WrittenDeliveryPlan['steps'], path = ':memory:', jobsFolder = '/nowhere') {
  const store = openStore(path)
  onTestFinished(() => store.close())
  const world = realWorld()
  const delivery = openDelivery({
    store,
    world,
    archive: noArchive,
    jobsFolder,
    indexesFolder: join(jobsFolder, 'indexes'),
  })
  const read = delivery.read({ value: { name: 'p', steps } })
  if ('faults' in read) throw new Error(read.faults.map(({ message }) => textOf(message)).join(' '))
  const version = delivery.plans.add({ plan: read.plan, toml: '' }, 'refeed')
  const reports: DeliveryReport[] = []
  const progress: RunProgress[] = []
  const run = (signal = new AbortController().signal) =>
    delivery.run(version, {
      onReport: (report) => void reports.push(report),
      onProgress: (seen) => void progress.push(seen),
      signal,
    })
  const counts = () => Object.fromEntries(delivery.counts(version).map((each) => [each.destination, each.counts]))
  return { store, delivery, version, reports, progress, run, counts }
}

const page = (at: number) => ({
  url: `http://a.test/${at}`,
  body: `<html lang="de"><title>Page ${at}</title><p>Text <b>${at}</b><a href="/${at + 1}">next</a></html>`,
})
const pages = (count: number) => Array.from({ length: count }, (_, at) => page(at))
const all = { kind: 'all' } as const

test('pages are read, described and copied', async () => {
  const folder = temporaryFolder()
  warcIn(folder, [page(1), { url: 'http://a.test/robots', type: 'text/plain', body: 'plain' }])
  const copies = join(folder, 'copies')
  const { run, counts, progress } = opened([
    { name: 'files', kind: 'warcFolder', settings: { folder } },
    { name: 'links', kind: 'links', after: ['files'] },
    { name: 'title', kind: 'title', after: ['links'] },
    { name: 'text', kind: 'text', after: ['title'] },
    { name: 'language', kind: 'language', after: ['text'] },
    { name: 'checksum', kind: 'checksum', after: ['language'] },
    { name: 'rule', kind: 'drop', after: ['checksum'], settings: { field: 'url', pattern: 'robots' } },
    { name: 'copies', kind: 'folder', after: ['rule'], settings: { folder: copies } },
  ])
  await run()
  expect(counts()).toEqual({ copies: { INDEXED: 1, DROPPED: 1 } })
  const counted = progress.at(-1)
  expect(counted?.edges).toContainEqual({ from: 'checksum', to: 'rule', documents: 2 })
  expect(counted?.edges).toContainEqual({ from: 'rule', to: 'copies', documents: 1 })
  expect(counted?.steps).toContainEqual({ step: 'files', done: 2, dropped: 0, failed: 0 })
  expect(counted?.steps).toContainEqual({ step: 'rule', done: 1, dropped: 1, failed: 0 })
  expect(counted?.steps).toContainEqual({ step: 'copies', done: 1, dropped: 0, failed: 0 })
  const files = readdirSync(copies, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'))
  expect(files).toHaveLength(2)
  const described = files.find((name) => name.endsWith('.json')) ?? ''
  expect(JSON.parse(readFileSync(join(copies, described), 'utf8'))).toMatchObject({
    id: 'a.warc 0',
    isTruncated: false,
    fields: {
      ...{ url: ['http://a.test/1'], title: ['Page 1'], text: ['Text 1next'], language: ['de'], status: ['200'] },
      ...{ links: ['http://a.test/2'], mediaType: ['text/html'], time: ['2026-01-31T09:30:00.000Z'] },
      checksum: [expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
    },
  })
  expect(readFileSync(join(copies, described.replace('.json', '')), 'utf8')).toBe(page(1).body)
})

test('committed captures of a job are delivered, and again when they have changed', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '1'))
  warcIn(join(folder, '1'), [page(1), page(2)])
  renameSync(join(folder, '1/a.warc'), join(folder, '1/a.warc.open'))
  const server = await searchServer()
  onTestFinished(() => server.close())
  const { run, counts, store, delivery, version } = opened(
    [
      { name: 'jobs', kind: 'captures', settings: { jobs: [1] } },
      { name: 'title', kind: 'title', after: ['jobs'] },
      { name: 'rule', kind: 'drop', after: ['title'], settings: { field: 'title', pattern: '^Page', unless: true } },
      { name: 'engine', kind: 'solr', after: ['rule'], batchDelayMs: 10, settings: { url: server.url } },
    ],
    ':memory:',
    folder,
  )
  const sql = (text: string) => store.statement<object>(text).run({})
  sql(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'a', 'event', '{}', 0)`)
  sql(`INSERT INTO job (id, harvest_id, state, created_ms) VALUES (1, 1, 'INACTIVE', 0)`)
  sql(`INSERT INTO host (id, job_id, origin) VALUES (1, 1, 'http://a.test')`)
  sql(
    `INSERT INTO harvest_file (id, job_id, serial, name, state, committed_bytes) VALUES (1, 1, 1, 'a.warc', 'OPEN', 0)`,
  )
  const second = readFileSync(join(folder, '1/a.warc.open')).indexOf('WARC/1.1', 8)
  const digest = 'sha1:AAAA'
  for (const [id, offset] of [
    [1, 0],
    [2, second],
  ] as const) {
    const url = `http://a.test/${id}`
    store
      .statement<{ id: number; url: string; key: Uint8Array }>(
        `INSERT INTO document (id, job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, outcome, media_type)
         VALUES (@id, 1, @key, @url, 1, 'COMPLETE', 'page', '', 0, 0, 'fetched', 'text/html')`,
      )
      .run({ id, url, key: hash('sha256', url, 'buffer') })
    store
      .statement<{ id: number; offset: number; digest: string }>(
        `INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, file_id, file_offset, first_ms, checked_ms, change_count)
         VALUES (@id, 'r', 0, 200, @digest, 1, @offset, 0, 0, 1)`,
      )
      .run({ id, offset, digest })
  }
  await run()
  await run()
  expect(counts()).toEqual({ engine: { INDEXED: 2 } })
  expect(Object.fromEntries(server.accepted)).toEqual({ '1 http://a.test/1': 1, '1 http://a.test/2': 1 })
  sql(`UPDATE capture SET payload_digest = 'sha1:BBBB' WHERE document_id = 2`)
  await run()
  expect(Object.fromEntries(server.accepted)).toEqual({ '1 http://a.test/1': 1, '1 http://a.test/2': 2 })
  const scanner = delivery.plans.scanners(version)[0]?.id ?? 0
  const states = delivery.history({ scanner, key: '1 http://a.test/2' }).map(({ state }) => state)
  expect(states).toEqual(['PROCESSING', 'BATCHED', 'INDEXED', 'PROCESSING', 'BATCHED', 'INDEXED'])
  // Stranded ones are found by their key.
  const destination = delivery.counts(version)[0]?.id ?? 0
  const ids = delivery.list({ destination, state: 'INDEXED', after: 0, limit: 10 }).map(({ id }) => id)
  expect(delivery.decide(ids, 'FORCE')).toBe(2)
  await run()
  expect(Object.fromEntries(server.accepted)).toEqual({ '1 http://a.test/1': 2, '1 http://a.test/2': 3 })
})

test.each([
  ['closed', '.open', '', []],
  ['stored', '', undefined, ['a.warc']],
  ['closed and stored', '.open', undefined, ['a.warc']],
] as const)('a working file that is %s while it is looked for is found', async (_, before, after, stored) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '1'))
  const path = join(folder, '1/a.warc')
  writeFileSync(`${path}${before}`, 'bytes')
  const world = realWorld()
  let looks = 0
  // It goes to its next place after the first look.
  const move = () => {
    looks += 1
    if (looks === 1) renameSync(`${path}${before}`, after === undefined ? join(folder, 'stored') : `${path}${after}`)
  }
  const { disk } = world
  const archive = {
    ...noArchive,
    async openFile(name: string) {
      const isStored = looks > 0 && stored.some((each) => each === name)
      const file = isStored ? await disk.openRead(join(folder, 'stored')) : undefined
      move()
      return file && ({ file } as Awaited<ReturnType<Parameters<typeof openDelivery>[0]['archive']['openFile']>>)
    },
  }
  const store = openStore(':memory:')
  onTestFinished(() => store.close())
  const file = await stepEnvironment({ store, world, archive, jobsFolder: folder, indexesFolder: folder }).openFile(
    'a.warc',
    1,
  )
  expect(await file?.bytes()).toBe(5)
  await file?.close()
})

test('a sitemap is split into its entries', async () => {
  const folder = temporaryFolder()
  const entries = [1, 2, 3].map((at) => `<url><loc>http://a.test/${at}</loc></url>`).join('')
  warcIn(folder, [{ url: 'http://a.test/sitemap.xml', type: 'application/xml', body: `<urlset>${entries}</urlset>` }])
  const server = await searchServer()
  onTestFinished(() => server.close())
  const { run, counts } = opened([
    { name: 'files', kind: 'warcFolder', settings: { folder } },
    { name: 'entries', kind: 'split', after: ['files'] },
    { name: 'hook', kind: 'webhook', after: ['entries'], settings: { url: `${server.url}/hook` } },
  ])
  await run()
  expect(counts()).toEqual({ hook: { INDEXED: 4 } })
  expect([...server.accepted.keys()].sort()).toEqual(['a.warc 0⇛0', 'a.warc 0⇛1', 'a.warc 0⇛2'])
})

describe('search engines', () => {
  const isBad = (id: string) => Number(id.split(' ')[1]) % 7 === 0
  test.each([
    ['Solr', { kind: 'solr', path: '/solr/pages' }, false],
    ['Solr that names bad documents', { kind: 'solr', path: '/solr/pages' }, true],
    ['OpenSearch', { kind: 'openSearch', path: '', index: 'pages' }, false],
  ])('%s: a bad document in a batch fails alone', async (_, { kind, path, ...settings }, isTolerant) => {
    const folder = temporaryFolder()
    warcIn(folder, pages(250))
    const server = await searchServer({ isBad, isTolerant })
    onTestFinished(() => server.close())
    const { run, counts, delivery, version, reports } = opened([
      { name: 'files', kind: 'warcFolder', settings: { folder } },
      { name: 'engine', kind, after: ['files'], batchDelayMs: 50, settings: { url: server.url + path, ...settings } },
    ])
    await run()
    const { INDEXED = 0, ERROR_DOC = 0 } = counts()['engine'] ?? {}
    expect(INDEXED + ERROR_DOC).toBe(250)
    expect(ERROR_DOC).toBeGreaterThan(0)
    expect(server.accepted.size).toBe(INDEXED)
    expect([...server.accepted.values()].every((count) => count === 1)).toBe(true)
    expect(reports.filter((report) => report.kind === 'failed')).toHaveLength(ERROR_DOC)
    const destination = delivery.counts(version)[0]?.id ?? 0
    const [failed] = delivery.list({ destination, state: 'ERROR_DOC', after: 0, limit: 1 })
    expect(textOf(messageFrom(failed?.message ?? ''))).toMatch(/^The destination (refused|answered with status 400)/)
  })

  test('a server that is down fails every document after three attempts, and one that answers 503 too', async () => {
    const folder = temporaryFolder()
    warcIn(folder, pages(5))
    const server = await searchServer({ status: () => 503 })
    const gone = await searchServer()
    await gone.close()
    onTestFinished(() => server.close())
    const engine = (name: string, url: string) => ({
      name,
      kind: 'solr',
      after: ['files'],
      batchDelayMs: 10,
      settings: { url },
    })
    const { run, counts } = opened([
      { name: 'files', kind: 'warcFolder', settings: { folder }, router: all },
      engine('busy', server.url),
      engine('gone', gone.url),
    ])
    await run()
    expect(counts()).toEqual({ busy: { DEAD: 5 }, gone: { DEAD: 5 } })
    expect(server.requests).toBe(3)
  })
})

test('destinations that are down, slow, or refuse one in a hundred do not delay another', async () => {
  const folder = temporaryFolder()
  warcIn(folder, pages(2_000))
  const servers = {
    quick: await searchServer(),
    slow: await searchServer({ delayMs: 1_000 }),
    picky: await searchServer({ isBad: (id) => Number(id.split(' ')[1]) % 100 < 1 }),
    down: await searchServer({ delayMs: 3_600_000 }),
  }
  onTestFinished(async () => void (await Promise.all(Object.values(servers).map((server) => server.close()))))
  const engines = Object.entries(servers).map(([name, { url }]) => ({
    ...{ name, kind: 'openSearch', after: ['files'], batchDelayMs: 50, settings: { url, index: 'pages' } },
  }))
  const { run, counts } = opened([
    { name: 'files', kind: 'warcFolder', settings: { folder }, router: all, intervalSeconds: 3_600 },
    ...engines,
  ])
  const stop = new AbortController()
  const running = run(stop.signal)
  await expect.poll(() => servers.quick.accepted.size).toBe(2_000)
  await expect.poll(() => (counts()['picky']?.INDEXED ?? 0) + (counts()['picky']?.ERROR_DOC ?? 0)).toBe(2_000)
  // They have not even begun with most of theirs, which wait in the database.
  expect(servers.slow.accepted.size).toBeLessThan(2_000)
  expect(servers.down.requests).toBeLessThanOrEqual(1)
  expect(counts()['down']?.INDEXED).toBeUndefined()
  await expect.poll(() => servers.slow.accepted.size).toBe(2_000)
  stop.abort()
  await running
})

test('documents go through six steps to two destinations, each once', async () => {
  const folder = temporaryFolder()
  const count = 500
  warcIn(folder, pages(count))
  const servers = [await searchServer(), await searchServer()]
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
  const engines = servers.map(({ url }, at) => ({
    ...{
      name: `engine${at}`,
      kind: 'openSearch',
      after: ['rule'],
      batchDelayMs: 50,
      settings: { url, index: 'pages' },
    },
    guarantee: 'atMostOnce' as const,
  }))
  const { run, counts } = opened(
    [
      { name: 'files', kind: 'warcFolder', settings: { folder } },
      { name: 'links', kind: 'links', after: ['files'] },
      { name: 'title', kind: 'title', after: ['links'] },
      { name: 'text', kind: 'text', after: ['title'] },
      { name: 'language', kind: 'language', after: ['text'] },
      { name: 'checksum', kind: 'checksum', after: ['language'] },
      { name: 'rule', kind: 'drop', after: ['checksum'], settings: { field: 'url', pattern: 'never' }, router: all },
      ...engines,
    ],
    join(folder, 'loupe.db'),
  )
  await run()
  expect(counts()).toEqual({ engine0: { INDEXED: count }, engine1: { INDEXED: count } })
  for (const { accepted } of servers) expect([...accepted.values()]).toEqual(Array.from({ length: count }, () => 1))
})

test('the text index takes documents and parts of them, and the same again changes nothing', async () => {
  const folder = temporaryFolder()
  const feed = `<rss><channel><title>News</title><item><title>Entry of today</title><link>http://a.test/entry</link></item></channel></rss>`
  warcIn(folder, [
    page(1),
    { url: 'http://a.test/style.css', type: 'text/css', body: 'a { }' },
    { url: 'http://a.test/latin', type: 'text/html; charset=iso-8859-1', body: '<p>Buchf&uuml;hrung' },
    { url: 'http://a.test/feed', type: 'application/rss+xml', body: feed },
  ])
  const { run, counts, delivery, version } = opened(
    [
      { name: 'files', kind: 'warcFolder', settings: { folder } },
      { name: 'entries', kind: 'split', after: ['files'] },
      { name: 'index', kind: 'textIndex', after: ['entries'], batchDelayMs: 10 },
    ],
    ':memory:',
    folder,
  )
  await run()
  expect(counts()).toEqual({ index: { INDEXED: 5 } })
  const store = openTextStore(textIndexPath(join(folder, 'indexes')))
  onTestFinished(() => store.close())
  const urls = (query: string) => {
    const found = textSearcher(store).search({ query, offset: 0, limit: 10, withFacets: false })
    return 'fault' in found ? found : found.results.map(({ url }) => url)
  }
  expect(urls('page text')).toEqual(['http://a.test/1'])
  expect(urls('Buchführung')).toEqual(['http://a.test/latin'])
  expect(urls('"entry of today"')).toEqual(['http://a.test/entry'])
  const [destination] = delivery.counts(version)
  const ids = delivery
    .list({ destination: destination?.id ?? 0, state: 'INDEXED', after: 0, limit: 10 })
    .map(({ id }) => id)
  delivery.decide(ids, 'FORCE')
  await run()
  expect(urls('host:a.test')).toHaveLength(3)
})

test('a document without a time is refused by the text index, and holds up no other', async () => {
  const folder = temporaryFolder()
  warcIn(folder, [page(1)])
  const path = join(folder, 'a.warc')
  const one = readFileSync(path, 'utf8')
  writeFileSync(path, one + one.replace('2026-01-31T09:30:00Z', 'yesterday').replace('a.test/1', 'a.test/2'))
  const { run, counts } = opened(
    [
      { name: 'files', kind: 'warcFolder', settings: { folder } },
      { name: 'index', kind: 'textIndex', after: ['files'], batchDelayMs: 10 },
    ],
    ':memory:',
    folder,
  )
  await run()
  expect(counts()).toEqual({ index: { INDEXED: 1, ERROR_DOC: 1 } })
})

test('a plan runs in a thread with a connection of its own', async () => {
  const folder = temporaryFolder()
  warcIn(folder, pages(3))
  const copies = join(folder, 'copies')
  const databasePath = join(folder, 'loupe.db')
  const { counts, version } = opened(
    [
      { name: 'files', kind: 'warcFolder', settings: { folder } },
      { name: 'copies', kind: 'folder', after: ['files'], settings: { folder: copies } },
    ],
    databasePath,
  )
  const module = new URL('./delivery.thread.ts', import.meta.url)
  await realWorld().threads.run(
    module,
    {
      databasePath,
      jobsFolder: folder,
      indexesFolder: join(folder, 'indexes'),
      replicas: [{ name: 'one', folder: join(folder, 'replica') }],
      version: version.id,
    },
    { lasting: true },
  )
  expect(counts()).toEqual({ copies: { INDEXED: 3 } })
})
