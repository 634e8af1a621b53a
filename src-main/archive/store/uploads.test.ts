import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import { madeAnswer, packed } from '../../files/testing/recordFixtures.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import { realWorld } from '../../world/real.ts'
import { openArchive, type Archive } from './archive.ts'
import { uploadsKeptMax } from '../files/limits.ts'
import { openChecks } from '../testing/openChecks.ts'
import { openUploads, type Uploads } from './uploads.ts'

const world = realWorld()
let root: string
let store: Store
let archive: Archive
let tasks: Tasks
let uploads: Uploads
let bugs: unknown[]

const page = packed(madeAnswer('http://a.test/', 'a page'))

function write(name: string, bytes: Uint8Array | string = page): string {
  const path = join(root, 'from', name)
  writeFileSync(path, bytes)
  return path
}

beforeEach(async () => {
  bugs = []
  root = mkdtempSync(join(tmpdir(), 'loupe-uploads-'))
  mkdirSync(join(root, 'from'))
  store = openStore(join(root, 'loupe.db'))
  const replicas = ['one', 'two'].map((name) => ({ name, folder: join(root, name) }))
  archive = await openArchive({ store, world, replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })
  await reopen()
})
afterEach(async () => {
  await tasks.close()
  store.close()
  rmSync(root, { recursive: true })
})

/** Opens tasks and uploads as the next process would after a kill of this one. */
async function reopen(changed: { archive?: Archive; ready?: Promise<void> } = {}): Promise<void> {
  tasks = openTasks({ store, world, onBug: (error) => bugs.push(error) })
  const jobHolding = (name: string) => (name.startsWith('held') ? 7 : undefined)
  uploads = await openUploads({ archive, store, tasks, world, jobHolding, ready: Promise.resolve(), ...changed })
}

async function uploaded(...paths: string[]): Promise<{ end: UploadSummary; rows: UploadedFile[] }> {
  const { task } = await uploads.start(paths)
  return { end: await uploads.ended(task), rows: filesOf(task) }
}

function filesOf(task: number): UploadedFile[] {
  return uploads.files(task, { offset: 0, limit: 1_000 }).rows
}

const both = (upload: string) => ['one', 'two'].map((replica) => ({ replica, upload, problem: null }))

test('a file and a folder are stored in every replica; again, they are stored at once', async () => {
  write('b.warc.gz')
  write('notes.txt', 'no archive file')
  const alone = join(root, 'alone.bin')
  writeFileSync(alone, 'anything that is named')
  for (let round = 0; round < 2; round++) {
    const { end, rows } = await uploaded(join(root, 'from'), alone)
    expect(end).toMatchObject({ state: 'DONE', filesDone: 2, filesTotal: 2, findings: 0, unread: [] })
    expect(end.bytesDone).toBe(end.bytesTotal)
    expect(rows.map(({ name, state, replicas }) => [name, state, replicas])).toEqual([
      ['b.warc.gz', 'stored', both('UPLOAD_COMPLETED')],
      ['alone.bin', 'stored', both('UPLOAD_COMPLETED')],
    ])
  }
  for (const replica of ['one', 'two']) expect(readFileSync(join(root, replica, 'b.warc.gz')).equals(page)).toBe(true)
  expect(archive.files({ offset: 0, limit: 10 }).rows.map(({ job }) => job)).toEqual([null, null])
})

