import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { openArchive, type Archive } from './archive.ts'
import { nameProblem, nameOfTemporary, temporaryName } from '../files/names.ts'

const world = realWorld()
const root = mkdtempSync(join(tmpdir(), 'loupe-archive-'))
afterAll(() => rmSync(root, { recursive: true }))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const noFloor = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }

async function textOf({ file, bytes }: { file: ReadableFile; bytes: number }): Promise<string> {
  const into = Buffer.alloc(bytes)
  await file.read(into, 0)
  await file.close()
  return into.toString()
}

describe('on a real disk', () => {
  let folder: string
  let store: Store
  let archive: Archive
  const replicas = () => ['one', 'two'].map((name) => ({ name, folder: join(folder, name) }))
  const local = (text: string | Uint8Array, name = 'local.warc') => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const put = (text: string | Uint8Array, name = 'a.warc', jobId: number | null = 7) =>
    archive.store({ path: local(text), name, kind: 'content', jobId })
  const inReplica = (replica: string, name = 'a.warc') => join(folder, replica, name)
  const uploads = (name = 'a.warc') => archive.file(name)?.replicas.map(({ upload }) => upload)

  beforeEach(async () => {
    folder = mkdtempSync(join(root, 'case-'))
    store = openStore(':memory:')
    archive = await openArchive({ store, world, replicas: replicas(), limits: noFloor })
  })

  test('a stored file is in every replica, in the catalogue and in the audit log', async () => {
    const bytes = Buffer.alloc(2_500_000, 'loupe')
    expect(await put(bytes)).toEqual({ state: 'stored' })
    for (const replica of ['one', 'two']) expect(readFileSync(inReplica(replica)).equals(bytes)).toBe(true)
    expect(archive.file('a.warc')).toMatchObject({ bytes: 2_500_000, sha256: sha256(bytes), job: 7, kind: 'content' })
    expect(uploads()).toEqual(['UPLOAD_COMPLETED', 'UPLOAD_COMPLETED'])
    expect(archive.filesOfJob(7).map(({ name }) => name)).toEqual(['a.warc'])
    expect(archive.filesOfJob(8)).toEqual([])
    const audit = store.statement<object, { who: string; what: string; subject: string }>(
      'SELECT who, what, subject FROM audit',
    )
    expect(audit.all({})).toEqual([{ who: 'job 7', what: 'store', subject: 'a.warc' }])
  })
  test('an empty file is a valid file', async () => {
    expect(await put('')).toEqual({ state: 'stored' })
    const opened = await archive.openFile('a.warc')
    expect(opened && (await textOf(opened))).toBe('')
  })
  test('the same file again is stored already; another file of the name is refused and changes nothing', async () => {
    await put('first')
    const before = archive.file('a.warc')
    expect(await put('first')).toEqual({ state: 'stored' })
    await expect(put('other')).rejects.toMatchObject({ code: 'refused' })
    expect(archive.file('a.warc')).toEqual(before)
    expect(readFileSync(inReplica('one'), 'utf8')).toBe('first')
  })
  test('a missing file, or one with an invalid name, is not registered', async () => {
    const absent = { path: join(folder, 'nothing'), name: 'a.warc', kind: 'content', jobId: null } as const
    await expect(archive.store(absent)).rejects.toMatchObject({ code: 'notFound' })
    await expect(put('x', '../a.warc')).rejects.toMatchObject({ code: 'refused' })
    expect(archive.files({ offset: 0, limit: 10 })).toMatchObject({ rows: [], total: 0 })
  })
  test('two concurrent stores of one file make one copy in each replica', async () => {
    const path = local(Buffer.alloc(3_000_000, 1))
    const file = { path, name: 'a.warc', kind: 'content', jobId: null } as const
    expect(await Promise.all([archive.store(file), archive.store(file)])).toEqual([
      { state: 'stored' },
      { state: 'stored' },
    ])
    const attempts = store.statement<object, { n: number }>('SELECT upload_attempts AS n FROM replica_file')
    expect(attempts.all({})).toEqual([{ n: 1 }, { n: 1 }])
  })
  test('a different file under a name that only a replica has is left unchanged, and the name is refused', async () => {
    writeFileSync(inReplica('two'), 'foreign')
    await expect(put('ours')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^Replica two has a different file named a\.warc/) as string,
    })
    expect(readFileSync(inReplica('two'), 'utf8')).toBe('foreign')
    expect(existsSync(inReplica('one'))).toBe(false)
    expect(archive.file('a.warc')).toBeUndefined()
    rmSync(inReplica('two'))
    expect(await put('ours')).toEqual({ state: 'stored' })
  })
  test('an unreadable file under an unknown name does not count as the file: the name is refused', async () => {
    mkdirSync(inReplica('two'))
    await expect(put('ours')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(
        /^Replica two has a file named a\.warc that is not in the database and cannot be read/,
      ) as string,
    })
    expect(existsSync(inReplica('one'))).toBe(false)
    expect(archive.file('a.warc')).toBeUndefined()
    rmSync(inReplica('two'), { recursive: true })
    expect(await put('ours')).toEqual({ state: 'stored' })
  })
  test('a file counts as stored when it lacks only a replica that is no longer used', async () => {
    writeFileSync(join(folder, 'blocked'), '')
    const places = [...replicas(), { name: 'blocked', folder: join(folder, 'blocked') }]
    archive = await openArchive({ store, world, replicas: places, limits: noFloor })
    expect(await put('ours')).toMatchObject({ state: 'failed' })
    archive = await openArchive({ store, world, replicas: replicas(), limits: noFloor })
    expect(await put('ours')).toEqual({ state: 'stored' })
    expect(archive.file('a.warc')?.stored).not.toBeNull()
  })
  test('the same file under the name in a replica counts as copied', async () => {
    writeFileSync(inReplica('two'), 'ours')
    expect(await put('ours')).toEqual({ state: 'stored' })
    const attempts = store.statement<object, { n: number }>('SELECT upload_attempts AS n FROM replica_file ORDER BY id')
    expect(attempts.all({})).toEqual([{ n: 1 }, { n: 1 }])
  })
  test("a file in place of a replica's folder makes that replica unreachable, and the others work", async () => {
    writeFileSync(join(folder, 'blocked'), '')
    const places = [{ name: 'blocked', folder: join(folder, 'blocked') }, ...replicas()]
    archive = await openArchive({ store, world, replicas: places, limits: noFloor })
    const outcome = await put('text')
    expect(outcome).toMatchObject({ state: 'failed', problems: [{ replica: 'blocked', code: 'unreachable' }] })
    expect((await archive.replicas()).map(({ reachable, files, notStored }) => [reachable, files, notStored])).toEqual([
      [false, 0, 1],
      [true, 1, 0],
      [true, 1, 0],
    ])
    const opened = await archive.openFile('a.warc')
    expect(opened?.replica).toBe('one')
    await opened?.file.close()
  })
  test('a file that is stored while the replicas are summarized is in both counts', async () => {
    const meanwhile = [() => put('ours')]
    const disk: typeof world.disk = {
      ...world.disk,
      async freeBytes(path) {
        await meanwhile.pop()?.()
        return world.disk.freeBytes(path)
      },
    }
    archive = await openArchive({ store, world: { ...world, disk }, replicas: replicas(), limits: noFloor })
    expect((await archive.replicas()).map(({ files, notStored }) => [files, notStored])).toContainEqual([1, 0])
  })
  test('reading continues with the next replica when a copy is missing or truncated', async () => {
    await put('the text')
    truncateSync(inReplica('one'), 3)
    const opened = await archive.openFile('a.warc')
    expect(opened?.replica).toBe('two')
    expect(opened && (await textOf(opened))).toBe('the text')
    expect(await archive.whyNotGiven('a.warc')).toBeUndefined()
    await expect(archive.readableFrom('one', 'a.warc')).rejects.toMatchObject({ code: 'refused' })
    expect(await textOf(await archive.readableFrom('two', 'a.warc'))).toBe('the text')
    rmSync(inReplica('two'))
    expect(await archive.openFile('a.warc')).toBeUndefined()
    expect(await archive.whyNotGiven('a.warc')).toMatchObject({
      code: 'joined',
      values: {
        one: { code: 'copy.wrongLength', values: { replica: 'one', found: 3, bytes: 8 } },
        next: { code: 'copy.unreadable', values: { replica: 'two' } },
      },
    })
    await expect(archive.readableFrom('two', 'a.warc')).rejects.toMatchObject({ code: 'notFound' })
    await expect(archive.readableFrom('three', 'a.warc')).rejects.toMatchObject({ code: 'notFound' })
    expect(await archive.openFile('never.warc')).toBeUndefined()
  })
  test('the catalogue is searched by part of a name and by job, in pages', async () => {
    for (const name of ['b.warc', 'a.warc', 'A-2.warc']) await put(name, name, name === 'b.warc' ? 1 : 2)
    const names = (query: { text?: string; job?: number; offset?: number; limit?: number }) => {
      const { rows, total } = archive.files({ offset: 0, limit: 10, ...query })
      return [rows.map(({ name }) => name), total]
    }
    expect(names({})).toEqual([['A-2.warc', 'a.warc', 'b.warc'], 3])
    expect(names({ text: 'A' })).toEqual([['A-2.warc', 'a.warc', 'b.warc'], 3])
    expect(names({ text: 'a-' })).toEqual([['A-2.warc'], 1])
    expect(names({ job: 1 })).toEqual([['b.warc'], 1])
    expect(names({ offset: 1, limit: 1 })).toEqual([['a.warc'], 3])
    expect(names({ offset: 9 })).toEqual([[], 3])
  })
  test('a drive that is not mounted is not taken for the replica', async () => {
    await put('text')
    rmSync(join(folder, 'one'), { recursive: true })
    expect((await archive.replicas())[0]?.reachable).toBe(false)
    mkdirSync(join(folder, 'one'))
    expect((await archive.replicas())[0]?.reachable).toBe(false)
    expect(readdirSync(join(folder, 'one'))).toEqual([])
    // Files copied by hand without the mark: the replica is recognised by its files.
    writeFileSync(inReplica('one'), 'text')
    expect((await archive.replicas())[0]?.reachable).toBe(true)
    // The folders of two replicas exchanged in the settings.
    writeFileSync(join(folder, 'one', '.loupe-replica'), 'two\n')
    expect((await archive.replicas())[0]?.reachable).toBe(false)
  })
  test('a stop leaves the same as a kill, and storing again continues', async () => {
    const stopper = new AbortController()
    const file = { path: local(Buffer.alloc(1_000_000)), name: 'a.warc', kind: 'content', jobId: null } as const
    const stopped = archive.store(file, { signal: stopper.signal })
    archive.onChange(() => stopper.abort(new Error('enough')))
    await expect(stopped).rejects.toThrow('enough')
    expect(uploads()).not.toEqual(['UPLOAD_COMPLETED', 'UPLOAD_COMPLETED'])
    expect(readdirSync(join(folder, 'one')).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await archive.store(file)).toEqual({ state: 'stored' })
  })
  test.each([
    ['no replica', []],
    [
      'one name twice',
      [
        { name: 'one', folder: '/a' },
        { name: 'one', folder: '/b' },
      ],
    ],
    [
      'one folder twice',
      [
        { name: 'one', folder: '/a' },
        { name: 'two', folder: '/a/' },
      ],
    ],
    [
      'one in the attic of the other',
      [
        { name: 'two', folder: '/a/attic' },
        { name: 'one', folder: '/a' },
      ],
    ],
  ])('%s is refused', async (_, wrong) => {
    await expect(openArchive({ store, world, replicas: wrong })).rejects.toMatchObject({ code: 'refused' })
  })
  test('one folder twice is refused, also through a link; names with a common prefix are two folders', async () => {
    symlinkSync(join(folder, 'one'), join(folder, 'link'))
    const open = (...names: string[]) =>
      openArchive({ store, world, replicas: names.map((name) => ({ name, folder: join(folder, name) })) })
    await expect(open('one', 'link')).rejects.toThrow('replicas one and link have the same folder')
    await expect(open('link', 'one/within')).rejects.toThrow('replica one/within is inside the folder of replica link')
    expect((await (await open('one', 'one-more')).replicas()).map(({ reachable }) => reachable)).toEqual([true, true])
  })
})

