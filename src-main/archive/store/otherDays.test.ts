import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from './archive.ts'
import { checksumFileName } from '../replica/checksumFile.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { sha256, limits, content, file, checked } from './testing/storingFixture.ts'

describe('folders and checksums together', () => {
  const places: ReplicaPlace[] = [
    { name: 'sums', folder: '/sums', kind: 'checksums' },
    { name: 'one', folder: '/one' },
    { name: 'two', folder: '/two', kind: 'files' },
  ]
  async function prepared(seed = 1) {
    const world = seededWorld({ seed })
    const store = openStore(':memory:')
    await world.run(world.disk.write(file.path, Buffer.from(content)))
    return { world, store, archive: await world.run(openArchive({ store, world, replicas: places, limits })) }
  }
  const sumsIn = async (world: World) => Buffer.from(await world.disk.read(`/sums/${checksumFileName}`, 1e6)).toString()

  test('a stored file has its entry, and is read from a replica that contains it', async () => {
    const { world, store, archive } = await prepared()
    expect(await world.run(archive.store(file))).toEqual({ state: 'stored' })
    expect(await world.run(sumsIn(world))).toBe(`${sha256(content)}  a.warc\n`)
    const opened = await world.run(archive.openFile('a.warc'))
    expect(opened?.replica).toBe('one')
    expect(await world.run(archive.pathOfFile('a.warc'))).toEqual({ replica: 'one', path: '/one/a.warc' })
    await expect(world.run(archive.readableFrom('sums', 'a.warc'))).rejects.toMatchObject({ code: 'refused' })
    const summaries = await world.run(archive.replicas())
    expect(summaries.map(({ kind, files, reachable }) => [kind, files, reachable])).toEqual([
      ['checksums', 1, true],
      ['files', 1, true],
      ['files', 1, true],
    ])
    expect(await world.run(checked({ archive, store, world }, 'checksums'))).toEqual([])
    expect(await world.run(checked({ archive, store, world }, 'missing'))).toEqual([])
  })
  test('an entry that is wrong, missing or repeated is found', async () => {
    const { world, store, archive } = await prepared()
    await world.run(archive.store(file))
    const findings = async (text: string, kind: 'missing' | 'checksums') => {
      await world.run(world.disk.write(`/sums/${checksumFileName}`, Buffer.from(text)))
      return world.run(checked({ archive, store, world }, kind))
    }
    const line = `${sha256(content)}  a.warc\n`
    expect(await findings(`${sha256('x')}  a.warc\n`, 'checksums')).toEqual(['sums a.warc wrongChecksum'])
    expect(await findings('', 'missing')).toEqual(['sums a.warc missing'])
    expect(await findings(`${line}${sha256('x')}  b.warc\n`, 'missing')).toEqual(['sums b.warc surplus'])
    expect(await findings(`${line}${sha256('x')}  a.warc\n`, 'checksums')).toEqual(['sums a.warc unreadable'])
    expect(await findings(line, 'checksums')).toEqual([])
  })
  test('power failure at any call: recovery and the next store succeed', async () => {
    for (let calls = 1; ; calls += 1) {
      const { world, store, archive } = await prepared(calls)
      const whole = await world.runUntilCut(archive.store(file), calls)
      const next = world.crash()
      const again = await next.run(openArchive({ store, world: next, replicas: places, limits }))
      await next.run(again.resumeUploads())
      expect(await next.run(again.store(file))).toEqual({ state: 'stored' })
      expect(await next.run(sumsIn(next))).toBe(`${sha256(content)}  a.warc\n`)
      expect(await next.run(checked({ archive: again, store, world: next }, 'checksums'))).toEqual([])
      store.close()
      if (!whole) continue
      expect(calls).toBeGreaterThan(40)
      return
    }
  })
  test('recovery takes the bytes from a replica of files, never from one of checksums', async () => {
    const { world, store, archive } = await prepared()
    const heal = world.disk.fail({ path: /^\/two\//, code: 'full' })
    await world.run(archive.store(file))
    heal()
    store
      .statement("UPDATE replica_file SET upload_state = 'UPLOAD_STARTED' WHERE upload_state = 'UPLOAD_FAILED'")
      .run({})
    await world.run(world.disk.remove(file.path))
    await world.run(archive.resumeUploads())
    expect(archive.file(file.name)?.stored).not.toBeNull()
  })
  test('checksums alone are no archive', async () => {
    const { world, store } = await prepared()
    const opening = openArchive({ store, world, replicas: places.slice(0, 1) })
    await expect(world.run(opening)).rejects.toMatchObject({ code: 'refused' })
  })
})

describe('a database and files from different days', () => {
  const root = mkdtempSync(join(tmpdir(), 'loupe-days-'))
  const world = realWorld()
  afterAll(() => rmSync(root, { recursive: true }))
  let folder: string
  let store: Store
  let archive: Archive
  const placeAt = (name: string) => join(folder, name)

  async function open(): Promise<void> {
    store = openStore(placeAt('loupe.db'))
    const replicas: ReplicaPlace[] = [
      { name: 'one', folder: placeAt('one') },
      { name: 'two', folder: placeAt('two') },
      { name: 'sums', folder: placeAt('sums'), kind: 'checksums' },
    ]
    archive = await openArchive({ store, world, replicas, limits })
  }
  async function put(name: string, text = `the content of ${name}`) {
    writeFileSync(placeAt('local'), text)
    return archive.store({ path: placeAt('local'), name, kind: 'content', jobId: null })
  }
  const uploads = (name: string) => archive.file(name)?.replicas.map(({ upload }) => upload)
  const attempts = () =>
    store.statement<object, { n: number }>(`SELECT SUM(upload_attempts) AS n FROM replica_file`).get({})
  const findings = (kind: 'missing' | 'checksums') => checked({ archive, store, world }, kind)
  const inReplica = (replica: string, name: string) => readFileSync(join(placeAt(replica), name), 'utf8')

  /** Stores yesterday's file, keeps copies of everything, then stores today's. */
  beforeEach(async () => {
    folder = mkdtempSync(join(root, 'case-'))
    await open()
    await put('yesterday.warc')
    store.close()
    copyFileSync(placeAt('loupe.db'), placeAt('yesterday.db'))
    for (const replica of ['one', 'two', 'sums'])
      cpSync(placeAt(replica), placeAt(`${replica}-yesterday`), { recursive: true })
    await open()
    await put('today.warc')
    store.close()
  })
  function restoreDatabase(): void {
    for (const end of ['-wal', '-shm']) rmSync(placeAt(`loupe.db${end}`), { force: true })
    copyFileSync(placeAt('yesterday.db'), placeAt('loupe.db'))
  }
  function restoreReplica(replica: string): void {
    rmSync(placeAt(replica), { recursive: true })
    cpSync(placeAt(`${replica}-yesterday`), placeAt(replica), { recursive: true })
  }

  test('an older database: unknown files are named, and recognised when they are stored again', async () => {
    restoreDatabase()
    await open()
    expect(archive.file('today.warc')).toBeUndefined()
    expect(await findings('missing')).toEqual([
      'one today.warc surplus',
      'two today.warc surplus',
      'sums today.warc surplus',
    ])
    expect(await findings('checksums')).toEqual([])
    expect(await put('today.warc')).toEqual({ state: 'stored' })
    expect(uploads('today.warc')).toEqual(Array(3).fill('UPLOAD_COMPLETED'))
    expect(await findings('missing')).toEqual([])
    store.close()
  })
  test('an older database and another file under an unknown name: refused, and the existing file is still reported', async () => {
    restoreDatabase()
    await open()
    await expect(put('today.warc', 'something else')).rejects.toMatchObject({ code: 'refused' })
    const text = await put('today.warc', 'something else').catch((error: unknown) => String(error))
    expect(text).toContain(
      `Replica one has a different file named today.warc (SHA-256 ${sha256('the content of today.warc')})`,
    )
    expect(text).toContain('restore a newer backup; otherwise choose another name')
    expect(archive.file('today.warc')).toBeUndefined()
    expect(inReplica('one', 'today.warc')).toBe('the content of today.warc')
    expect(inReplica('sums', checksumFileName)).toContain(sha256('the content of today.warc'))
    expect(await findings('missing')).toEqual(['one', 'two', 'sums'].map((replica) => `${replica} today.warc surplus`))
    // The same file is accepted; a different one is then refused because of the registered checksum.
    expect(await put('today.warc')).toEqual({ state: 'stored' })
    await expect(put('today.warc', 'something else')).rejects.toMatchObject({ code: 'refused' })
    store.close()
  })
  test('an older database, and only one replica with the newer file: the other file is refused all the same', async () => {
    restoreDatabase()
    for (const replica of ['one', 'sums']) restoreReplica(replica)
    await open()
    await expect(put('today.warc', 'something else')).rejects.toThrow(
      'Replica two has a different file named today.warc',
    )
    expect(archive.file('today.warc')).toBeUndefined()
    store.close()
  })
  test('an older database from the middle of a store: recovery asks the replicas and writes nothing', async () => {
    await open()
    store.statement('DELETE FROM observation').run({})
    store
      .statement(`DELETE FROM replica_file WHERE file_id = (SELECT id FROM archive_file WHERE name = 'today.warc')`)
      .run({})
    for (const [replica, state] of [
      ['one', 'UPLOAD_STARTED'],
      ['two', 'UNKNOWN_UPLOAD_STATE'],
      ['sums', 'DATA_UPLOADED'],
    ]) {
      const insert = `INSERT INTO replica_file (file_id, replica, upload_state) SELECT id, @replica, @state FROM archive_file WHERE name = 'today.warc'`
      store.statement<{ replica: string; state: string }>(insert).run({ replica: replica ?? '', state: state ?? '' })
    }
    const before = attempts()
    await archive.resumeUploads()
    expect(uploads('today.warc')).toEqual(Array(3).fill('UPLOAD_COMPLETED'))
    expect(attempts()).toEqual(before)
    store.close()
  })
  test('an older replica: lost files are named, read from the other, and not reported as stored', async () => {
    restoreReplica('two')
    await open()
    expect(await findings('missing')).toEqual(['two today.warc missing'])
    const opened = await archive.openFile('today.warc')
    expect(opened?.replica).toBe('one')
    await opened?.file.close()
    expect(await put('today.warc')).toMatchObject({ state: 'failed', problems: [{ replica: 'two', code: 'refused' }] })
    expect(uploads('today.warc')).toEqual(Array(3).fill('UPLOAD_COMPLETED'))
    expect(inReplica('one', 'today.warc')).toBe('the content of today.warc')
    store.close()
  })
  test('all replicas restored to an older state: every newer file is reported, with the advice to keep other copies', async () => {
    for (const replica of ['one', 'two', 'sums']) restoreReplica(replica)
    await open()
    const lost = ['one', 'two', 'sums'].map((replica) => `${replica} today.warc missing`)
    expect(await findings('checksums')).toEqual(lost)
    expect(await findings('missing')).toEqual(lost)
    expect(await archive.openFile('today.warc')).toBeUndefined()
    expect(await put('today.warc')).toMatchObject({ state: 'failed', problems: [{}, {}, {}] })
    expect(await put('yesterday.warc')).toEqual({ state: 'stored' })
    store.close()
  })
})