test('each file has its own result, and a file that cannot be stored does not stop the others', async () => {
  await uploaded(write('known.warc.gz'))
  const other = join(root, 'known.warc.gz')
  writeFileSync(other, 'other bytes')
  writeFileSync(join(root, 'two/taken.warc.gz'), 'not ours')
  const paths = [other, write('bad name.warc.gz'), write('held.warc.gz'), write('taken.warc.gz'), write('good.warc.gz')]
  const { end, rows } = await uploaded(...paths)
  expect(end).toMatchObject({ state: 'DONE_INCOMPLETE', filesDone: 5, filesTotal: 5, findings: 4, problem: null })
  expect(rows.map(({ name, state, code }) => [name, state, code])).toEqual([
    ['known.warc.gz', 'refused', 'refused'],
    ['bad name.warc.gz', 'refused', 'refused'],
    ['held.warc.gz', 'refused', 'refused'],
    ['taken.warc.gz', 'refused', 'refused'],
    ['good.warc.gz', 'stored', null],
  ])
  expect(rows.map(({ problem }) => (problem ? textOf(problem) : ''))).toEqual([
    expect.stringMatching(/a different file named known\.warc\.gz \(SHA-256 [0-9a-f]{64}\)/),
    expect.stringMatching(/is not a valid file name in the archive/),
    expect.stringMatching(/^Job 7 has a file named held\.warc\.gz/),
    expect.stringMatching(/^Replica two has a different file named taken\.warc\.gz .* that is not in the database/),
    '',
  ])
  expect(rows[3]?.replicas.map(({ upload }) => upload)).toEqual([])
  expect(readFileSync(join(root, 'two/taken.warc.gz'), 'utf8')).toBe('not ours')
  expect(readFileSync(join(root, 'one/known.warc.gz')).equals(page)).toBe(true)
})

test.each([
  ['42-metadata-1.warc', 'metadata'],
  ['netarkivet-42-117-metadata-1.warc.gz', 'metadata'],
  ['42-metadata-notes.warc.gz', 'content'],
  ['pages.warc.gz', 'content'],
])('%s is %s', async (name, kind) => {
  await uploaded(write(name))
  expect(archive.file(name)).toMatchObject({ kind })
})

const many = () => Array.from({ length: 12 }, (_, index) => write(`${index + 10}.warc.gz`))
const storedCount = () => readdirSync(join(root, 'two')).filter((name) => name.endsWith('.warc.gz')).length

test.each(['stop', 'pause'] as const)('after a %s, an upload keeps what it has stored, and continues', async (act) => {
  const { task, state, filesDone } = await uploads.start(many())
  expect([state, filesDone]).toEqual(['WAITING', 0])
  // A task that waits can be stopped, but not paused.
  if (act === 'pause') await new Promise(setImmediate)
  const halted = await tasks[act](task)
  expect(halted).toMatchObject({ state: act === 'stop' ? 'STOPPED' : 'PAUSED', canResume: true })
  expect(filesOf(task).filter(({ state: ofFile }) => ofFile === 'stored')).toHaveLength(halted.filesDone)
  expect(filesOf(task).at(-1)?.state).toBe('waiting')
  await tasks.resume(task)
  expect(await uploads.ended(task)).toMatchObject({ state: 'DONE', filesDone: 12 })
  expect(storedCount()).toBe(12)
})

/** The archive, whose `store` does not end for this file. */
function stuckAt(name: string): { archive: Archive; reached: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stuck: Archive = {
    ...archive,
    store(file, options) {
      if (file.name !== name) return archive.store(file, options)
      resolve()
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
      })
    },
  }
  return { archive: stuck, reached: promise }
}

test.each(['the end of the engine', 'a kill'])(
  '%s interrupts an upload, which continues at the file it was at',
  async (how) => {
    const stuck = stuckAt('15.warc.gz')
    await reopen(stuck)
    const { task } = await uploads.start(many())
    await stuck.reached
    expect(filesOf(task)[5]).toMatchObject({ name: '15.warc.gz', state: 'storing' })
    if (how !== 'a kill') await tasks.close()
    await reopen()
    expect(uploads.list()).toMatchObject([{ task, state: 'INTERRUPTED', problem: null, canResume: true }])
    expect(
      filesOf(task)
        .map(({ state }) => state)
        .join(' '),
    ).toBe(`${'stored '.repeat(5)}${'waiting '.repeat(7)}`.trim())
    await tasks.resume(task)
    const ended = await uploads.ended(task)
    expect(ended).toMatchObject({ state: 'DONE', filesDone: 12 })
    expect(ended.bytesDone).toBe(ended.bytesTotal)
    expect(storedCount()).toBe(12)
  },
)

