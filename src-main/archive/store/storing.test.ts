import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from './archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import { faultyReplica, type FaultyReplica } from '../testing/faultyReplica.ts'
import { folderReplica } from '../replica/folderReplica.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { limits, content, file, raise, checked } from './testing/storingFixture.ts'

test.each(['damaged', 'removed'])('recovery uses a good copy when the first one is known to be %s', async (how) => {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const places = ['one', 'two', 'three'].map((name) => ({ name, folder: `/${name}` }))
  const open = (count: number) => world.run(openArchive({ store, world, replicas: places.slice(0, count), limits }))
  await world.run(world.disk.write(file.path, Buffer.from(content)))
  const archive = await open(2)
  expect(await world.run(archive.store(file))).toEqual({ state: 'stored' })
  if (how === 'damaged') world.disk.corrupt('/one/a.warc', 3)
  else await world.run(world.disk.remove('/one/a.warc'))
  await world.run(checked({ archive, store, world }, 'checksums'))
  store
    .statement<object>(
      `INSERT INTO replica_file (file_id, replica, upload_state) SELECT id, 'three', 'UPLOAD_STARTED' FROM archive_file`,
    )
    .run({})
  const killed = await open(3)
  await world.run(killed.resumeUploads())
  expect(killed.file('a.warc')?.replicas.at(-1)).toMatchObject({ replica: 'three', upload: 'UPLOAD_COMPLETED' })
  expect(Buffer.from(await world.run(world.disk.read('/three/a.warc', 10_000))).toString()).toBe(content)
  store.close()
})

