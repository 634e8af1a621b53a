import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { localNameOf } from './ownedFiles.ts'
import { listQuarantine } from './quarantine.ts'
import { pathOfMark, type SequenceMark } from './sequenceMark.ts'
import { settleOwnership } from './settleOwnership.ts'

const folder = '/archive/jobs'
const quarantineFolder = '/archive/quarantine'
const replicas = ['one', 'two'].map((name) => ({ name, folder: `/replicas/${name}` }))
const warc = '1-1-20260101000000000-00001-loupe.warc.gz'

interface Start {
  logged: string[]
  store: Store
  /** Ends this start in good order. */
  close(): Promise<void>
}

interface Trial {
  world: SeededWorld
  /** Starts with a new database, or with the given one. */
  start(store?: Store): Promise<Start>
  put(path: string, text: string): Promise<void>
  textAt(path: string): Promise<string | undefined>
  aside(): Promise<string[]>
}

function trial(act: (trial: Trial) => Promise<void>): Promise<void> {
  const world = seededWorld({ seed: 3 })
  const textAt = async (path: string) =>
    (await world.disk.stat(path)) && Buffer.from(await world.disk.read(path, 1_000)).toString()
  return world.run(
    act({
      world,
      textAt,
      async start(store = openStore(':memory:')) {
        const logged: string[] = []
        const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
        const archive = await openArchive({ store, world, replicas, limits })
        const mark: SequenceMark = await settleOwnership({
          ...{ store, world, archive, folder, quarantineFolder },
          signal: new AbortController().signal,
          log: (job, message) => void logged.push(`${job ?? '-'} ${textOf(message)}`),
        })
        return { logged, store, close: () => mark.close() }
      },
      async put(path, text) {
        await world.disk.makeFolder(path.slice(0, path.lastIndexOf('/')))
        await world.disk.write(path, Buffer.from(text))
      },
      async aside() {
        const files = await listQuarantine({ world, folder: quarantineFolder })
        return Promise.all(files.map(async ({ job, name, path }) => `${job} ${name}: ${await textAt(path)}`))
      },
    }),
  )
}

const harvest = (store: Store, world: SeededWorld) =>
  openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))

