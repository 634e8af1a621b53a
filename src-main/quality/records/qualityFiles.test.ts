/** Quality files: written whole or not at all, stored in every replica, whatever the moment of a power cut; read again as they were. */
import { expect, test } from 'vitest'
import { openArchive, type Archive } from '../../archive/store/archive.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { checkArchiveFile } from '../../formats/checkFile.ts'
import { recover } from '../../crawl/recover/recover.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openQualityFiles, type QualityFiles } from './qualityFiles.ts'
import type { QualityRecord } from './writeQualityFile.ts'

const folder = '/archive/quality'
const replicas = ['one', 'two'].map((name) => ({ name, folder: `/replicas/${name}` }))
const name = '1-quality-1.warc.gz'
const note: QualityRecord = {
  ...{ uri: 'urn:loupe:note:1', type: 'metadata', contentType: 'application/json' },
  ...{ body: Buffer.from('{"a":1}'), atMs: Date.UTC(2025, 1) },
}
const picture: QualityRecord = {
  ...{ uri: 'urn:loupe:picture:1', type: 'resource', contentType: 'image/png' },
  ...{ body: Buffer.alloc(200_000, 'png'), atMs: Date.UTC(2025, 1, 2) + 789 },
}

interface Opened {
  archive: Archive
  files: QualityFiles
  problems: unknown[]
}

function storeWithJob(world: SeededWorld): Store {
  const store = openStore(':memory:')
  openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  return store
}

async function opened(world: SeededWorld, store: Store): Promise<Opened> {
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  const archive = await openArchive({ store, world, replicas, limits })
  const problems: unknown[] = []
  const files = openQualityFiles({
    ...{ store, world, archive, jobs: openJobs(store, world), folder, quarantineFolder: '/archive/quarantine' },
    ...{
      software: 'Loupe/test',
      isEngine: true,
      ready: archive.resumeUploads(),
      onProblem: (error) => problems.push(error),
    },
  })
  return { archive, files, problems }
}

async function recordsOf(files: QualityFiles, job = 1): Promise<QualityRecord[]> {
  const found = []
  for await (const { file: _, offset: __, ...record } of files.records(job)) found.push(record)
  return found
}

/** Number of records, and what `loupe check` finds in the file. */
async function findingsIn(world: SeededWorld, path: string) {
  const file = await world.disk.openRead(path)
  const found = []
  let records = 0
  for await (const { record, findings } of checkArchiveFile(file, {
    ...{ name: path, bytes: await file.bytes(), nowMs: world.clock.now() },
  })) {
    if (record) records += 1
    found.push(...findings)
  }
  await file.close()
  return [records, found]
}

test('records come back as they were written, from a file of the job that breaks no rule', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      const { archive, files, problems } = await opened(world, store)
      expect(await Promise.all([files.write(1, [note, picture]), files.write(1, [note])])).toEqual([
        name,
        '1-quality-2.warc.gz',
      ])
      expect(problems).toEqual([])
      expect(archive.filesOfJob(1)).toMatchObject([
        { name, kind: 'metadata', replicas: [{ upload: 'UPLOAD_COMPLETED' }, { upload: 'UPLOAD_COMPLETED' }] },
        { kind: 'metadata' },
      ])
      expect(await recordsOf(files)).toEqual([note, picture, note])
      expect(await findingsIn(world, `/replicas/one/${name}`)).toEqual([3, []])
      expect(await world.disk.list(folder)).toEqual([])
      await files.close()
    })(),
  )
})

test('whenever the power is cut, the file is whole and stored after the next start, or absent', async () => {
  const whole = seededWorld({ seed: 1 })
  await whole.run(written(whole, storeWithJob(whole)))
  const outcomes = new Map<string, number>()
  for (let cut = 1; cut <= whole.calls; cut += 1) {
    const world = seededWorld({ seed: 1 })
    const store = storeWithJob(world)
    await world.runUntilCut(written(world, store), cut)
    const next = world.crash()
    const after = await next.run(
      (async () => {
        const { archive, files, problems } = await opened(next, store)
        // It waits for what was left.
        const second = await files.write(1, [picture])
        const found = await recordsOf(files)
        await files.close()
        expect({ cut, problems }).toEqual({ cut, problems: [] })
        const left = (await next.disk.stat(folder)) ? await next.disk.list(folder) : []
        expect({ cut, left }).toEqual({ cut, left: [] })
        const states = archive.filesOfJob(1).flatMap((file) => file.replicas.map(({ upload }) => upload))
        expect({ cut, states: new Set(states) }).toEqual({ cut, states: new Set(['UPLOAD_COMPLETED']) })
        return { second, found }
      })(),
    )
    const isKept = after.second !== name
    expect({ cut, ...after }).toEqual({
      ...{ cut, second: isKept ? '1-quality-2.warc.gz' : name },
      found: isKept ? [note, picture] : [picture],
    })
    outcomes.set(after.second, (outcomes.get(after.second) ?? 0) + 1)
    store.close()
  }
  // Both outcomes have occurred.
  expect([...outcomes.keys()].toSorted()).toEqual([name, '1-quality-2.warc.gz'])
})

