/** Imports of files that the archive already has: taken over if they belong to no job or to a deleted one, left alone if a job has
 *  them. With the complete engine in a seeded world, also with power cuts. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import { openArchive, type Archive } from '../../archive/store/archive.ts'
import { openAuditLog } from '../../archive/audit/audit.ts'
import { message } from '../../contract/words/message.ts'
import { openJobs } from '../jobs/jobs.ts'
import { task } from '../crawl.thread.ts'
import { openImports } from './imports.ts'
import { imported, inReplica, metadataOf, run, trial, type Trial } from './testing/importFixture.ts'
import * as made from './testing/archiveSamples.ts'
import { sampleOf } from '../../world/testing/sample.ts'

const page = made.gzipped(made.warcRecords('http://a.test/', 'http://a.test/2'))
const other = made.gzipped(made.warcRecords('http://b.test/'))

const archiveOf = ({ store, world, input }: Trial): Promise<Archive> =>
  openArchive({ store, world, replicas: input.replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })

/** Stores a file without a job, as `loupe upload` does. */
async function upload(it: Trial, name: string, bytes: Uint8Array, kind: 'content' | 'metadata' = 'content') {
  const path = `/uploads/${name}`
  await it.world.run(
    (async () => {
      await it.world.disk.makeFolder('/uploads')
      await it.world.disk.write(path, bytes)
      const archive = await archiveOf(it)
      expect(await archive.store({ path, name, kind, jobId: null })).toEqual({ state: 'stored' })
    })(),
  )
}

/** Deletes a job through the engine. */
async function deleteJob(it: Trial, job: number) {
  const jobs = openJobs(it.store, it.world)
  jobs.act(job, 'delete')
  const stop = new AbortController()
  const session = async () => {
    const context = { world: it.world, report: () => undefined, signal: stop.signal, takePrinted: () => '' }
    const engine = task(context, it.input)
    while (jobs.exists(job)) await it.world.clock.sleep(100)
    stop.abort()
    await engine
  }
  await it.world.run(session())
}

const catalogue = ({ store }: Trial) =>
  store
    .statement<object, { name: string; job: number | null; kind: string }>(
      'SELECT name, job_id AS job, kind FROM archive_file ORDER BY id',
    )
    .all({})
const adoptions = ({ store }: Trial) =>
  openAuditLog(store)
    .page({ what: 'assignJob', offset: 0, limit: 100 })
    .rows.map(({ who, subject, was, became }) => ({ who, subject, was, became }))
const leftIn = async ({ world }: Trial, job: number) =>
  (await world.run(world.disk.list(`/archive/jobs/${job}`))).map(({ name }) => name)

test('an uploaded file becomes a file of the import, with its captures, index lines and report, and an entry in the audit log', async () => {
  const it = await trial({ '/elsewhere/x.warc.gz': page })
  await upload(it, 'x.warc.gz', page)
  const { job, summary, files } = await imported(it, '/elsewhere/x.warc.gz')
  expect(summary).toMatchObject({ status: 'Done', reason: null, documents: { fetched: 2 } })
  const remark = message('import.remark.takenOver', { name: 'x.warc.gz' })
  expect(files).toMatchObject([
    { name: 'x.warc.gz', state: 'IMPORTED', records: 3, captures: 2, archived: null, message: remark },
  ])
  expect(catalogue(it)).toEqual([
    { name: 'x.warc.gz', job, kind: 'content' },
    { name: '1-metadata-1.warc', job, kind: 'metadata' },
  ])
  expect(adoptions(it)).toEqual([
    {
      ...{ who: 'job 1', subject: 'x.warc.gz' },
      ...{ was: { job: null, kind: 'content' }, became: { job: 1, kind: 'content' } },
    },
  ])
  const metadata = await metadataOf(it, job)
  const lines = [...metadata].find(([url]) => url.endsWith('filename=x.warc.gz'))?.[1] ?? ''
  expect(lines).toContain('http://a.test/2')
  const report = metadata.get('metadata://loupe/crawl/reports/import-report.jsonl?harvestid=1&jobid=1') ?? ''
  const sha256 = createHash('sha256').update(page).digest('hex')
  expect(JSON.parse(report)).toMatchObject({
    state: 'IMPORTED',
    name: 'x.warc.gz',
    sha256,
    treatment: 'kept',
    captures: 2,
  })
  expect(await leftIn(it, job)).toEqual([])
  expect((await inReplica(it, 'x.warc.gz')).equals(page)).toBe(true)
})