function addFile(store: Store, file: { name: string; state: string; bytes: number }): void {
  store
    .statement<object>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes) VALUES (1, 1, @name, @state, @bytes)`,
    )
    .run(file)
}

function register(store: Store, name: string): void {
  const sha256 = createHash('sha256').update('four').digest('hex')
  store
    .statement<object>(
      `INSERT INTO archive_file (name, bytes, sha256, job_id, kind, registered_ms) VALUES (@name, 4, @sha256, 1, 'content', 0)`,
    )
    .run({ name, sha256 })
}

function fileRow(store: Store): unknown {
  return store.statement<object, object>('SELECT state, committed_bytes AS bytes FROM harvest_file').get({})
}

const databases = mkdtempSync(join(tmpdir(), 'loupe-ownership-'))
afterAll(() => rmSync(databases, { recursive: true }))
let copies = 0

/** Copies the current database, so that a test can restore it later. */
function copyOf(store: Store): Store {
  copies += 1
  const path = join(databases, `${copies}.db`)
  store.statement<{ path: string }>('VACUUM INTO @path').run({ path })
  return openStore(path)
}

test('a new database gives no number that occurs in a file name, and leaves no file in place', () =>
  trial(async ({ world, start, put, aside }) => {
    const first = await start()
    for (let job = 1; job <= 2; job += 1) harvest(first.store, world)
    await first.close()
    await put(`${folder}/2/${warc.replace('1-1', '2-2')}`, 'the only copy')
    await put(`${folder}/2/.run.2-metadata-1.warc`, 'its account')
    await put(`${folder}/2/2-2-20260101000000000-00002-loupe.warc.gz.open`, 'half')
    const { logged, store } = await start()
    expect(await aside()).toEqual([
      '2 2-2-20260101000000000-00001-loupe.warc.gz: the only copy',
      '2 2-2-20260101000000000-00002-loupe.warc.gz.open: half',
      '2 run.2-metadata-1.warc: its account',
    ])
    expect(await world.disk.list(`${folder}/2`)).toEqual([])
    expect(logged).toEqual([
      expect.stringMatching(/^- The database is older than the files of this archive/),
      expect.stringMatching(/^- 3 files in the folder of job 2 that this database does not know .* were moved to/),
    ])
    expect(harvest(store, world)).toBe(3)
  }))

test.each([
  ['a WARC file in a replica', '7-1-20260101000000000-00001-loupe.warc.gz', 8],
  ['a metadata file in a replica', '9-metadata-2.warc', 10],
  ['a file named by another program, which is unrelated to our jobs', '20240229-crawl.warc.gz', 1],
])('the next number after %s', (_what, name, next) =>
  trial(async ({ world, start, put }) => {
    await put(`/replicas/two/${name}`, 'from before')
    const { store } = await start()
    expect(harvest(store, world)).toBe(next)
  }),
)

test('with the same database, no file is moved and no entry is logged', () =>
  trial(async ({ world, start, put, aside, textAt }) => {
    const first = await start()
    harvest(first.store, world)
    addFile(first.store, { name: warc, state: 'OPEN', bytes: 4 })
    await first.close()
    await put(`${folder}/1/${warc}.open`, 'fourtorn tail')
    const { logged } = await start(first.store)
    expect([logged, await aside()]).toEqual([[], []])
    expect(await textAt(`${folder}/1/${warc}.open`)).toBe('fourtorn tail')
  }))

test('a database from before the last start is detected, even if a power failure lost all lines of the mark', () =>
  trial(async ({ world, start, put, textAt }) => {
    const first = await start()
    harvest(first.store, world)
    await first.close()
    const earlier = copyOf(first.store)
    const second = await start(first.store)
    const mark = await textAt(pathOfMark(folder))
    harvest(second.store, world)
    await second.close()
    await put(pathOfMark(folder), mark ?? '')
    const { logged } = await start(earlier)
    expect(logged).toEqual([expect.stringMatching(/^- The database is older/)])
  }))

test('a mark that lags after a power failure has no consequence', () =>
  trial(async ({ world, start, put }) => {
    const first = await start()
    for (let job = 1; job <= 3; job += 1) harvest(first.store, world)
    await put(pathOfMark(folder), '')
    const { logged } = await start(first.store)
    expect(logged).toEqual([])
  }))

interface Later {
  title: string
  /** The file in yesterday's database. */
  file: { state: string; bytes: number; isRegistered?: boolean }
  /** Current files in the folder of the job or in a replica. */
  lies: Record<string, string>
  aside: string[]
  left: Record<string, string>
  row: object | undefined
}

const later: Later[] = [
  {
    title: 'a file that was still open and has grown: a copy with the later records is set aside',
    file: { state: 'OPEN', bytes: 4 },
    lies: { [`${folder}/1/${warc}.open`]: 'fourlater records' },
    aside: [`1 ${warc}.open: fourlater records`],
    left: { [`${folder}/1/${warc}.open`]: 'fourlater records' },
    row: { state: 'OPEN', bytes: 4 },
  },
  {
    title: 'a file that was closed later counts as closed',
    file: { state: 'OPEN', bytes: 4 },
    lies: { [`${folder}/1/${warc}`]: 'fourlater records' },
    aside: [],
    left: { [`${folder}/1/${warc}`]: 'fourlater records' },
    row: { state: 'CLOSED', bytes: 17 },
  },
  {
    title: 'a file that went into a replica later is brought back from there',
    file: { state: 'OPEN', bytes: 4 },
    lies: { [`/replicas/two/${warc}`]: 'fourlater records' },
    aside: [],
    left: { [`${folder}/1/${warc}`]: 'fourlater records' },
    row: { state: 'CLOSED', bytes: 17 },
  },
  {
    title: 'a closed file that went into a replica later is brought back too',
    file: { state: 'CLOSED', bytes: 4 },
    lies: { [`/replicas/one/${warc}`]: 'four' },
    aside: [],
    left: { [`${folder}/1/${warc}`]: 'four' },
    row: { state: 'CLOSED', bytes: 4 },
  },
  {
    title: 'a closed file that this database had begun to store is brought back too',
    file: { state: 'CLOSED', bytes: 4, isRegistered: true },
    lies: { [`/replicas/one/${warc}`]: 'four' },
    aside: [],
    left: { [`${folder}/1/${warc}`]: 'four' },
    row: { state: 'CLOSED', bytes: 4 },
  },
  {
    title: 'working files, metadata files and further files of the later history are set aside',
    file: { state: 'CLOSED', bytes: 4 },
    lies: {
      [`${folder}/1/${warc}`]: 'four',
      [`${folder}/1/.${warc}.cdxj`]: 'lines',
      [`${folder}/1/${warc.replace('00001', '00002')}`]: 'a further file',
      [`${folder}/1/notes.txt`]: 'put there by hand',
    },
    aside: [
      `1 ${warc}.cdxj: lines`,
      `1 ${warc.replace('00001', '00002')}: a further file`,
      '1 notes.txt: put there by hand',
    ],
    left: { [`${folder}/1/${warc}`]: 'four' },
    row: { state: 'CLOSED', bytes: 4 },
  },
]

test.each(later)('an older database: $title', ({ file, lies, aside: expected, left, row }) =>
  trial(async ({ world, start, put, aside, textAt }) => {
    const first = await start()
    harvest(first.store, world)
    addFile(first.store, { name: warc, state: file.state, bytes: file.bytes })
    if (file.isRegistered) register(first.store, warc)
    const yesterday = copyOf(first.store)
    addFile(first.store, { name: 'of today.warc.gz', state: 'OPEN', bytes: 0 })
    await first.close()
    for (const [path, text] of Object.entries(lies)) await put(path, text)
    const { store } = await start(yesterday)
    expect(await aside()).toEqual(expected)
    for (const [path, text] of Object.entries(left)) expect(await textAt(path), path).toBe(text)
    expect(fileRow(store)).toEqual(row)
  }),
)

test('a metadata file that a later history wrote for the same run is never taken for its own', () =>
  trial(async ({ world, start, put, aside }) => {
    const first = await start()
    harvest(first.store, world)
    const runIdOf = (store: Store) =>
      store.statement<object, { runId: string }>('SELECT run_id AS runId FROM job').get({})?.runId ?? ''
    const runId = runIdOf(first.store)
    const yesterday = copyOf(first.store)
    addFile(first.store, { name: warc, state: 'OPEN', bytes: 0 })
    await first.close()
    const account = localNameOf({ runId, name: '1-metadata-1.warc' })
    await put(`${folder}/1/${account}`, 'of today')
    const { store } = await start(yesterday)
    expect(await aside()).toEqual([`1 ${account.slice(1)}: of today`])
    expect(runIdOf(store)).not.toBe(runId)
  }))

test('a metadata file in the catalogue keeps its run id and its place when the mark cannot be read', () =>
  trial(async ({ world, start, put, textAt, aside }) => {
    const { store, close } = await start()
    harvest(store, world)
    const runId = () => store.statement<object, { runId: string }>('SELECT run_id AS runId FROM job').get({})?.runId
    const before = runId()
    store
      .statement<object>(`INSERT INTO run_metadata (job_id, run, name, run_id) SELECT id, run, @name, run_id FROM job`)
      .run({ name: '1-metadata-1.warc' })
    register(store, '1-metadata-1.warc')
    await close()
    const path = `${folder}/1/${localNameOf({ runId: before ?? '', name: '1-metadata-1.warc' })}`
    await put(path, 'four')
    await world.disk.remove(pathOfMark(folder))
    await start(store)
    expect(runId()).toBe(before)
    expect(await textAt(path)).toBe('four')
    expect(await aside()).toEqual([])
  }))

test('a kill at any point loses no file, and the next start has the same result', async () => {
  for (let cut = 1; ; cut += 1) {
    let world = seededWorld({ seed: cut })
    const store = openStore(':memory:')
    const prepare = async () => {
      for (const [path, text] of [
        [`${folder}/4/${warc}`, 'one'],
        [`${folder}/4/.hidden`, 'two'],
      ] as const) {
        await world.disk.makeFolder(`${folder}/4`)
        await world.disk.write(path, Buffer.from(text))
      }
    }
    await world.run(prepare())
    const settle = async () => {
      const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
      const archive = await openArchive({ store, world, replicas, limits })
      const signal = new AbortController().signal
      const mark = await settleOwnership({
        ...{ store, world, archive, folder, quarantineFolder, signal },
        log: () => undefined,
      })
      await mark.close()
    }
    const outcome = await world.runUntilCut(settle(), cut)
    world = world.crash()
    const texts = async () => {
      const found = await listQuarantine({ world, folder: quarantineFolder })
      const left = await world.disk.list(`${folder}/4`)
      const paths = [...found.map(({ path }) => path), ...left.map(({ name }) => `${folder}/4/${name}`)]
      const read = await Promise.all(
        paths.map(async (path) => Buffer.from(await world.disk.read(path, 100)).toString()),
      )
      return read.sort()
    }
    // A rename that was not synced may leave a file under both names, and never under none.
    expect([...new Set(await world.run(texts()))], `cut ${cut}`).toEqual(['one', 'two'])
    await world.run(settle())
    expect(await world.run(world.disk.list(`${folder}/4`)), `cut ${cut}`).toEqual([])
    expect([...new Set(await world.run(texts()))], `cut ${cut}`).toEqual(['one', 'two'])
    store.close()
    if (outcome) return
  }
})
