import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportRequest, type ExportRequest, type ExportSummary } from '../../contract/services/exports.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { newRecord, recordBytes } from '../../formats/records/warcWriter.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import { realWorld } from '../../world/real.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import { openExports, type Exports } from './exports.ts'

/** Only exports of index lines call it (`e2e/deduplication.test.ts`). */
const writeIndex = () => Promise.reject(new Error('no index is exported here'))

const world = realWorld()
let root: string
let store: Store
let archive: Archive
let tasks: Tasks
let exports: Exports

const pageOf = (index: number) =>
  gzipSync(
    Buffer.concat(
      recordBytes(
        newRecord({
          type: 'resource',
          id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
          dateMs: Date.UTC(2026, 10, 20),
          fields: [['WARC-Target-URI', `http://a.test/${index}`]],
          contentType: 'text/plain',
          block: [Buffer.from(`page ${index}`)],
        }),
      ),
    ),
  )

function reopened(on = world): Promise<Exports> {
  tasks = openTasks({
    store,
    world: on,
    onBug: (error) => {
      throw error
    },
  })
  return openExports({ archive, store, tasks, world: on, archiveFolder: root, software: 'Loupe/0' })
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'loupe-exports-'))
  store = openStore(join(root, 'loupe.db'))
  const replicas = ['one', 'two'].map((name) => ({ name, folder: join(root, name) }))
  archive = await openArchive({ store, world, replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })
  for (const [index, name] of ['a.warc.gz', 'b.warc.gz'].entries()) {
    const path = join(root, `local-${name}`)
    writeFileSync(path, pageOf(index))
    expect(await archive.store({ path, name, kind: 'content', jobId: 1 })).toEqual({ state: 'stored' })
  }
  mkdirSync(join(root, 'out'))
  exports = await reopened()
})
afterEach(async () => {
  await tasks.close()
  store.close()
  rmSync(root, { recursive: true })
})

const request = (given: Partial<ExportRequest> = {}): ExportRequest =>
  exportRequest.parse({ jobs: [1], format: 'warc', path: join(root, 'out/new.warc.gz'), ...given })

async function ended(given: Partial<ExportRequest> = {}): Promise<ExportSummary> {
  const { task: id, state } = await exports.start(request(given), { seeds: ['http://a.test/'], writeIndex })
  expect(state).toBe('RUNNING')
  return exports.ended(id)
}

test('an export goes through its states and is remembered', async () => {
  const received: (string | null)[] = []
  tasks.onChange(({ state, stage }) => received.push(state === 'RUNNING' ? stage : state))
  const summary = await ended()
  const { path } = summary.request
  expect(readFileSync(path).equals(Buffer.concat([pageOf(0), pageOf(1)]))).toBe(true)
  expect(summary).toMatchObject({
    state: 'DONE',
    figures: { records: 2, bytes: readFileSync(path).length },
    filesDone: 2,
    filesTotal: 2,
    verified: true,
    complete: true,
  })
  expect(summary).toMatchObject({ problem: null, code: null, remarks: [] })
  expect(summary.bytesDone).toBe(summary.bytesTotal)
  expect([...new Set(received)]).toEqual(['writing', 'verifying', 'DONE'])
  exports = await reopened()
  expect(exports.list()).toEqual([summary])
  expect(readdirSync(join(root, 'out'))).toEqual(['new.warc.gz'])
})

test('each format, and a package signed twice with the same key, which only its owner can read', async () => {
  for (const given of [
    { format: 'csv', path: join(root, 'out/a.csv') },
    { format: 'wacz', path: join(root, 'out/a.wacz'), sign: true },
    { format: 'wacz', path: join(root, 'out/b.wacz'), sign: true },
  ] as const)
    expect(await ended(given)).toMatchObject({ state: 'DONE', figures: { records: 2 }, verified: true })
  const keys = ['a.wacz', 'b.wacz'].map(
    (name) => /"publicKey": "([^"]+)"/.exec(readFileSync(join(root, 'out', name), 'latin1'))?.[1],
  )
  expect(keys[0]).toMatch(/^[\w+/]+=*$/)
  expect(keys[1]).toBe(keys[0])
  expect(statSync(join(root, 'wacz-signing-key.pem')).mode & 0o777).toBe(0o600)
})