describe('names', () => {
  test.each([
    ['IAH-20080430204825-00000-blackbook.warc.gz', true],
    ['1-metadata-1.warc', true],
    ['a', true],
    ['', false],
    ['.hidden', false],
    ['..', false],
    ['a/b', false],
    ['a\\b', false],
    ['a b', false],
    ['a\nb', false],
    ['naïve.warc', false],
    ['a.', false],
    ['CON.warc', false],
    ['console.warc', true],
    ['attic', false],
    ['Attic', false],
    ['attic.warc', true],
    ['a'.repeat(200), true],
    ['a'.repeat(201), false],
  ])('%j: %s', (name, allowed) => expect(nameProblem(name) === undefined).toBe(allowed))
  test('a temporary name yields its file name and is not a valid file name itself', () => {
    expect(nameOfTemporary(temporaryName('a.part'))).toBe('a.part')
    expect(nameProblem(temporaryName('a'))).toBeDefined()
    expect(nameOfTemporary('a.part')).toBeUndefined()
  })
})

const places = [
  { name: 'one', folder: '/one' },
  { name: 'two', folder: '/two' },
]
const file = { path: '/local', name: 'a.warc', kind: 'content', jobId: null } as const
const content = Buffer.from('what is to be kept, for ever '.repeat(100))