describe('offering the same file again restores it', () => {
  const names = ['one', 'two']
  const places: ReplicaPlace[] = names.map((name) => ({ name, folder: `/${name}` }))
  type Harm = 'gone' | 'damaged' | 'folder' | 'good'

  async function prepared(harm: Record<string, Harm>, seed = 1) {
    const world = seededWorld({ seed })
    const store = openStore(':memory:')
    await world.run(world.disk.write(file.path, Buffer.from(content)))
    await world.run(world.disk.write('/other', Buffer.from('another file')))
    const archive = await world.run(openArchive({ store, world, replicas: places, limits }))
    await world.run(archive.store(file))
    for (const [replica, how] of Object.entries(harm)) {
      if (how === 'damaged') world.disk.corrupt(`/${replica}/a.warc`, 3)
      if (how === 'gone' || how === 'folder') await world.run(world.disk.remove(`/${replica}/a.warc`))
    }
    await world.run(checked({ archive, store, world }, 'checksums'))
    for (const [replica, how] of Object.entries(harm))
      if (how === 'folder') await world.run(world.disk.makeFolder(`/${replica}/a.warc`))
    return { world, store, archive }
  }
  const statesOf = (archive: Archive) => archive.file('a.warc')?.replicas.map(({ preservation }) => preservation)
  const isContent = async (world: World, name: string) =>
    (await world.disk.stat(`/${name}/a.warc`))?.kind === 'file'
      ? Buffer.from(await world.disk.read(`/${name}/a.warc`, 1e6)).toString() === content
      : false

  const rows: [harm: Record<string, Harm>, after: string[], problems: RegExp[]][] = [
    [{ one: 'gone', two: 'gone' }, ['OK', 'OK'], []],
    [{ one: 'gone', two: 'good' }, ['OK', 'OK'], []],
    [
      { one: 'gone', two: 'damaged' },
      ['OK', 'CORRUPT'],
      [/A check found that the copy is damaged\. Repair it: another replica has/],
    ],
    [
      { one: 'damaged', two: 'damaged' },
      ['CORRUPT', 'CORRUPT'],
      [/keep this file.*never overwritten/, /keep this file/],
    ],
    [{ one: 'folder', two: 'gone' }, ['MISSING', 'OK'], [/could not be restored\. .*folder/]],
  ]
  test.each(rows)('%j', async (harm, after, problems) => {
    const { world, archive, store } = await prepared(harm)
    const outcome = await world.run(archive.store(file, { restoresMissing: true }))
    expect(statesOf(archive)).toEqual(after)
    const reasons = outcome.state === 'stored' ? [] : outcome.problems.map(({ problem }) => textOf(problem))
    expect(reasons).toHaveLength(problems.length)
    problems.forEach((text, at) => expect(reasons[at]).toMatch(text))
    for (const [at, name] of names.entries()) expect(await world.run(isContent(world, name))).toBe(after[at] === 'OK')
    const actions = openAuditLog(store)
      .page({ offset: 0, limit: 100 })
      .rows.filter(({ what }) => what === 'repair')
    const brought = names.filter((name, at) => harm[name] === 'gone' && after[at] === 'OK')
    expect(
      actions.map(({ who, became }) => [
        who,
        ...Object.values(z.object({ replica: z.string(), source: z.string() }).parse(became)),
      ]),
    ).toEqual(brought.toReversed().map((name) => ['upload', name, 'upload']))
  })

  test('only when the caller requests it, and only from the same bytes', async () => {
    const { world, archive } = await prepared({ one: 'gone', two: 'gone' })
    expect(await world.run(archive.store(file))).toMatchObject({
      state: 'failed',
      problems: [{ problem: { code: 'store.lost.missing', values: { advice: { code: 'store.lost.keepFile' } } } }, {}],
    })
    const offered = archive.store({ ...file, path: '/other' }, { restoresMissing: true })
    await expect(world.run(offered)).rejects.toMatchObject({ code: 'refused' })
    expect(statesOf(archive)).toEqual(['MISSING', 'MISSING'])
  })

  test('a kill at every call: the next store succeeds, and each replica has the file or nothing', async () => {
    let isReached = true
    let kills = 0
    for (let at = 1; isReached; at += 1) {
      const { world, store } = await prepared({ one: 'gone', two: 'gone' }, at)
      let faulty: FaultyReplica | undefined
      const opening = openArchive({
        store,
        world,
        limits,
        replicas: places,
        replicaAt: (parts) => {
          const inner = folderReplica(parts)
          if (parts.place.name !== 'one') return inner
          const damage = () => raise(new Error('no damage is done here'))
          return (faulty = faultyReplica({ inner, clock: world.clock, at, fault: { kind: 'stops' }, damage }))
        },
      })
      const whole = opening.then((archive) => archive.store(file, { restoresMissing: true }))
      await world.run(Promise.race([whole, faulty?.stopped]))
      isReached = (faulty?.steps ?? 0) >= at
      kills += isReached ? 1 : 0
      const next = world.crash()
      const again = await next.run(openArchive({ store, world: next, replicas: places, limits }))
      await next.run(again.resumeUploads())
      for (const name of names)
        if (await next.run(next.disk.stat(`/${name}/a.warc`))) expect(await next.run(isContent(next, name))).toBe(true)
      expect(await next.run(again.store(file, { restoresMissing: true }))).toEqual({ state: 'stored' })
      expect(statesOf(again)).toEqual(['OK', 'OK'])
      store.close()
    }
    expect(kills).toBeGreaterThan(4)
  })
})