test('the first two packages, signed concurrently, share one key; a damaged key is reported and kept', async () => {
  const signed = (name: string) => request({ format: 'wacz', path: join(root, 'out', name), sign: true })
  const begun = [
    await exports.start(signed('a.wacz'), { seeds: [], writeIndex }),
    await exports.start(signed('b.wacz'), { seeds: [], writeIndex }),
  ]
  await Promise.all(begun.map(({ task }) => exports.ended(task)))
  const keys = ['a.wacz', 'b.wacz'].map(
    (name) => /"publicKey": "([^"]+)"/.exec(readFileSync(join(root, 'out', name), 'latin1'))?.[1],
  )
  expect(keys[0]).toMatch(/^[\w+/]+=*$/)
  expect(keys[1]).toBe(keys[0])
  writeFileSync(join(root, 'wacz-signing-key.pem'), 'no key')
  const failed = await exports.start(signed('c.wacz'), { seeds: [], writeIndex })
  expect(await exports.ended(failed.task)).toMatchObject({
    state: 'FAILED',
    code: 'damaged',
    problem: { code: 'export.key.damaged', values: { path: join(root, 'wacz-signing-key.pem') } },
  })
  expect(readFileSync(join(root, 'wacz-signing-key.pem'), 'utf8')).toBe('no key')
})

test.each<[string, Partial<ExportRequest>, number[]]>([
  ['a file by its name', { jobs: [], files: ['b.warc.gz'] }, [1]],
  ['a file without a job', { jobs: [], files: ['up.warc.gz'] }, [2]],
  ['a job and a file', { jobs: [1], files: ['up.warc.gz', 'a.warc.gz'] }, [0, 1, 2]],
  ['everything, with metadata', { jobs: [], all: true }, [0, 1, 2, 3]],
  ['everything in a table of captures', { jobs: [], all: true, format: 'csv' }, [0, 1, 2]],
])('exports %s', async (_, given, pages) => {
  for (const [name, kind, index] of [
    ['up.warc.gz', 'content', 2],
    ['9-metadata-1.warc', 'metadata', 3],
  ] as const) {
    const path = join(root, `local-${name}`)
    writeFileSync(path, pageOf(index))
    expect(await archive.store({ path, name, kind, jobId: null })).toEqual({ state: 'stored' })
  }
  const summary = await ended(given)
  expect(summary).toMatchObject({ state: 'DONE', figures: { records: pages.length }, verified: true, request: given })
  const written = readFileSync(summary.request.path)
  if (given.format === 'csv') expect(written.toString()).toMatch(/,up\.warc\.gz,\d+,\r\n/)
  else expect(written.equals(Buffer.concat(pages.map((index) => pageOf(index))))).toBe(true)
})

