/** Recovery of a lost database from the files, in a seeded world. Each row loses the database of the same harvest and damages
 *  something different. The simulation checks for every scenario that the recovered rows equal the lost ones. */
import { textOf } from '../../contract/words/render.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { task, type CrawlInput } from '../crawl.thread.ts'
import { openImports } from '../import/imports.ts'
import { imported, trial } from '../import/testing/importFixture.ts'
import * as made from '../import/testing/archiveSamples.ts'
import { openJobs } from '../jobs/jobs.ts'
import { defaultCrawlSettings } from '../model/limits.ts'
import { settleOwnership } from '../ownership/settleOwnership.ts'
import { recover } from './recover.ts'
import { nothingRecovered } from './recoveryProgress.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-recover-'))
afterAll(() => rmSync(folder, { recursive: true }))

const replicas = ['one', 'two'].map((name) => ({ name, folder: `/replicas/${name}` }))
const quarantineFolder = '/archive/quarantine'
const never = new AbortController().signal
let databases = 0

interface Harvested {
  world: SeededWorld
  /** Names of the job's WARC file and metadata file. */
  warc: string
  metadata: string
}

function newDatabase(): string {
  databases += 1
  return join(folder, `${databases}.db`)
}

/** The engine until the job rests; `meanwhile` is done just before. */
async function lived(world: SeededWorld, databasePath: string, job: number): Promise<void> {
  const store = openStore(databasePath)
  const input: CrawlInput = {
    ...{ databasePath, replicas, quarantineFolder, software: 'Loupe/test' },
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    settings: { ...defaultCrawlSettings, delayMs: 0, freeBytesMin: 0 },
  }
  const jobs = openJobs(store, world)
  const session = async () => {
    const stop = new AbortController()
    const engine = task({ world, report: () => undefined, signal: stop.signal, takePrinted: () => '' }, input)
    do await world.clock.sleep(1_000)
    while (jobs.summary(job).state !== 'INACTIVE')
    stop.abort()
    await engine
  }
  await world.run(session())
  store.close()
}