interface Outcome {
  archive: Archive
  store: Store
}

async function opened(world: World, store: Store): Promise<Outcome> {
  return { store, archive: await openArchive({ store, world, replicas: places }) }
}

async function bytesAt({ disk }: World, path: string): Promise<string | undefined> {
  return (await disk.stat(path)) ? Buffer.from(await disk.read(path, 1e6)).toString() : undefined
}

/** Invariants after any fault: a completed copy is correct in its replica, and a stored file has all its copies. */
async function expectTruth(world: SeededWorld, { archive }: Outcome): Promise<void> {
  const row = archive.file(file.name)
  const completed = row?.replicas.filter(({ upload }) => upload === 'UPLOAD_COMPLETED') ?? []
  for (const { replica } of completed) {
    const text = await world.run(bytesAt(world, `/${replica}/${file.name}`))
    expect(text).toBe(content.toString())
  }
  expect(row !== undefined && row.stored !== null).toBe(completed.length === places.length)
}

describe('faults', () => {
  async function prepared(seed = 1) {
    const world = seededWorld({ seed })
    const store = openStore(':memory:')
    await world.run(world.disk.write(file.path, content))
    return { world, ...(await world.run(opened(world, store))) }
  }

  test('power failure at any call: after opening, recovery and another store the file is stored', async () => {
    let cuts = 0
    for (let calls = 1; ; calls += 1) {
      const { world, archive, store } = await prepared(calls)
      const whole = await world.runUntilCut(archive.store(file), calls)
      if (whole) {
        expect(whole.value).toEqual({ state: 'stored' })
        break
      }
      cuts += 1
      const again = world.crash()
      const outcome = await again.run(opened(again, store))
      await expectTruth(again, outcome)
      await again.run(outcome.archive.resumeUploads())
      await expectTruth(again, outcome)
      expect(await again.run(leftIn(again))).toEqual([])
      expect(await again.run(outcome.archive.store(file))).toEqual({ state: 'stored' })
      await expectTruth(again, outcome)
    }
    expect(cuts).toBeGreaterThan(40)
  })
  test('recovery takes the bytes from a completed copy of another replica', async () => {
    const { world, archive, store } = await prepared()
    const rename = world.disk.fail({ path: /^\/two\//, code: 'full' })
    await world.run(archive.store(file))
    rename()
    store
      .statement("UPDATE replica_file SET upload_state = 'UPLOAD_STARTED' WHERE upload_state = 'UPLOAD_FAILED'")
      .run({})
    await world.run(world.disk.remove(file.path))
    await world.run(archive.resumeUploads())
    expect(archive.file(file.name)?.stored).not.toBeNull()
    expect(await world.run(bytesAt(world, '/two/a.warc'))).toBe(content.toString())
  })
  test('recovery leaves temporary files of names that are not in the catalogue', async () => {
    const { world, archive } = await prepared()
    await world.run(world.disk.write('/one/.other.warc.part', content))
    await world.run(archive.resumeUploads())
    expect(await world.run(leftIn(world))).toEqual(['.other.warc.part'])
  })
  test('a full disk fails the upload and leaves no files, and the next store continues', async () => {
    const { world, archive } = await prepared()
    const heal = world.disk.fail({ path: /^\/two\//, calls: ['append'], code: 'full' })
    const outcome = await world.run(archive.store(file))
    expect(outcome).toMatchObject({ state: 'failed', problems: [{ replica: 'two', code: 'noSpace' }] })
    expect(await world.run(leftIn(world))).toEqual([])
    heal()
    expect(await world.run(archive.store(file))).toEqual({ state: 'stored' })
  })
  test('lack of space is refused before a byte is written, also for concurrent stores', async () => {
    const { world, store } = await prepared()
    const limits = { freeBytesMin: 1_000_000, freeBytesToAcceptMin: 0 }
    const archive = await world.run(openArchive({ store, world, replicas: places.slice(0, 1), limits }))
    world.disk.freeBytesLeft = limits.freeBytesMin + content.length * 1.5
    const outcomes = await world.run(Promise.all(['a.warc', 'b.warc'].map((name) => archive.store({ ...file, name }))))
    expect(outcomes.map(({ state }) => state).sort()).toEqual(['failed', 'stored'])
    expect(outcomes.find(({ state }) => state === 'failed')).toMatchObject({ problems: [{ code: 'noSpace' }] })
  })
  /** `world` with actions before and after the threads that copy. */
  function meddled(world: SeededWorld, meddle: { before?: () => Promise<void>; after?: () => Promise<void> }): World {
    return {
      ...world,
      threads: {
        ...world.threads,
        async run(module, input, options) {
          const copies = module.href.endsWith('copyFile.thread.ts')
          if (copies) await meddle.before?.()
          const output = await world.threads.run(module, input, options)
          if (copies) await meddle.after?.()
          return output as never
        },
      },
    }
  }
  const oneReplica = places.slice(0, 1)

  test.each([
    [1, 'stored'],
    [9, 'failed'],
  ])('a copy that disappears %i times after it was made is made again at most once: %s', async (times, state) => {
    const { world, store } = await prepared()
    let left = times
    const after = async () => {
      left -= 1
      if (left >= 0) await world.disk.remove('/one/a.warc')
    }
    const parts = { store, world: meddled(world, { after }), replicas: oneReplica }
    const archive = await world.run(openArchive(parts))
    expect(await world.run(archive.store(file))).toMatchObject({ state })
    const attempts = store.statement<object, { n: number }>('SELECT upload_attempts AS n FROM replica_file')
    expect(attempts.get({})?.n).toBe(2)
  })
  test('a file that changes while it is copied never gets its name', async () => {
    const { world, store } = await prepared()
    const before = () => world.disk.write(file.path, Buffer.from('changed in the meantime'))
    const parts = { store, world: meddled(world, { before }), replicas: oneReplica }
    const archive = await world.run(openArchive(parts))
    expect(await world.run(archive.store(file))).toMatchObject({ state: 'failed', problems: [{ code: 'refused' }] })
    expect(await world.run(leftIn(world))).toEqual([])
    expect(await world.run(bytesAt(world, '/one/a.warc'))).toBeUndefined()
  })
  test('a file that has not the checksum that its caller computed never gets its name', async () => {
    const { world, store } = await prepared()
    const archive = await world.run(openArchive({ store, world, replicas: oneReplica }))
    const content = { bytes: 5, sha256: sha256(Buffer.from('other')) }
    const stored = await world.run(archive.store({ ...file, content }))
    expect(stored).toMatchObject({ state: 'failed', problems: [{ code: 'refused' }] })
    expect(await world.run(bytesAt(world, '/one/a.warc'))).toBeUndefined()
  })
  test('a file that appears under the name during the copy is not replaced', async () => {
    const { world, store } = await prepared()
    const before = () => world.disk.write('/one/a.warc', Buffer.from('foreign'))
    const parts = { store, world: meddled(world, { before }), replicas: oneReplica }
    const archive = await world.run(openArchive(parts))
    expect(await world.run(archive.store(file))).toMatchObject({ state: 'failed', problems: [{ code: 'refused' }] })
    expect(await world.run(leftIn(world))).toEqual([])
    expect(await world.run(bytesAt(world, '/one/a.warc'))).toBe('foreign')
  })
  test('a copy that is recognised is synced before it counts', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { world, archive, store } = await prepared(seed)
      world.disk.fail({ path: /^\/one$/, calls: ['syncFolder'], code: 'denied', times: 1 })
      expect(await world.run(archive.store(file))).toMatchObject({ state: 'failed', problems: [{ replica: 'one' }] })
      expect(await world.run(archive.store(file))).toEqual({ state: 'stored' })
      const again = world.crash()
      await expectTruth(again, await again.run(opened(again, store)))
    }
  })
  test('flipped bits during the copy fail the upload, and the copy is left for inspection', async () => {
    const { world, store } = await prepared()
    const after = async () => world.disk.corrupt('/one/a.warc', 10)
    const parts = { store, world: meddled(world, { after }), replicas: oneReplica }
    const archive = await world.run(openArchive(parts))
    expect(await world.run(archive.store(file))).toMatchObject({ state: 'failed', problems: [{ code: 'refused' }] })
    expect(archive.file(file.name)).toMatchObject({ stored: null, replicas: [{ upload: 'UPLOAD_FAILED' }] })
    const left = await world.run(bytesAt(world, '/one/a.warc'))
    expect(await world.run(archive.store(file))).toMatchObject({ state: 'failed' })
    expect(await world.run(bytesAt(world, '/one/a.warc'))).toBe(left)
  })

  const actions = [
    'stat',
    'openRead',
    'openWrite',
    'append',
    'truncate',
    'sync',
    'rename',
    'syncFolder',
    'readAt',
    'remove',
  ] as const
  const failure = fc.record({
    path: fc.constantFrom(/^\/one/, /^\/two/, /^\/local/, /^\/(one|two)/),
    code: fc.constantFrom('absent', 'denied', 'full', 'failed'),
    actions: fc.subarray([...actions], { minLength: 1 }),
    times: fc.integer({ min: 1, max: 3 }),
  } as const)
  const existing = fc.constantFrom(undefined, '', 'foreign', content.toString())

  test('for faults in any order: completed copies are right, stored means all, and nothing is overwritten', async () => {
    const property = fc.asyncProperty(
      fc.nat(),
      existing,
      fc.array(fc.array(failure, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 120 }),
      async (seed, before, rounds, cutAt) => {
        const machine = await prepared(seed)
        const { store } = machine
        let world = machine.world
        let outcome: Outcome = machine
        if (before !== undefined) await world.run(world.disk.write('/two/a.warc', Buffer.from(before)))
        const registered = { sha: undefined as string | undefined }
        for (const failures of rounds) {
          const heals = failures.map((one) => world.disk.fail(one))
          const ended = await world.runUntilCut(settled(outcome.archive.store(file)), cutAt)
          for (const heal of heals) heal()
          if (!ended) {
            world = world.crash()
            outcome = await world.run(opened(world, store))
          }
          await expectTruth(world, outcome)
          registered.sha ??= outcome.archive.file(file.name)?.sha256
          expect(outcome.archive.file(file.name)?.sha256).toBe(registered.sha)
          if (before !== undefined) expect(await world.run(bytesAt(world, '/two/a.warc'))).toBe(before)
        }
        await world.run(outcome.archive.resumeUploads())
        await expectTruth(world, outcome)
        const last = await world.run(settled(outcome.archive.store(file)))
        const isFree = before === undefined || before === content.toString()
        // If it was registered while the replica was unreachable, its upload fails; otherwise it is refused beforehand.
        const refused = registered.sha === undefined ? 'fault' : { state: 'failed' }
        expect(last).toEqual(
          isFree ? { state: 'stored' } : refused === 'fault' ? refused : expect.objectContaining(refused),
        )
        await expectTruth(world, outcome)
        store.close()
      },
    )
    await fc.assert(property, { numRuns: 150 })
  })
})

/** A fault of the archive is an outcome here; anything else is a bug and fails the test. */
async function settled<T>(promise: Promise<T>): Promise<T | 'fault'> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && error.name === 'ArchiveFault') return 'fault'
    throw error
  }
}

async function leftIn({ disk }: World): Promise<string[]> {
  const entries = await Promise.all(places.map(({ folder }) => disk.list(folder)))
  return entries.flat().flatMap(({ name }) => (nameOfTemporary(name) === undefined ? [] : [name]))
}