test('an upload waits until copies that a kill interrupted were continued', async () => {
  const recovered = Promise.withResolvers<void>()
  await reopen({ ready: recovered.promise })
  const { task } = await uploads.start([write('a.warc.gz')])
  await world.clock.sleep(20)
  expect(tasks.one(task).state).toBe('WAITING')
  expect(archive.file('a.warc.gz')).toBeUndefined()
  recovered.resolve()
  expect(await uploads.ended(task)).toMatchObject({ state: 'DONE', filesDone: 1 })
})

test.each(['a new', 'a resumed'])('%s upload that waits for them can be stopped', async (which) => {
  const ready = new Promise<void>(() => undefined)
  await reopen(which === 'a new' ? { ready } : {})
  const { task } = await uploads.start(many())
  expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED', filesDone: 0 })
  if (which === 'a new') return
  await reopen({ ready })
  await tasks.resume(task)
  expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED', filesDone: 0 })
})

test('a bug ends the upload and is reported; what was stored stays, and the upload can be resumed', async () => {
  const broken: Archive = {
    ...archive,
    store(file, options) {
      if (file.name === '12.warc.gz') throw new TypeError('broken')
      return archive.store(file, options)
    },
  }
  await reopen({ archive: broken })
  const { task } = await uploads.start(many())
  const failed = { state: 'FAILED', code: 'internal', problem: { code: 'task.broken' }, filesDone: 2, canResume: true }
  expect(await uploads.ended(task)).toMatchObject(failed)
  expect(bugs).toEqual([new TypeError('broken')])
  await reopen()
  await tasks.resume(task)
  expect(await uploads.ended(task)).toMatchObject({ state: 'DONE', problem: null, filesDone: 12 })
})

test('the lists of old uploads leave the database together with their tasks', async () => {
  const listed = () => store.statement<object, { task: number }>('SELECT task_id AS task FROM upload_file').all({})
  const { end } = await uploaded(write('a.warc.gz'))
  const add = store.statement<{ task: number }>(`INSERT INTO upload (task_id, unread) VALUES (@task, '[]')`)
  const order = { subject: end.subject, startedBy: 'user' as const, record: (task: number) => void add.run({ task }) }
  for (let count = 1; count <= uploadsKeptMax; count++) {
    expect(listed()).toEqual([{ task: end.task }])
    await tasks.ended(tasks.begin('upload', order, async () => ({ event: 'finished' })).task)
  }
  await uploaded(write('b.warc.gz'))
  expect(listed()).toEqual([{ task: end.task + uploadsKeptMax + 1 }])
  expect(() => uploads.files(end.task, { offset: 0, limit: 1 })).toThrow(/no task/)
})

test('relative paths and missing files are refused', async () => {
  await expect(uploads.start(['a.warc.gz'])).rejects.toMatchObject({ code: 'badInput', fields: [['paths', 0]] })
  await expect(uploads.start([join(root, 'absent')])).rejects.toMatchObject({ code: 'notFound' })
  await expect(uploads.start([join(root, 'from')])).rejects.toMatchObject({ code: 'notFound', fields: [['paths']] })
  expect(() => uploads.files(9, { offset: 0, limit: 1 })).toThrow(/no task 9/)
  expect(uploads.list()).toEqual([])
})

test('a lost file is restored by uploading it again under its name', async () => {
  const path = write('b.warc.gz')
  await uploaded(path)
  for (const replica of ['one', 'two']) rmSync(join(root, replica, 'b.warc.gz'))
  const { preservation, close } = await openChecks({ archive, store, world, onBug: raise })
  await preservation.ended((await preservation.check({ kind: 'missing' })).task)
  await close()
  const { rows } = await uploaded(path)
  expect(rows).toMatchObject([{ name: 'b.warc.gz', state: 'stored', problem: null }])
  for (const replica of ['one', 'two'])
    expect(readFileSync(join(root, replica, 'b.warc.gz'))).toEqual(Buffer.from(page))
  expect(archive.file('b.warc.gz')?.replicas.map(({ preservation: state }) => state)).toEqual(['OK', 'OK'])
})

function raise(error: unknown): never {
  throw error
}
