import { open as openFile, readdir, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { RunOptions, World } from '../../world/world.ts'
import { openIndexes, type CaptureIndex, type Indexes } from '../indexes.ts'
import { holdBuilds } from '../testing/heldBuilds.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'

const page = (url: string): Row => ({ url, at: '2020-01-01T00:00:00Z', body: `<p>${url}` })
const urlOf = (job: number, file = 'a') => `http://${file}.job${job}.example/`
const nameOf = (job: number, file = 'a') => `${job}-1-${file}.warc.gz`

async function archiveOf(...jobs: number[]): Promise<ArchiveFixture> {
  const made = await createArchive()
  for (const job of jobs) await addFile(made, job)
  return made
}
const addFile = (made: ArchiveFixture, job: number, file = 'a') =>
  made.add({ name: nameOf(job, file), job, rows: [page(urlOf(job, file)), page('http://every.example/')] })

const indexesOf = (made: ArchiveFixture, world: World = made.world): Promise<Indexes> =>
  openIndexes({ folder: join(made.folder, 'indexes'), world, archive: made.archive, tasks: made.tasks })
const databases = async (made: ArchiveFixture) => (await readdir(join(made.folder, 'indexes', 'capture'))).toSorted()
/** Makes the files of this job unreadable, so that its captures are only in existing indexes. */
async function forget(made: ArchiveFixture, job: number): Promise<void> {
  await rm(join(made.folder, 'indexes', 'cdx', String(job)), { recursive: true })
  await rm(join(made.folder, 'one', nameOf(job)))
}
const has = (index: CaptureIndex, url: string) => index.captures(url).length > 0

async function dump(made: ArchiveFixture, jobs: readonly number[]): Promise<unknown[]> {
  ;(await (await indexesOf(made)).captureIndexFor({ jobs })).close()
  const [name = ''] = (await databases(made)).filter((each) => each.startsWith(`${jobs.join('-')}.`))
  const database = new Database(join(made.folder, 'indexes', 'capture', name), { readonly: true })
  const captures = database
    .prepare(
      'SELECT capture.*, file.name AS file, job FROM capture JOIN file ON file.id = file ORDER BY key, timestamp_ms, file.name',
    )
    .all()
  const manifest = database.prepare('SELECT * FROM manifest').all()
  const quarantined = database.prepare('SELECT offset, reason, name FROM quarantined JOIN file ON file.id = file').all()
  database.close()
  return [captures, manifest, quarantined]
}

it('takes what a smaller set has, and reads only the remaining lines', async () => {
  await using made = await archiveOf(1, 2, 3)
  const indexes = await indexesOf(made)
  for (const jobs of [[1], [1, 2]]) (await indexes.captureIndexFor({ jobs })).close()
  await forget(made, 1)
  await forget(made, 2)
  const index = await indexes.captureIndexFor({ jobs: [1, 2, 3] })
  expect([1, 2, 3].map((job) => has(index, urlOf(job)))).toEqual([true, true, true])
  expect(index.captures('http://every.example/').map(({ job }) => job)).toEqual([1, 2, 3])
  expect(index.completeness).toMatchObject({
    files: [1, 2, 3].map((job) => ({ name: nameOf(job), job })),
    filesMissing: [],
  })
  expect(index.count()).toBe(6)
  index.close()
  // The others are still there: they are sets that may be wanted again.
  expect((await databases(made)).filter((name) => name.endsWith('.db'))).toHaveLength(3)
})

it('takes an earlier state of the same set, and nothing of a set with more files', async () => {
  await using made = await archiveOf(1, 2)
  const indexes = await indexesOf(made)
  for (const jobs of [[1], [1, 2]]) (await indexes.captureIndexFor({ jobs })).close()
  await addFile(made, 1, 'b')
  await forget(made, 1)
  const index = await indexes.captureIndexFor({ jobs: [1] })
  expect([urlOf(1), urlOf(1, 'b'), urlOf(2)].map((url) => has(index, url))).toEqual([true, true, false])
  expect(index.completeness).toMatchObject({
    jobsAsked: [1],
    jobsFound: [1],
    files: [{ name: nameOf(1) }, { name: nameOf(1, 'b') }],
  })
  index.close()
})

it('is not repeated while a file is still unavailable, whatever other sets exist', async () => {
  await using made = await archiveOf(1)
  await addFile(made, 1, 'b')
  await rm(join(made.folder, 'one', nameOf(1, 'b')))
  const indexes = await indexesOf(made)
  for (const jobs of [[1], [1, 99]]) (await indexes.captureIndexFor({ jobs })).close()
  const names = await databases(made)
  const reports: unknown[] = []
  for (const jobs of [[1], [1, 99]])
    (await indexes.captureIndexFor({ jobs }, { onProgress: (progress) => reports.push(progress) })).close()
  expect(reports).toEqual([])
  expect(await databases(made)).toEqual(names)
})

it('merged and built from scratch are equal', async () => {
  await using made = await archiveOf(1, 2)
  await made.add({
    name: '1-1-torn.warc.gz',
    job: 1,
    rows: [page('http://x.example/')],
    spoil: (bytes) => bytes.fill(0, bytes.length - 20),
  })
  const rebuilt = await dump(made, [1, 2])
  await rm(join(made.folder, 'indexes'), { recursive: true })
  await dump(made, [1])
  expect(await dump(made, [1, 2])).toEqual(rebuilt)
  expect(rebuilt[2]).not.toEqual([])
})

it('is built from scratch when its starting point is damaged', async () => {
  await using made = await archiveOf(1, 2)
  const indexes = await indexesOf(made)
  ;(await indexes.captureIndexFor({ jobs: [1] })).close()
  const [name = ''] = await databases(made)
  const path = join(made.folder, 'indexes', 'capture', name)
  const root = new Database(path, { readonly: true })
  const page = root.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'capture'`).pluck().get() as number
  root.close()
  const file = await openFile(path, 'r+')
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
  await file.close()
  const index = await indexes.captureIndexFor({ jobs: [1, 2] })
  expect([has(index, urlOf(1)), has(index, urlOf(2))]).toEqual([true, true])
  index.close()
})

it('answers first from the existing lines, then from all, while it is open', async () => {
  await using made = await archiveOf(1, 2)
  ;(await (await indexesOf(made)).captureIndexFor({ jobs: [1] })).close()
  const { world, step, waits } = holdBuilds(made.world)
  const indexes = await indexesOf(made, world)
  const index = await indexes.captureIndexFor({ jobs: [1, 2] }, { atOnce: true })
  const other = await indexes.captureIndexFor({ jobs: [2, 1] }, { atOnce: true })
  expect([has(index, urlOf(1)), has(index, urlOf(2))]).toEqual([true, false])
  expect(index.isGrowing).toBe(true)
  expect(index.progress).toEqual({ filesDone: 1, filesTotal: 2, jobsDone: 1, captures: 2 })
  expect(index.completeness).toMatchObject({ jobsAsked: [1, 2], files: [{ name: nameOf(1) }] })
  expect((await index.pages({ text: 'job', limit: 9 })).map(({ url }) => url)).toEqual([urlOf(1)])
  await step()
  await waits()
  expect([has(index, urlOf(2)), index.isGrowing]).toEqual([true, true])
  await step()
  await index.whole
  expect(index.isGrowing).toBe(false)
  for (const each of [index, other]) expect([has(each, urlOf(1)), has(each, urlOf(2))]).toEqual([true, true])
  expect(index.progress).toEqual({ filesDone: 2, filesTotal: 2, jobsDone: 2, captures: 4 })
  expect(index.completeness).toMatchObject({ files: [{ name: nameOf(1) }, { name: nameOf(2) }], filesMissing: [] })
  expect((await index.pages({ text: 'job', limit: 9 })).map(({ url }) => url)).toEqual([urlOf(1), urlOf(2)])
  index.close()
  other.close()
  const names = await databases(made)
  expect(names).toHaveLength(2)
  for (const name of names) expect(name).toMatch(/\.db$/)
})

it('from scratch it is empty at first and grows file by file', async () => {
  await using made = await archiveOf(1)
  const { world, step } = holdBuilds(made.world)
  const index = await (await indexesOf(made, world)).captureIndexFor({ jobs: [1] }, { atOnce: true })
  expect(index.count()).toBe(0)
  expect(has(index, urlOf(1))).toBe(false)
  expect(await index.pages({ text: '', limit: 9 })).toEqual([])
  expect(index.originals({ url: urlOf(1), atMs: undefined, payloadDigest: 'sha1:X' }, 4)).toEqual({ found: [], named: 'noMoment' }) // prettier-ignore
  await step()
  await step()
  await index.whole
  expect(index.count()).toBe(2)
  expect(has(index, urlOf(1))).toBe(true)
  index.close()
  expect((await databases(made)).filter((name) => !name.endsWith('.db'))).toEqual([])
})

it('from scratch it is awaited by a caller that waits', async () => {
  await using made = await archiveOf(1)
  const { world, step } = holdBuilds(made.world)
  const indexes = await indexesOf(made, world)
  const waiting = indexes.captureIndexFor({ jobs: [1] })
  const atOnce = indexes.captureIndexFor({ jobs: [1] }, { atOnce: true })
  await step()
  await step()
  for (const index of await Promise.all([waiting, atOnce])) {
    expect([index.isGrowing, index.count()]).toEqual([false, 2])
    index.close()
  }
})

it('when stopped, it keeps its captures and lists the missing files', async () => {
  await using made = await archiveOf(1, 2)
  ;(await (await indexesOf(made)).captureIndexFor({ jobs: [1] })).close()
  const { world, waits } = holdBuilds(made.world)
  const indexes = await indexesOf(made, world)
  const stop = new AbortController()
  const index = await indexes.captureIndexFor({ jobs: [1, 2] }, { atOnce: true, signal: stop.signal })
  await waits()
  stop.abort(new Error('no longer wanted'))
  await expect(index.whole).rejects.toThrow('no longer wanted')
  expect([has(index, urlOf(1)), has(index, urlOf(2)), index.isGrowing]).toEqual([true, false, false])
  expect(index.completeness.filesMissing).toEqual([
    { name: nameOf(2), reason: message('index.failed', { problem: 'no longer wanted' }) },
  ])
  index.close()
  const again = await (await indexesOf(made)).captureIndexFor({ jobs: [1, 2] })
  expect(again.count()).toBe(4)
  again.close()
  expect((await databases(made)).filter((name) => !name.endsWith('.db'))).toEqual([])
})

it('closing an incomplete one blocks nothing', async () => {
  await using made = await archiveOf(1)
  const { world, step } = holdBuilds(made.world)
  const indexes = await indexesOf(made, world)
  const index = await indexes.captureIndexFor({ jobs: [1] }, { atOnce: true })
  index.close()
  const whole = indexes.captureIndexFor({ jobs: [1] })
  await step()
  await step()
  expect((await whole).count()).toBe(2)
  ;(await whole).close()
})

describe('builds that nothing needs any more', () => {
  /** The tasks that were begun because someone waits for them, how many ran at the beginning of each, and how many run now. */
  function watched(world: World, onBegun: (begun: number) => void = () => undefined) {
    const tasks = { begun: [] as string[], runningBefore: [] as number[], running: 0 }
    const run: World['threads']['run'] = <Input, Output, Report>(
      module: URL,
      input: Input,
      options?: RunOptions<Report>,
    ) => {
      const isWanted = options?.signal?.aborted !== true
      const ended = world.threads.run<Input, Output, Report>(module, input, options)
      if (!isWanted) return ended
      tasks.runningBefore.push(tasks.running++)
      onBegun(tasks.begun.push(basename(module.pathname)))
      return ended.finally(() => void (tasks.running -= 1))
    }
    const threads = Object.assign(Object.create(world.threads) as World['threads'], { run })
    return { tasks, world: { ...world, threads } }
  }
  const namesIn = async (made: ArchiveFixture) =>
    (await readdir(join(made.folder, 'indexes'), { recursive: true })).filter((name) => /\.\w+$/.test(name)).toSorted()

  it('end: nothing more is started or left unfinished, and finished lines stay', async () => {
    await using made = await archiveOf(1, 2)
    const { tasks, world: seen } = watched(made.world)
    const { world, waits } = holdBuilds(seen)
    const indexes = await indexesOf(made, world)
    const index = await indexes.captureIndexFor({ jobs: [1, 2] }, { atOnce: true })
    await waits()
    index.close()
    await expect(index.whole).rejects.toMatchObject({ code: 'stopped', message: 'The index is no longer needed.' })
    expect(tasks.running).toBe(0)
    expect(tasks.begun).toEqual(['indexFile.thread.ts', 'indexFile.thread.ts'])
    await indexes.close()
    expect(tasks.begun).toHaveLength(2)
    const names = await namesIn(made)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(name).toMatch(/\.cdxj$/)
  })

  it('continue while one of two callers needs them, reading or waiting', async () => {
    await using made = await archiveOf(1)
    const { world, step } = holdBuilds(made.world)
    const indexes = await indexesOf(made, world)
    const stop = new AbortController()
    const reading = await indexes.captureIndexFor({ jobs: [1] }, { atOnce: true })
    const waiting = indexes.captureIndexFor({ jobs: [1] }, { signal: stop.signal })
    const other = await indexes.captureIndexFor({ jobs: [1] }, { atOnce: true })
    other.close()
    stop.abort(new Error('enough'))
    // This caller gets the error although the others continue.
    await expect(waiting).rejects.toThrow('enough')
    const last = indexes.captureIndexFor({ jobs: [1] })
    reading.close()
    await step()
    await step()
    await reading.whole
    expect((await last).count()).toBe(2)
    ;(await last).close()
  })

  it('end with the reason of the last waiting caller', async () => {
    await using made = await archiveOf(1)
    const { world, waits, step } = holdBuilds(made.world)
    const indexes = await indexesOf(made, world)
    const stop = new AbortController()
    const waiting = indexes.captureIndexFor({ jobs: [1] }, { signal: stop.signal })
    await waits()
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    const again = await indexes.captureIndexFor({ jobs: [1] }, { atOnce: true })
    expect([again.isGrowing, again.count()]).toEqual([true, 0])
    await step()
    await step()
    await again.whole
    expect(again.count()).toBe(2)
    again.close()
    await indexes.close()
    expect((await namesIn(made)).map((name) => extname(name))).toEqual(['.db', '.cdxj'])
  })

  interface Cut {
    made: ArchiveFixture
    indexes: Indexes
    tasks: ReturnType<typeof watched>['tasks']
    index: Promise<CaptureIndex>
    stop: AbortController
  }
  async function closed({ made, indexes, tasks }: Cut): Promise<Indexes> {
    const closing = indexes.close()
    const begun = tasks.begun.length
    await closing
    expect([tasks.running, tasks.begun.length]).toEqual([0, begun])
    expect((await namesIn(made)).filter((name) => !/\.(cdxj|db)$/.test(name))).toEqual([])
    return indexesOf(made)
  }
  const ways: [string, boolean, (cut: Cut) => Promise<Indexes>][] = [
    [
      'the only waiting caller leaves, and asks again at once',
      false,
      async ({ indexes, stop, tasks }) => {
        stop.abort(new Error('left'))
        const begun = tasks.begun.length
        ;(await indexes.captureIndexFor({ jobs: [1, 2] })).close()
        // No build starts if the previous one finished anyway.
        expect(tasks.runningBefore[begun] ?? 0).toBe(0)
        return indexes
      },
    ],
    ['it is closed while a caller waits', false, closed],
    ['the only reader leaves, and it is closed', true, async (cut) => ((await cut.index).close(), closed(cut))],
  ]
  it.each(ways)('at every step: %s', async (_, atOnce, cut) => {
    for (let steps = 1, isCut = true; isCut; steps += 1) {
      await using made = await archiveOf(1, 2)
      await addFile(made, 1, 'b')
      const reached = Promise.withResolvers<boolean>()
      const { tasks, world } = watched(made.world, (begun) => {
        if (begun === steps) reached.resolve(true)
      })
      const indexes = await indexesOf(made, world)
      const stop = new AbortController()
      const index = indexes.captureIndexFor({ jobs: [1, 2] }, { atOnce, signal: stop.signal })
      const ended = index.then(({ whole }) => whole).then(() => false)
      isCut = await Promise.race([reached.promise, ended])
      const later = isCut ? await cut({ made, indexes, tasks, index, stop }) : indexes
      await ended.catch(() => undefined)
      await index.then((each) => each.close()).catch(() => undefined)
      const again = await later.captureIndexFor({ jobs: [1, 2] })
      expect(again.count()).toBe(6)
      again.close()
      await later.close()
      expect((await namesIn(made)).map((name) => extname(name))).toEqual(['.db', '.cdxj', '.cdxj', '.cdxj'])
    }
  })

  it('are not started for a lookup in other jobs after closing', async () => {
    await using made = await archiveOf(1)
    const { tasks, world: seen } = watched(made.world)
    const { world, waits } = holdBuilds(seen)
    const indexes = await indexesOf(made, world)
    const asked = indexes.otherCaptures({ url: urlOf(1), sources: [1] })
    const waiting = expect(indexes.captureIndexFor({ jobs: [1] })).rejects.toMatchObject({ code: 'stopped' })
    await waits()
    await indexes.close()
    await waiting
    expect(await asked).toEqual({ captures: [], notSearched: [1] })
    expect(tasks).toMatchObject({ begun: ['indexFile.thread.ts'], running: 0 })
    expect(await databases(made)).toEqual([])
    await rm(join(made.folder, 'indexes'), { recursive: true })
    for (const late of [
      indexes.otherCaptures({ url: urlOf(1), sources: [1] }),
      indexes.captureIndexFor({ jobs: [1] }),
      indexes.affectedBy({ name: nameOf(1), job: 1 }, { msMax: 1, signal: new AbortController().signal }),
    ])
      await expect(late).rejects.toMatchObject({ code: 'stopped' })
    await indexes.close()
  })

  it('stop the lookup for a damaged file as well', async () => {
    await using made = await archiveOf(1)
    const begun = Promise.withResolvers<void>()
    const { tasks, world } = watched(made.world, () => begun.resolve())
    const indexes = await indexesOf(made, world)
    const lost = indexes.affectedBy(
      { name: nameOf(1), job: 1 },
      { msMax: 60_000, signal: new AbortController().signal },
    )
    const told = expect(lost).rejects.toMatchObject({ code: 'stopped' })
    await begun.promise
    await indexes.close()
    expect(tasks).toMatchObject({ begun: ['indexFile.thread.ts'], running: 0 })
    await told
  })

  it('files of a complete build are still read after closing', async () => {
    await using made = await archiveOf(1)
    const indexes = await indexesOf(made)
    const index = await indexes.captureIndexFor({ jobs: [1] })
    await indexes.close()
    expect(has(index, urlOf(1))).toBe(true)
    index.close()
  })
})
