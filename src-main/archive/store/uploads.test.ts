import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import { madeAnswer, packed } from '../../files/testing/recordFixtures.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { openArchive, type Archive } from './archive.ts'
import { openPreservation } from '../check/preservation.ts'
import { openUploads, type Uploads } from './uploads.ts'

const world = realWorld()
let root: string
let store: Store
let archive: Archive
let uploads: Uploads
let ready: PromiseWithResolvers<void>

const page = packed(madeAnswer('http://a.test/', 'a page'))

function write(name: string, bytes: Uint8Array | string = page): string {
  const path = join(root, 'from', name)
  writeFileSync(path, bytes)
  return path
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'loupe-uploads-'))
  mkdirSync(join(root, 'from'))
  store = openStore(join(root, 'loupe.db'))
  const replicas = ['one', 'two'].map((name) => ({ name, folder: join(root, name) }))
  archive = await openArchive({ store, world, replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })
  ready = Promise.withResolvers<void>()
  ready.resolve()
  uploads = openUploads({
    archive,
    world,
    jobHolding: (name) => (name.startsWith('held') ? 7 : undefined),
    ready: ready.promise,
    onBug: (error) => {
      throw error
    },
  })
})
afterEach(async () => {
  await uploads.close()
  store.close()
  rmSync(root, { recursive: true })
})

async function uploaded(...paths: string[]): Promise<{ end: UploadSummary; rows: UploadedFile[] }> {
  const { upload } = await uploads.start(paths)
  const end = await uploads.ended(upload)
  return { end, rows: uploads.files(upload, { offset: 0, limit: 1000 }).rows }
}

const both = (upload: string) => ['one', 'two'].map((replica) => ({ replica, upload, problem: null }))

test('a file and a folder are stored in every replica; again, they are stored at once', async () => {
  write('b.warc.gz')
  write('notes.txt', 'no archive file')
  const alone = join(root, 'alone.bin')
  writeFileSync(alone, 'anything that is named')
  for (let round = 0; round < 2; round++) {
    const { end, rows } = await uploaded(join(root, 'from'), alone)
    expect(end).toMatchObject({ filesDone: 2, filesTotal: 2, isRunning: false, unread: [] })
    expect(end.bytesDone).toBe(end.bytesTotal)
    expect(rows.map(({ name, state, replicas }) => [name, state, replicas])).toEqual([
      ['b.warc.gz', 'stored', both('UPLOAD_COMPLETED')],
      ['alone.bin', 'stored', both('UPLOAD_COMPLETED')],
    ])
  }
  for (const replica of ['one', 'two']) expect(readFileSync(join(root, replica, 'b.warc.gz')).equals(page)).toBe(true)
  expect(archive.files({ offset: 0, limit: 10 }).rows.map(({ job }) => job)).toEqual([null, null])
})

test('each file has an answer of its own; what cannot be does not hinder the others', async () => {
  await uploaded(write('known.warc.gz'))
  const other = join(root, 'known.warc.gz')
  writeFileSync(other, 'other bytes')
  writeFileSync(join(root, 'two/taken.warc.gz'), 'not ours')
  const paths = [other, write('bad name.warc.gz'), write('held.warc.gz'), write('taken.warc.gz'), write('good.warc.gz')]
  const { end, rows } = await uploaded(...paths)
  expect(end).toMatchObject({ filesDone: 5, filesTotal: 5 })
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

test('a stopped upload keeps what it has stored, and a new one continues', async () => {
  const paths = Array.from({ length: 12 }, (_, index) => write(`${index + 10}.warc.gz`))
  const begun = await uploads.start(paths)
  expect(begun).toMatchObject({ isRunning: true, filesDone: 0 })
  const stopped = await uploads.stop(begun.upload)
  expect(stopped.isRunning).toBe(false)
  const rows = uploads.files(begun.upload, { offset: 0, limit: 100 }).rows
  expect(rows.filter(({ state }) => state === 'stored')).toHaveLength(stopped.filesDone)
  expect(rows.at(-1)?.state).toBe('waiting')
  const { end } = await uploaded(...paths)
  expect(end).toMatchObject({ filesDone: 12, isRunning: false })
  expect(readdirSync(join(root, 'two')).filter((name) => name.endsWith('.warc.gz'))).toHaveLength(12)
})

test('none begins before what a kill interrupted was taken up', async () => {
  await uploads.close()
  const recovered = Promise.withResolvers<void>()
  const parts = { archive, world, jobHolding: () => undefined, onBug: () => undefined }
  uploads = openUploads({ ...parts, ready: recovered.promise })
  const { upload } = await uploads.start([write('a.warc.gz')])
  await world.clock.sleep(20)
  expect(archive.file('a.warc.gz')).toBeUndefined()
  recovered.resolve()
  expect(await uploads.ended(upload)).toMatchObject({ filesDone: 1 })
  uploads = openUploads({ ...parts, ready: new Promise(() => undefined) })
  expect(await uploads.stop((await uploads.start([write('b.warc.gz')])).upload)).toMatchObject({ filesDone: 0 })
})

test('relative paths and missing files are refused', async () => {
  await expect(uploads.start(['a.warc.gz'])).rejects.toMatchObject({ code: 'badInput', fields: [['paths', 0]] })
  await expect(uploads.start([join(root, 'absent')])).rejects.toMatchObject({ code: 'notFound' })
  await expect(uploads.start([join(root, 'from')])).rejects.toMatchObject({ code: 'notFound', fields: [['paths']] })
  expect(() => uploads.show(9)).toThrow(/no upload 9/)
})

test('a lost file is brought back by uploading it again under its name', async () => {
  const path = write('b.warc.gz')
  await uploaded(path)
  for (const replica of ['one', 'two']) rmSync(join(root, replica, 'b.warc.gz'))
  const preservation = openPreservation({ archive, store, world, onBug: raise })
  await preservation.ended((await preservation.check({ kind: 'missing' })).check)
  await preservation.close()
  const { rows } = await uploaded(path)
  expect(rows).toMatchObject([{ name: 'b.warc.gz', state: 'stored', problem: null }])
  for (const replica of ['one', 'two'])
    expect(readFileSync(join(root, replica, 'b.warc.gz'))).toEqual(Buffer.from(page))
  expect(archive.file('b.warc.gz')?.replicas.map(({ preservation: state }) => state)).toEqual(['OK', 'OK'])
})

function raise(error: unknown): never {
  throw error
}
