import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Selection } from '../../contract/shapes/selection.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import type { SelectOptions } from './selected.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-selected-'))
let store: Store
let archive: Archive

/** Job 5 is not in the database: it was deleted and its files were kept. */
const stored: [name: string, job: number | null, kind: 'content' | 'metadata'][] = [
  ['5-1-a.warc.gz', 5, 'content'],
  ['3-1-a.warc.gz', 3, 'content'],
  ['3-1-b.warc.gz', 3, 'content'],
  ['3-metadata-1.warc', 3, 'metadata'],
  ['uploaded.warc.gz', null, 'content'],
  ['9-metadata-1.warc', null, 'metadata'],
]

beforeAll(async () => {
  store = openStore(':memory:')
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  archive = await openArchive({
    store,
    world: realWorld(),
    replicas: [{ name: 'one', folder: join(folder, 'one') }],
    limits,
  })
  const path = join(folder, 'local')
  for (const [name, jobId, kind] of stored) {
    writeFileSync(path, name)
    expect(await archive.store({ path, name, kind, jobId })).toEqual({ state: 'stored' })
  }
  store
    .statement<object>(
      `INSERT INTO archive_file (name, bytes, sha256, kind, job_id, registered_ms) VALUES ('4-1-on-its-way.warc.gz', 1, '0', 'content', 4, 0)`,
    )
    .run({})
})
afterAll(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const read = async ({ all = false, ...selection }: Selection, options?: SelectOptions) =>
  all ? archive.everything(options) : archive.selected(selection, options)

test.each<[what: string, selection: Selection, files: string[], jobs: number[]]>([
  ['a job', { jobs: [3] }, ['3-1-a.warc.gz', '3-1-b.warc.gz'], [3]],
  ['a deleted job', { jobs: [5] }, ['5-1-a.warc.gz'], [5]],
  ['a job twice, and another', { jobs: [5, 3, 5] }, ['3-1-a.warc.gz', '3-1-b.warc.gz', '5-1-a.warc.gz'], [3, 5]],
  ['a file of a job', { files: ['3-1-b.warc.gz'] }, ['3-1-b.warc.gz'], []],
  ['a job with one of its files', { jobs: [3], files: ['3-1-b.warc.gz'] }, ['3-1-a.warc.gz', '3-1-b.warc.gz'], [3]],
  ['an uploaded file', { files: ['uploaded.warc.gz'] }, ['uploaded.warc.gz'], []],
  ['metadata by its name', { files: ['9-metadata-1.warc'] }, ['9-metadata-1.warc'], []],
  ['everything', { all: true }, ['5-1-a.warc.gz', '3-1-a.warc.gz', '3-1-b.warc.gz', 'uploaded.warc.gz'], [3, 5]],
])('%s', async (_, selection, files, jobs) => {
  const selected = await read(selection)
  expect(selected.files.map(({ name }) => name)).toEqual(files)
  expect(selected).toMatchObject({ jobs, jobsMissing: [] })
  for (const { name, job } of selected.files) expect(job).toBe(stored.find(([known]) => known === name)?.[1])
})

test('metadata files of jobs and of the whole archive are included on request', async () => {
  const names = async (selection: Selection) =>
    (await read(selection, { withMetadata: true })).files.map(({ name }) => name)
  expect(await names({ jobs: [3] })).toContain('3-metadata-1.warc')
  expect(await names({ all: true })).toEqual(stored.map(([name]) => name))
})

test('a job without files is named as missing, and a name without a file is refused', async () => {
  expect(archive.selected({ jobs: [3, 8] })).toMatchObject({ jobs: [3, 8], jobsMissing: [8] })
  expect(() => archive.selected({ files: ['never.warc.gz'] })).toThrow('no file named never.warc.gz')
})

test('jobs with archived files are listed with their amounts, including deleted ones', () => {
  expect([3, 5, 8].map((job) => archive.hasFilesOf(job))).toEqual([true, true, false])
  expect(archive.jobsWithFiles()).toEqual([3, 4, 5])
  expect(archive.sumsOfJobs([5, 3, 8])).toEqual([
    { job: 3, files: 3, bytes: '3-1-a.warc.gz3-1-b.warc.gz3-metadata-1.warc'.length },
    { job: 5, files: 1, bytes: '5-1-a.warc.gz'.length },
  ])
})