test('an identical file that is archived under another name keeps that name', async () => {
  const it = await trial({ '/elsewhere/mine.warc.gz': page, '/elsewhere/new.warc.gz': other })
  await upload(it, 'theirs.warc.gz', page)
  const { files } = await imported(it, '/elsewhere')
  expect(files.map((file) => [file.name, file.message])).toEqual([
    ['theirs.warc.gz', message('import.remark.takenOver', { name: 'theirs.warc.gz' })],
    ['new.warc.gz', null],
  ])
  expect(catalogue(it).map(({ name }) => name)).toEqual(['theirs.warc.gz', 'new.warc.gz', '1-metadata-1.warc'])
})

test('the import takes over the files of a deleted job, and its metadata file as content', async () => {
  const it = await trial({ '/elsewhere/x.warc.gz': page })
  await imported(it, '/elsewhere')
  await deleteJob(it, 1)
  const metadata = await inReplica(it, '1-metadata-1.warc')
  await it.world.run(it.world.disk.write('/elsewhere/1-metadata-1.warc', metadata))
  const { job, summary, files } = await imported(it, '/elsewhere')
  expect([job, summary.status]).toEqual([2, 'Done'])
  expect(files.map((file) => [file.name, file.state, file.message])).toEqual(
    ['1-metadata-1.warc', 'x.warc.gz'].map((name) => [
      ...[name, 'IMPORTED'],
      message('import.remark.takenOver.deleted', { name, job: 1 }),
    ]),
  )
  expect(catalogue(it)).toEqual([
    { name: 'x.warc.gz', job: 2, kind: 'content' },
    { name: '1-metadata-1.warc', job: 2, kind: 'content' },
    { name: '2-metadata-1.warc', job: 2, kind: 'metadata' },
  ])
  const owners = adoptions(it).map(({ was }) => was)
  // Several files are imported at the same time.
  expect(owners).toHaveLength(2)
  expect(owners).toEqual(
    expect.arrayContaining([
      { job: 1, kind: 'content' },
      { job: 1, kind: 'metadata' },
    ]),
  )
})