async function harvested(seed = 1): Promise<Harvested> {
  const world = seededWorld({ seed })
  world.network.serve('site.test', 80, async (connection) => {
    for (let bytes = await connection.read(); bytes; bytes = await connection.read()) {
      const isPage = Buffer.from(bytes).toString().startsWith('GET / ')
      const body = isPage ? '<a href="/absent">x</a>' : 'none'
      const status = isPage ? '200 OK' : '404 Not Found'
      const head = `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
      await connection.write(Buffer.from(head + body))
    }
  })
  const databasePath = newDatabase()
  const store = openStore(databasePath)
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://site.test/'], name: 'A site' }))
  store.close()
  await lived(world, databasePath, job)
  const names = (await world.run(world.disk.list('/replicas/one'))).map(({ name }) => name)
  const [warc = '', metadata = ''] = names.filter((name) => !name.startsWith('.'))
  expect([warc, metadata]).toEqual([expect.stringMatching(/^1-1-\d{17}-00001-loupe.warc.gz$/), '1-metadata-1.warc'])
  return { world, warc, metadata }
}

const sums = { name: 'sums', folder: '/replicas/sums', kind: 'checksums' } as const

async function recovered(world: SeededWorld, store: Store, { cutAfterCalls = Infinity, hasSums = false } = {}) {
  const act = async () => {
    const places = hasSums ? [...replicas, sums] : replicas
    const archive = await openArchive({
      store,
      world,
      replicas: places,
      limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 },
    })
    const setting = { store, world, archive, quarantineFolder, signal: never }
    const mark = await settleOwnership({ ...setting, folder: '/archive/jobs', log: () => undefined })
    await mark.close()
    const parts = { store, world, archive, quarantineFolder, jobs: openJobs(store, world) }
    return recover(parts, { signal: never, onProgress: () => undefined })
  }
  return (await world.runUntilCut(act(), cutAfterCalls))?.value
}

function filesOf(store: Store): string[] {
  return store
    .statement<object, { name: string; job: number | null; stored: number | null }>(
      'SELECT name, job_id AS job, stored_ms AS stored FROM archive_file ORDER BY name',
    )
    .all({})
    .map(({ name, job, stored }) => `${name} of ${job ?? 'no job'}${stored === null ? ', not stored' : ''}`)
}

const write = (world: SeededWorld, path: string, text: string) =>
  world.run(
    (async () => {
      await world.disk.makeFolder(path.slice(0, path.lastIndexOf('/')))
      await world.disk.write(path, Buffer.from(text))
    })(),
  )

test('a lost database: files, job, documents and log are restored, and a second recovery finds nothing', async () => {
  const { world, warc, metadata } = await harvested()
  const store = openStore(newDatabase())
  expect(await recovered(world, store)).toMatchObject({ filesTotal: 2, registered: 2, jobs: [1], problems: [] })
  expect(filesOf(store)).toEqual([`${warc} of 1`, `${metadata} of 1`])
  const jobs = openJobs(store, world)
  expect(jobs.summary(1)).toMatchObject({ harvest: 'A site', status: 'Done', stopReason: 'DOWNLOAD_COMPLETE' })
  const rows = jobs.documents({ job: 1, offset: 0, limit: 10 }).rows
  expect(rows.map(({ url, status, via }) => [url, status, via])).toEqual([
    ['http://site.test/robots.txt', 404, null],
    ['http://site.test/', 200, null],
    ['http://site.test/absent', 404, 'http://site.test/'],
  ])
  expect(jobs.log(1, 0, 100).map(({ message }) => textOf(message))).toEqual(
    expect.arrayContaining([
      'Everything in scope was fetched.',
      'The job was recovered from its files in the archive.',
    ]),
  )
  expect(await recovered(world, store)).toMatchObject({ filesTotal: 0, registered: 0, jobs: [], problems: [] })
  store.close()
})

test('a job whose list of documents is damaged is restored with the documents before the damage, and the report says so', async () => {
  const { world, warc, metadata } = await harvested()
  for (const { folder: replica } of replicas) {
    const path = `${replica}/${metadata}`
    const bytes = Buffer.from(await world.run(world.disk.read(path, 1_000_000)))
    const list = bytes.indexOf('\r\n\r\n', bytes.indexOf('documents.jsonl.gz')) + 4
    bytes.fill(0xff, list + 20, list + 40)
    await world.run(world.disk.write(path, bytes))
  }
  const store = openStore(newDatabase())
  const { registered, jobs, problems } = (await recovered(world, store)) ?? nothingRecovered()
  expect({ registered, jobs }).toEqual({ registered: 2, jobs: [1] })
  const { total: restored } = openJobs(store, world).documents({ job: 1, offset: 0, limit: 10 })
  expect(restored).toBeLessThan(3)
  const damage = { job: 1, list: 'documents.jsonl.gz', restored, total: 3 }
  expect(problems).toEqual([{ name: metadata, message: message('recover.documents.damaged', damage) }])
  expect(filesOf(store)).toEqual([`${warc} of 1`, `${metadata} of 1`])
  expect(openJobs(store, world).summary(1)).toMatchObject({ harvest: 'A site', stopReason: 'DOWNLOAD_COMPLETE' })
  store.close()
})

/** Replaces texts of a metadata file by others of the same length. */
function withTexts(bytes: Buffer, pattern: RegExp, change: (text: string) => string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(pattern, change), 'latin1')
}

/** Replaces the list of documents in a metadata file. */
function withDocuments(bytes: Buffer, change: (lines: string) => string): Buffer {
  const name = bytes.indexOf('documents.jsonl.gz')
  const begin = bytes.lastIndexOf('WARC/1.', name)
  const block = bytes.indexOf('\r\n\r\n', name) + 4
  const head = bytes.subarray(begin, block).toString('latin1')
  const length = Number(/Content-Length: (\d+)/i.exec(head)?.[1])
  const list = gzipSync(change(gunzipSync(bytes.subarray(block, block + length)).toString()))
  const newHead = head.replace(/Content-Length: \d+/i, `Content-Length: ${list.length}`)
  return Buffer.concat([bytes.subarray(0, begin), Buffer.from(newHead, 'latin1'), list, bytes.subarray(block + length)])
}

const damages: [damage: string, change: (bytes: Buffer) => Buffer, problems: Message[]][] = [
  [
    'a line of the log',
    (bytes) => withTexts(bytes, /Z info (?=Everything)/g, () => 'Z what '),
    [message('recover.lines.lost', { job: 1, list: 'job.log', lines: 1, first: 2 })],
  ],
  [
    'the definition',
    (bytes) => withTexts(bytes, /"seeds"/g, () => '"seats"'),
    [message('recover.definition.lost', { job: 1, list: 'harvest.json' })],
  ],
  [
    'documents: invalid JSON and an invalid URL',
    (bytes) =>
      withDocuments(bytes, (text) => text.replace('{', '[').replace('http://site.test/absent', 'site.test/absent')),
    [message('recover.lines.lost', { job: 1, list: 'documents.jsonl.gz', lines: 2, first: 1 })],
  ],
]
test.each(damages)(
  'a job is restored without what cannot be read, and the report counts it: %s',
  async (_, change, problems) => {
    const { world, metadata } = await harvested()
    for (const { folder: replica } of replicas) {
      const path = `${replica}/${metadata}`
      const bytes = Buffer.from(await world.run(world.disk.read(path, 1_000_000)))
      await world.run(world.disk.write(path, change(bytes)))
    }
    const store = openStore(newDatabase())
    const found = await recovered(world, store)
    expect(found).toMatchObject({ registered: 2, jobs: [1] })
    expect(found?.problems).toEqual(problems.map((problem) => ({ name: metadata, message: problem })))
    store.close()
  },
)

test('the next run of a recovered job compares with the archive', async () => {
  const { world } = await harvested()
  const path = newDatabase()
  const store = openStore(path)
  await recovered(world, store)
  openJobs(store, world).act(1, 'start')
  store.close()
  await lived(world, path, 1)
  const after = openStore(path)
  expect(openJobs(after, world).summary(1)).toMatchObject({ status: 'Done', documents: { fetched: 3 } })
  const compared = after.statement<object, { url: string; comparison: string }>('SELECT url, comparison FROM document')
  expect(compared.all({}).map(({ comparison }) => comparison)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect(filesOf(after).filter((name) => name.includes('metadata'))).toEqual([
    '1-metadata-1.warc of 1',
    '1-metadata-2.warc of 1',
  ])
  after.close()
})

test('when another job has its number it gets the next one, and its log says so', async () => {
  const { world, warc, metadata } = await harvested()
  const path = newDatabase()
  const store = openStore(path)
  // The state after a start without both replicas: the number appears to be free.
  const other = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://other.test/'] }))
  expect(other).toBe(1)
  expect(await recovered(world, store)).toMatchObject({ registered: 2, jobs: [2], problems: [] })
  expect(filesOf(store)).toEqual([`${warc} of 2`, `${metadata} of 2`])
  const log = openJobs(store, world).log(2, 0, 100)
  expect(log.at(-1)?.message).toEqual(message('jobLog.recovered.renumbered', { earlier: 1 }))
  store.close()
})

test('a copy that differs is reported and left unchanged, and the content of the others is registered', async () => {
  const { world, warc } = await harvested()
  const bytes = await world.run(world.disk.read(`/replicas/one/${warc}`, 1e6))
  world.disk.corrupt(`/replicas/one/${warc}`, Math.floor(bytes.length / 2))
  const store = openStore(newDatabase())
  const found = await recovered(world, store)
  // The copies differ: the one with complete records counts.
  expect(found?.problems.map(({ name, message }) => [name, textOf(message)])).toEqual([
    [warc, expect.stringMatching(/^Not stored in replica one\. Another file has this name there/)],
  ])
  expect(filesOf(store)).toEqual(['1-metadata-1.warc of 1', `${warc} of 1, not stored`].sort())
  store.close()
})

test('copies stay where they are if nothing shows which is right', async () => {
  const world = seededWorld({ seed: 4 })
  await write(world, '/replicas/one/notes.bin', 'one thing')
  await write(world, '/replicas/two/notes.bin', 'another thing')
  const store = openStore(newDatabase())
  const found = await recovered(world, store)
  expect(found?.problems).toMatchObject([{ name: 'notes.bin', message: { code: 'recover.copies.differ' } }])
  expect(filesOf(store)).toEqual([])
  store.close()
})

test('files that Loupe did not harvest are registered without a job, and stored in every replica', async () => {
  const world = seededWorld({ seed: 5 })
  await write(world, '/replicas/one/20240101-crawl.warc.gz', 'uploaded once')
  await write(world, '/replicas/two/9-metadata-1.warc', 'of another program')
  const store = openStore(newDatabase())
  expect(await recovered(world, store)).toMatchObject({ registered: 2, jobs: [], problems: [] })
  expect(filesOf(store)).toEqual(['20240101-crawl.warc.gz of no job', '9-metadata-1.warc of no job'])
  for (const { folder: replica } of replicas) expect(await world.run(world.disk.list(replica))).toHaveLength(3)
  store.close()
})

test('a harvest in the quarantine is stored in the replicas and leaves the quarantine', async () => {
  const { world, warc, metadata } = await harvested()
  const inFolder = '/archive/jobs/1'
  const moves = async () => {
    for (const [name, local] of [
      [warc, warc],
      [metadata, `.0a1b2c3d-0000-4000-8000-000000000000.${metadata}`],
    ] as const) {
      await world.disk.rename(`/replicas/one/${name}`, `${inFolder}/${local}`)
      await world.disk.remove(`/replicas/two/${name}`)
    }
    await world.disk.write(`${inFolder}/1-1-20260101000000000-00007-loupe.warc.gz.open`, Buffer.from('torn'))
  }
  await world.run(moves())
  const store = openStore(newDatabase())
  const found = await recovered(world, store)
  expect(found).toMatchObject({ registered: 2, jobs: [1], cleared: 2, problems: [] })
  expect(filesOf(store)).toEqual([`${warc} of 1`, `${metadata} of 1`])
  // The torn one goes the way of every file from elsewhere.
  expect(found?.importJob).toBe(2)
  expect(openJobs(store, world).show(2).definition.seeds).toEqual([
    expect.stringMatching(/-job-1\/1-1-20260101000000000-00007-loupe\.warc\.gz\.open$/),
  ])
  store.close()
})

test('bytes in the quarantine are stored when they match the only checksum of a replica, and otherwise not', async () => {
  const { world, warc, metadata } = await harvested()
  const aside = `${quarantineFolder}/2026-01-01T00-00-00Z-job-1`
  const prepare = async () => {
    await Promise.all([aside, sums.folder].map((path) => world.disk.makeFolder(path)))
    const lines: string[] = []
    for (const name of [warc, metadata]) {
      const bytes = await world.disk.read(`/replicas/one/${name}`, 1_000_000)
      lines.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
      await world.disk.rename(`/replicas/one/${name}`, `${aside}/${name}`)
      await world.disk.remove(`/replicas/two/${name}`)
    }
    lines.push(`${createHash('sha256').update('these').digest('hex')}  other.warc\n`)
    await world.disk.write(`${aside}/other.warc`, Buffer.from('others'))
    await world.disk.write(`${sums.folder}/SHA256SUMS`, Buffer.from(lines.join('')))
  }
  await world.run(prepare())
  const store = openStore(newDatabase())
  expect(await recovered(world, store, { hasSums: true })).toMatchObject({
    ...{ registered: 2, jobs: [1], cleared: 2 },
    problems: [{ name: 'other.warc', message: message('recover.copies.checksumOnly') }],
  })
  expect(filesOf(store)).toEqual([`${warc} of 1`, `${metadata} of 1`])
  store.close()
})

test('imports: truncated captures and files that were already archived are restored with the status of the job', async () => {
  const url = 'http://a.test/'
  const records = [...made.warcRecords('http://b.test/'), made.truncatedRecord(url, 'length')]
  const it = await trial({ '/elsewhere/a.warc': made.plain(records) })
  it.input.software = 'Loupe/test'
  await imported(it, '/elsewhere')
  await imported(it, '/elsewhere')
  const store = openStore(newDatabase())
  expect(await recovered(it.world, store)).toMatchObject({ jobs: [1, 2], problems: [] })
  const told = (from: Store) =>
    [1, 2].map((job) => {
      const { status, documents, byTruncation } = openJobs(from, it.world).show(job)
      const files = openImports(from).ofJob(job)
      return {
        status,
        documents,
        byTruncation,
        files: files.map(({ state, name, archived }) => [state, name, archived]),
      }
    })
  expect(told(store)).toEqual(told(it.store))
  expect(told(store)).toMatchObject([{ status: 'Done, incomplete' }, { status: 'Done' }])
  store.close()
})

test('killed at any point, the next recovery has the same result', async () => {
  for (let cut = 1; ; cut += 7) {
    const { world: before, warc, metadata } = await harvested()
    let world = before
    const path = newDatabase()
    let store = openStore(path)
    const outcome = await recovered(world, store, { cutAfterCalls: world.calls + cut })
    store.close()
    world = world.crash()
    store = openStore(path)
    await recovered(world, store)
    expect(filesOf(store), `cut ${cut}`).toEqual([`${warc} of 1`, `${metadata} of 1`])
    const jobs = openJobs(store, world)
    expect(jobs.summary(1), `cut ${cut}`).toMatchObject({ status: 'Done', documents: { fetched: 3 } })
    expect(jobs.documents({ job: 1, offset: 0, limit: 10 }).total, `cut ${cut}`).toBe(3)
    expect(jobs.list()).toHaveLength(1)
    store.close()
    if (outcome) return
  }
})
