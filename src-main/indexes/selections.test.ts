/** Indexes of files without a job in Loupe: files of deleted jobs, uploaded files, and the whole archive. The archive knows a deleted job
 *  only by the number in its files. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Selection } from '../contract/shapes/selection.ts'
import { openIndexes, type Indexes } from './indexes.ts'
import { createArchive, type ArchiveFixture, type Row } from './testing/archiveFixture.ts'
import { selectionName } from './model/selectionName.ts'

const shared = 'http://every.example/'
const urlOf = (name: string) => `http://${name}.example/`
const rows = (...names: string[]): Row[] =>
  [...names.map(urlOf), shared].map((url) => ({ url, at: '2020-01-01T00:00:00Z', body: `<p>${url}` }))

async function opened(): Promise<{ made: ArchiveFixture; indexes: Indexes }> {
  const made = await createArchive()
  onTestFinished(() => made[Symbol.asyncDispose]())
  await made.add({ name: '3-1-a.warc.gz', job: 3, rows: rows('three-a') })
  await made.add({ name: '3-1-b.warc.gz', job: 3, rows: rows('three-b') })
  await made.add({ name: 'uploaded.warc.gz', job: null, rows: rows('uploaded') })
  await made.add({ name: '8-metadata-1.warc', job: null, kind: 'metadata', rows: rows('metadata') })
  const indexes = await openIndexes({
    folder: join(made.folder, 'indexes'),
    world: made.world,
    archive: made.archive,
    tasks: made.tasks,
  })
  onTestFinished(() => indexes.close())
  return { made, indexes }
}

const databases = async ({ folder }: ArchiveFixture) => (await readdir(join(folder, 'indexes/capture'))).toSorted()

/** Which files and jobs have the address that is in all of them. */
async function found(indexes: Indexes, selection: Selection): Promise<[string, number | null][]> {
  const index = await indexes.captureIndexFor(selection)
  const captures = index.captures(shared).map(({ filename, job }): [string, number | null] => [filename, job])
  index.close()
  return captures.toSorted()
}

it.each<[string, Selection, [string, number | null][]]>([
  ['an uploaded file', { files: ['uploaded.warc.gz'] }, [['uploaded.warc.gz', null]]],
  ['one file of a job', { files: ['3-1-b.warc.gz'] }, [['3-1-b.warc.gz', 3]]],
  ['metadata, when it is named', { files: ['8-metadata-1.warc'] }, [['8-metadata-1.warc', null]]],
  [
    'a job and a file',
    { jobs: [3], files: ['uploaded.warc.gz'] },
    [
      ['3-1-a.warc.gz', 3],
      ['3-1-b.warc.gz', 3],
      ['uploaded.warc.gz', null],
    ],
  ],
  [
    'everything',
    { all: true },
    [
      ['3-1-a.warc.gz', 3],
      ['3-1-b.warc.gz', 3],
      ['uploaded.warc.gz', null],
    ],
  ],
])('%s has a separate index', async (_, selection, expected) => {
  const { made, indexes } = await opened()
  expect(await found(indexes, selection)).toEqual(expected)
  const [name, ...others] = await databases(made)
  expect([name?.slice(0, name.indexOf('.')), others]).toEqual([selectionName(selection), []])
})

it('of everything: lists the jobs it covers, and follows the archive', async () => {
  const { made, indexes } = await opened()
  const index = await indexes.captureIndexFor({ all: true })
  expect(index.completeness).toMatchObject({ isAll: true, jobsAsked: [3], jobsFound: [3], filesAsked: [] })
  index.close()
  const [before] = await databases(made)
  await made.add({ name: '5-1-a.warc.gz', job: 5, rows: rows('five') })
  expect(await found(indexes, { all: true })).toContainEqual(['5-1-a.warc.gz', 5])
  const [now, ...others] = await databases(made)
  // The state before is gone.
  expect([now === before, others]).toEqual([false, []])
})

it('a file that a job has adopted belongs to that job in every index', async () => {
  const { made, indexes } = await opened()
  const selections: Selection[] = [{ files: ['uploaded.warc.gz'] }, { all: true }]
  for (const selection of selections) expect(await found(indexes, selection)).toContainEqual(['uploaded.warc.gz', null])
  made.store.statement<object>(`UPDATE archive_file SET job_id = 9 WHERE name = 'uploaded.warc.gz'`).run({})
  for (const selection of [...selections, { jobs: [9] }])
    expect(await found(indexes, selection)).toContainEqual(['uploaded.warc.gz', 9])
})

it('a selection without files is refused at once', async () => {
  const { made, indexes } = await opened()
  await expect(indexes.captureIndexFor({ jobs: [7] })).rejects.toThrow('The archive has no files of job 7.')
  await expect(indexes.captureIndexFor({ files: ['no.warc'] })).rejects.toThrow(
    'The archive has no file named no.warc.',
  )
  made.store.statement<object>('DELETE FROM observation').run({})
  made.store.statement<object>('DELETE FROM replica_file').run({})
  await expect(indexes.captureIndexFor({ all: true })).rejects.toThrow('The archive has no files yet.')
})

it('a URL is looked up in files without a job too, and in the present files of a job', async () => {
  const { made, indexes } = await opened()
  const asked = async (name: string, ...sources: (number | null)[]) => {
    const { captures, notSearched } = await indexes.otherCaptures({ url: urlOf(name), sources })
    return [captures.map(({ filename }) => filename), notSearched]
  }
  const settled = async (...given: Parameters<typeof asked>) => {
    // A busy machine may take longer than a call waits.
    for (;;) {
      const [files, notSearched] = await asked(...given)
      if (notSearched?.length === 0) return files
    }
  }
  expect(await settled('uploaded', 3, null)).toEqual(['uploaded.warc.gz'])
  expect(await settled('uploaded', 3)).toEqual([])
  // The index of one file does not serve the whole job.
  ;(await indexes.captureIndexFor({ files: ['3-1-a.warc.gz'] })).close()
  expect(await settled('three-b', 3)).toEqual(['3-1-b.warc.gz'])
  await made.add({ name: '3-2-c.warc.gz', job: 3, rows: rows('three-c') })
  expect(await settled('three-c', 3)).toEqual(['3-2-c.warc.gz'])
})