test('invalid requests are refused before anything is written', async () => {
  writeFileSync(join(root, 'out/there'), 'mine')
  writeFileSync(join(root, 'out/half.part'), 'theirs')
  const rows: [Partial<ExportRequest>, FaultCode, RegExp, field: string][] = [
    [{ path: join(root, 'out/there') }, 'refused', /already exists/, 'path'],
    [{ path: join(root, 'out/half') }, 'refused', /half\.part already exists/, 'path'],
    [{ path: join(root, 'nowhere/new') }, 'notFound', /no folder/, 'path'],
    [{ path: 'new' }, 'badInput', /not an absolute path/, 'path'],
    [{ path: join(root, 'one/new') }, 'refused', /folder of replica one/, 'path'],
    [{ jobs: [1, 2] }, 'notFound', /Job 2 has no files/, 'jobs'],
    [{ jobs: [], files: ['a.warc.gz', 'no.warc.gz'] }, 'notFound', /no file named no\.warc\.gz/, 'files'],
    [{ url: 'http://' }, 'badInput', /is not a URL/, 'url'],
    [{ from: '2027-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'badInput', /swap them/, 'to'],
  ]
  for (const [given, code, text, field] of rows) {
    const refusal = await exports.start(request(given), { seeds: [], writeIndex }).catch((error: unknown) => error)
    const message = expect.stringMatching(text) as string
    expect(refusal, JSON.stringify(given)).toMatchObject({ code, message, fields: [[field]] })
  }
  expect(exports.list()).toEqual([])
  expect(readdirSync(join(root, 'out')).toSorted()).toEqual(['half.part', 'there'])
})

test('an export without part of the selection ends in a separate state with a remark', async () => {
  const damaged = pageOf(2)
  damaged.fill(0xaa, damaged.length - 8, damaged.length - 4)
  const path = join(root, 'local-c.warc.gz')
  writeFileSync(path, damaged)
  await archive.store({ path, name: 'c.warc.gz', kind: 'content', jobId: 1 })
  const received: (string | null)[] = []
  tasks.onChange(({ state, stage }) => received.push(state === 'RUNNING' ? stage : state))
  const summary = await ended()
  expect(summary).toMatchObject({
    state: 'DONE_INCOMPLETE',
    figures: { records: 2 },
    verified: true,
    complete: false,
    problem: null,
  })
  expect(summary.remarks.map(textOf).join(' ')).toMatch(/c\.warc\.gz/)
  expect(new Set(received)).toEqual(new Set(['writing', 'verifying', 'DONE_INCOMPLETE']))
  exports = await reopened()
  expect(exports.list()).toEqual([summary])
})

test('a file that one replica has lost comes from the other; one that both have lost fails the export', async () => {
  rmSync(join(root, 'one/a.warc.gz'))
  expect(await ended()).toMatchObject({ state: 'DONE', figures: { records: 2 } })
  rmSync(join(root, 'two/a.warc.gz'))
  const failed = await ended({ path: join(root, 'out/second') })
  expect(failed).toMatchObject({ state: 'FAILED', code: 'unreachable', verified: false, complete: false })
  expect(failed.problem).toEqual(message('export.noGoodCopy', { name: 'a.warc.gz', more: 0 }))
  expect(existsSync(join(root, 'out/second'))).toBe(false)
})

test('no capture below a URL fails with a sentence', async () => {
  const failed = await ended({ url: 'b.test' })
  expect(failed).toMatchObject({ state: 'FAILED', code: 'notFound' })
  expect(failed.problem && textOf(failed.problem)).toBe('No file was written: job 1 has no records under b.test.')
  expect(readdirSync(join(root, 'out'))).toEqual([])
})

test('stopped by a user, it is stopped and leaves nothing', async () => {
  const { task: id } = await exports.start(request(), { seeds: [], writeIndex })
  await tasks.stop(id)
  expect(exports.list()).toMatchObject([{ state: 'STOPPED', verified: false, problem: null }])
  expect(readdirSync(join(root, 'out'))).toEqual([])
  await expect(tasks.stop(id)).rejects.toThrow(/not running: its state is "Stopped"/)
})

test('stopped right after it was named, it leaves nothing either', async () => {
  // The stop reaches the thread too late.
  const threads: typeof world.threads = {
    ...world.threads,
    run: (module, input, { onReport } = {}) => world.threads.run(module, input, onReport ? { onReport } : {}),
  }
  exports = await reopened({ ...world, threads })
  const { task: id } = await exports.start(request(), { seeds: [], writeIndex })
  await tasks.stop(id)
  expect(exports.list()).toMatchObject([{ state: 'STOPPED', verified: false }])
  expect(readdirSync(join(root, 'out'))).toEqual([])
})

test('the end of the engine interrupts it', async () => {
  await exports.start(request(), { seeds: [], writeIndex })
  await tasks.close()
  expect(exports.list()).toMatchObject([{ state: 'INTERRUPTED' }])
  expect(readdirSync(join(root, 'out'))).toEqual([])
})

/** Leaves the database as a kill during the verification of an export does. */
function killedWhileVerifying(): void {
  store
    .statement(
      `INSERT INTO task (id, kind, subject, state, stage, started_by, started_ms)
       VALUES (1, 'export', '{}', 'RUNNING', 'verifying', 'user', 0)`,
    )
    .run({})
  store
    .statement<{ request: string }>(`INSERT INTO export (task_id, request) VALUES (1, @request)`)
    .run({ request: JSON.stringify(request()) })
}

test('remains of a kill are removed at the next start, and reported', async () => {
  const { path } = request()
  killedWhileVerifying()
  writeFileSync(`${path}.part`, 'half')
  mkdirSync(join(root, 'exports/.unfinished'), { recursive: true })
  writeFileSync(join(root, 'exports/.unfinished/left.spool'), 'half')
  // The folder that the interface suggests for exports.
  writeFileSync(join(root, 'exports/finished.wacz'), 'whole')
  exports = await reopened()
  expect(exports.list()).toMatchObject([{ state: 'INTERRUPTED', verified: false }])
  expect(readdirSync(join(root, 'out'))).toEqual([])
  expect(readdirSync(join(root, 'exports/.unfinished'))).toEqual([])
  expect(readFileSync(join(root, 'exports/finished.wacz'), 'utf8')).toBe('whole')
})

test('a file that had its name before the kill is reported as complete', async () => {
  killedWhileVerifying()
  writeFileSync(request().path, 'whole')
  exports = await reopened()
  expect(exports.list()).toMatchObject([
    { state: 'INTERRUPTED', problem: message('export.interrupted.whole', { path: request().path }) },
  ])
  expect(readdirSync(join(root, 'out'))).toEqual(['new.warc.gz'])
})