test('a file of another job is left to it: the import succeeds and names that job', async () => {
  const it = await trial({ '/elsewhere/x.warc.gz': page })
  await imported(it, '/elsewhere')
  const { job, summary, files } = await imported(it, '/elsewhere/x.warc.gz')
  expect(summary).toMatchObject({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE', reason: null })
  expect(files).toMatchObject([
    {
      ...{ state: 'ARCHIVED', name: null, code: null, captures: 0, archived: { name: 'x.warc.gz', job: 1 } },
      message: message('import.remark.archived', { name: 'x.warc.gz', job: 1 }),
    },
  ])
  expect(files[0]?.bytesDone).toBe(page.length)
  expect(catalogue(it).map(({ name, job: owner }) => [name, owner])).toEqual([
    ['x.warc.gz', 1],
    ['1-metadata-1.warc', 1],
    ['2-metadata-1.warc', 2],
  ])
  expect(adoptions(it)).toEqual([])
  expect(await leftIn(it, job)).toEqual([])
  const { rows, total } = openImports(it.store).findings({ job, offset: 0, limit: 10 })
  expect([rows, total]).toEqual([[], 0])
})

test('the same file twice in one import is taken over once', async () => {
  const it = await trial({ '/a/x.warc.gz': page, '/b/y.warc.gz': page })
  await upload(it, 'up.warc.gz', page)
  const { files, summary } = await imported(it, '/a', '/b')
  // Several files are imported at the same time, and the first to be read is taken over.
  const known = files.find(({ state }) => state === 'ARCHIVED')
  expect(files.map(({ state }) => state).toSorted()).toEqual(['ARCHIVED', 'IMPORTED'])
  expect(known?.archived).toEqual({ name: 'up.warc.gz', job: 1 })
  expect(known?.message).toEqual(message('import.remark.archived.here', { name: 'up.warc.gz' }))
  expect(summary.documents.fetched).toBe(2)
  expect(adoptions(it)).toHaveLength(1)
})

test('a bad copy is named, and the import ends with an error', async () => {
  const it = await trial({ '/elsewhere/x.warc.gz': page })
  await upload(it, 'x.warc.gz', page)
  it.store.statement<object>(`UPDATE replica_file SET preservation_state = 'MISSING'`).run({})
  const { files, summary, job } = await imported(it, '/elsewhere')
  expect(files[0]).toMatchObject({ state: 'IMPORTED' })
  expect(files[0]?.message && textOf(files[0].message)).toMatch(
    / It now belongs to this job\. Its copy is missing in one\. To restore it, upload the file/,
  )
  // The working file may be the last good copy, so it is kept.
  expect(summary.status).toBe('Error')
  expect(summary.reason && textOf(summary.reason)).toMatch(/keep this file/)
  expect(await leftIn(it, job)).toContain('x.warc.gz')
})

test('a file whose records cannot be opened one by one is not adopted: the recompressed file gets a new name', async () => {
  const whole = made.gzippedWhole(made.warcRecords('http://a.test/', 'http://b.test/'))
  const it = await trial({ '/elsewhere/x.warc.gz': whole })
  await upload(it, 'x.warc.gz', whole)
  const { files, job } = await imported(it, '/elsewhere')
  expect(files).toMatchObject([{ name: 'x-2.warc.gz', state: 'IMPORTED', records: 3, captures: 2 }])
  expect(catalogue(it).map(({ name, job: owner }) => [name, owner])).toEqual([
    ['x.warc.gz', null],
    ['x-2.warc.gz', job],
    ['1-metadata-1.warc', job],
  ])
  expect((await inReplica(it, 'x.warc.gz')).equals(whole)).toBe(true)
  expect(adoptions(it)).toEqual([])
  // At the next import the archive has the recompressed file.
  const again = await imported(it, '/elsewhere')
  expect(again.files).toMatchObject([{ state: 'ARCHIVED', archived: { name: 'x-2.warc.gz', job } }])
})

test('a file that an upload is storing is rejected until the upload has ended', async () => {
  const it = await trial({ '/elsewhere/x.warc.gz': page })
  await upload(it, 'x.warc.gz', page)
  const stored = `UPDATE replica_file SET upload_state`
  // Recovery settles interrupted uploads first, so one that is found afterwards is in progress.
  const jobs = openJobs(it.store, it.world)
  const job = jobs.createImport(['/elsewhere'])
  const session = async () => {
    const stop = new AbortController()
    const recovered = Promise.withResolvers<void>()
    const report = ({ kind }: { kind: string }) => void (kind === 'recovered' && recovered.resolve())
    const engine = task({ world: it.world, report, signal: stop.signal, takePrinted: () => '' }, it.input)
    await recovered.promise
    it.store.statement<object>('DROP TRIGGER replica_file_upload_state_moves').run({})
    it.store.statement<object>(`${stored} = 'UPLOAD_STARTED'`).run({})
    while (jobs.summary(job).state !== 'INACTIVE') await it.world.clock.sleep(100)
    stop.abort()
    await engine
  }
  await it.world.run(session())
  expect(openImports(it.store).ofJob(job)).toMatchObject([
    {
      ...{ state: 'REJECTED', code: 'inUse' },
      message: message('import.rejected.uploading', { name: 'x.warc.gz' }),
    },
  ])
})

test('after a power cut at any moment each file is taken over once, and no working file is left', async () => {
  const deleted = made.gzipped(made.warcRecords('http://deleted.test/'))
  const files = { '/first/gone.warc.gz': deleted, '/second/up.warc.gz': page, '/second/z.warc.gz': other }
  const begin = async (seed: number): Promise<Trial> => {
    const it = await trial(files, seed)
    await imported(it, '/first')
    await deleteJob(it, 1)
    await upload(it, 'up.warc.gz', page)
    await it.world.run(it.world.disk.write('/second/gone.warc.gz', deleted))
    return it
  }
  const end = async (it: Trial, job: number) => ({
    files: openImports(it.store).ofJob(job),
    ...{ catalogue: catalogue(it), adoptions: adoptions(it).toSorted((a, b) => (a.subject < b.subject ? -1 : 1)) },
    documents: openJobs(it.store, it.world).summary(job).documents,
    status: openJobs(it.store, it.world).summary(job).status,
    metadata: [...(await metadataOf(it, job)).keys()].toSorted(),
    left: await leftIn(it, job),
  })
  const importIn = (it: Trial) => openJobs(it.store, it.world).createImport(['/second'])
  const undisturbed = await begin(1)
  const job = importIn(undisturbed)
  const before = undisturbed.world.calls
  await run(undisturbed, job)
  const calls = undisturbed.world.calls - before
  const expected = await end(undisturbed, job)
  expect(expected.files.map(({ state }) => state)).toEqual(['IMPORTED', 'IMPORTED', 'IMPORTED'])
  expect(expected.adoptions.map(({ subject }) => subject)).toEqual(['gone.warc.gz', 'up.warc.gz'])
  expect(expected).toMatchObject({ status: 'Done', left: [] })
  const step = Math.max(1, Math.floor(calls / 25))
  const cuts = Array.from({ length: Math.ceil((calls - 1) / step) }, (_, at) => ({ cut: 1 + at * step, seed: at + 2 }))
  for (const { cut, seed } of sampleOf(cuts)) {
    let it = await begin(seed)
    const begun = importIn(it)
    for (let life = 0; ; life += 1) {
      const ended = await run(it, begun, life === 0 ? it.world.calls + cut : life < 4 ? cut * 2 : Infinity)
      if (ended) break
      it = { ...it, world: it.world.crash() }
    }
    expect(await end(it, begun), `cut after ${cut} calls, seed ${seed}`).toEqual(expected)
    it.store.close()
  }
})