describe('concurrent stores', () => {
  const places: ReplicaPlace[] = ['one', 'two'].map((name) => ({ name, folder: `/${name}` }))
  async function prepared() {
    const world = seededWorld({ seed: 4 })
    const store = openStore(':memory:')
    await world.run(world.disk.write(file.path, Buffer.alloc(3_000_000, 'x')))
    await world.run(world.disk.write('/other', Buffer.from('another file')))
    const archive = await world.run(openArchive({ store, world, replicas: places, limits }))
    const attempts = () =>
      store
        .statement<object, { n: number }>('SELECT upload_attempts AS n FROM replica_file')
        .all({})
        .map(({ n }) => n)
    /** Resolves when the file is on its way. */
    const underWay = () => new Promise<void>((resolve) => archive.onChange(resolve))
    return { world, archive, attempts, underWay }
  }

  test('(a) another file of the name is refused at once; the one in progress is stored', async () => {
    const { world, archive, underWay } = await prepared()
    const first = archive.store(file)
    await world.run(underWay())
    await expect(world.run(archive.store({ ...file, path: '/other' }))).rejects.toMatchObject({ code: 'refused' })
    expect(await world.run(first)).toEqual({ state: 'stored' })
  })
  test('(b) every caller gets an answer, and the file is written once', async () => {
    const { world, archive, attempts, underWay } = await prepared()
    const first = archive.store(file)
    await world.run(underWay())
    const others = [archive.store(file), archive.store(file)]
    expect(await world.run(Promise.all([first, ...others]))).toEqual(Array(3).fill({ state: 'stored' }))
    expect(attempts()).toEqual([1, 1])
  })
  test('a caller that stops ends only its own wait while another one waits', async () => {
    const { world, archive, attempts, underWay } = await prepared()
    const stop = new AbortController()
    const reason = new Error('enough')
    const first = archive.store(file, { signal: stop.signal })
    await world.run(underWay())
    const second = archive.store(file)
    await world.run(world.clock.sleep(5))
    stop.abort(reason)
    await expect(world.run(first)).rejects.toBe(reason)
    expect(await world.run(second)).toEqual({ state: 'stored' })
    expect(attempts()).toEqual([1, 1])
  })
  test('the last caller that stops ends the session, and the next store starts a new one', async () => {
    const { world, archive, underWay } = await prepared()
    const stop = new AbortController()
    const first = archive.store(file, { signal: stop.signal })
    await world.run(underWay())
    stop.abort(new Error('enough'))
    const second = archive.store(file)
    await expect(world.run(first)).rejects.toThrow('enough')
    expect(await world.run(second)).toEqual({ state: 'stored' })
  })
  test('a store with an already aborted signal does nothing', async () => {
    const { world, archive } = await prepared()
    const stopped = archive.store(file, { signal: AbortSignal.abort(new Error('never')) })
    await expect(world.run(stopped)).rejects.toThrow('never')
    expect(archive.file(file.name)).toBeUndefined()
  })
})

describe('names that differ only in case', () => {
  test('are refused, also concurrently; existing pairs continue', async () => {
    const world = seededWorld({ seed: 1 })
    const store = openStore(':memory:')
    const replicas = ['one', 'two'].map((name) => ({ name, folder: `/${name}` }))
    const archive = await world.run(openArchive({ store, world, replicas, limits }))
    await world.run(world.disk.write(file.path, Buffer.from(content)))
    const put = (name: string) => world.run(archive.store({ ...file, name }))
    const both = await world.run(
      Promise.allSettled(['a.warc', 'A.warc'].map((name) => archive.store({ ...file, name }))),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await put('b.warc')
    await expect(put('B.WARC')).rejects.toThrow(
      'The archive already has a file named b.warc, which many disks treat as the same name as B.WARC',
    )
    expect(archive.file('B.WARC')).toBeUndefined()
    expect(await put('b.warc')).toEqual({ state: 'stored' })
    store
      .statement<object>(
        `INSERT INTO archive_file (name, bytes, sha256, kind, registered_ms)
         SELECT 'B.warc', bytes, sha256, kind, registered_ms FROM archive_file WHERE name = 'b.warc'`,
      )
      .run({})
    for (const name of ['b.warc', 'B.warc']) expect(await put(name)).toEqual({ state: 'stored' })
    await expect(put('B.Warc')).rejects.toMatchObject({ code: 'refused' })
    expect(
      store
        .statement<{ name: string }, { detail: string }>(
          'EXPLAIN QUERY PLAN SELECT name FROM archive_file WHERE name = @name COLLATE NOCASE AND name <> @name LIMIT 1',
        )
        .all({ name: 'x' })[0]?.detail,
    ).toMatch(/^SEARCH archive_file USING .*archive_file_by_name_of_any_case/)
    store.close()
  })
})