async function written(world: SeededWorld, store: Store): Promise<void> {
  const { files } = await opened(world, store)
  await files.write(1, [note])
  await files.close()
}

test('a replica that cannot be written to gets the file at the next write', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      const { archive, files, problems } = await opened(world, store)
      const heal = world.disk.fail({ path: /^\/replicas\/two\/.*\.part$/, code: 'failed' })
      expect(await files.write(1, [note])).toBe(name)
      expect(problems).toMatchObject([{ code: 'unreachable' }])
      expect(await recordsOf(files)).toEqual([note])
      heal()
      await files.write(1, [note])
      expect(problems).toHaveLength(1)
      expect(archive.filesOfJob(1).map(({ stored }) => stored !== null)).toEqual([true, true])
      await files.close()
    })(),
  )
})

test('a name that an unknown file of a replica has is not taken: the file gets another one, and says so in itself', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      const { archive, files, problems } = await opened(world, store)
      await world.disk.write(`/replicas/one/${name}`, Buffer.from('of a database that was lost'))
      await files.write(1, [note])
      expect(problems).toEqual([])
      expect(files.names(1)).toEqual(['1-quality-2.warc.gz'])
      expect(archive.file(name)).toBeUndefined()
      expect(await recordsOf(files)).toEqual([note])
      await files.close()
    })(),
  )
})

test('records that cannot be made leave no file and no name behind', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      const { archive, files } = await opened(world, store)
      async function* broken(): AsyncGenerator<QualityRecord> {
        yield note
        throw new Error('no picture')
      }
      await expect(files.write(1, broken())).rejects.toThrow('no picture')
      await expect(files.write(9, [note])).rejects.toMatchObject({ code: 'notFound' })
      expect(archive.filesOfJob(1)).toEqual([])
      expect(await files.write(1, [note])).toBe(name)
      await files.close()
    })(),
  )
})

test('what this database does not know is set aside, and never stored under its name', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      await world.disk.makeFolder(folder)
      await world.disk.write(`${folder}/1-quality-7.warc.gz`, Buffer.from('of a later database'))
      const { files, archive } = await opened(world, store)
      await files.write(1, [note])
      await files.close()
      expect(archive.filesOfJob(1).map((file) => file.name)).toEqual([name])
      const [aside] = await world.disk.list('/archive/quarantine')
      expect(aside?.name).toMatch(/-job-1$/)
    })(),
  )
})

test('damaged records and records that are not wanted are left out', async () => {
  const world = seededWorld({ seed: 1 })
  const store = storeWithJob(world)
  await world.run(
    (async () => {
      const { files } = await opened(world, store)
      await files.write(1, [note, picture])
      const wanted = []
      for await (const { uri, file } of files.records(1, { wanted: (each) => each.includes('picture') }))
        wanted.push([uri, file])
      expect(wanted).toEqual([[picture.uri, name]])
      const { bytes = 0 } = (await world.disk.stat(`/replicas/one/${name}`)) ?? {}
      world.disk.corrupt(`/replicas/one/${name}`, bytes - 40)
      expect(await recordsOf(files)).toEqual([note])
      await files.close()
    })(),
  )
})

test.each<[string, (created: number) => number[], number | null]>([
  ['its job, under the number that it had', (created) => [created, created], 1],
  ['its job, under another number', (created) => [created + 1, created], 2],
  ['no job, if it is not there', (created) => [created + 1, created + 2], null],
])('a database that was lost finds the file again: it belongs to %s', async (_, createdOf, expected) => {
  const world = seededWorld({ seed: 1 })
  const created = world.clock.now()
  await world.run(written(world, storeWithJob(world)))
  const store = storeWithJob(world)
  openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://b.test/'] }))
  for (const [at, createdMs] of createdOf(created).entries())
    store.statement<object>('UPDATE job SET created_ms = @createdMs WHERE id = @id').run({ id: at + 1, createdMs })
  await world.run(
    (async () => {
      const { archive, files } = await opened(world, store)
      const signal = new AbortController().signal
      const parts = { store, world, archive, jobs: openJobs(store, world), quarantineFolder: '/archive/quarantine' }
      await recover(parts, { signal, onProgress: () => undefined })
      expect(archive.file(name)).toMatchObject({ job: expected, kind: 'metadata' })
      if (expected !== null) expect(await recordsOf(files, expected)).toEqual([note])
      await files.close()
    })(),
  )
})
