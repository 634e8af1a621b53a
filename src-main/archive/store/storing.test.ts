import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from './archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import { openChecks } from '../testing/openChecks.ts'
import { checksumFileName } from '../replica/checksumFile.ts'
import { faultyReplica, type Damage, type FaultyReplica, type ReplicaFault } from '../testing/faultyReplica.ts'
import { folderReplica } from '../replica/folderReplica.ts'
import { memoryReplica } from '../testing/memoryReplica.ts'
import type { ReplicaPlace } from '../replica/replica.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
const content = 'what is to be kept, for ever '.repeat(50)
const file = { path: '/local', name: 'a.warc', kind: 'content', jobId: null } as const

function raise(error: unknown): never {
  throw error
}

/** Every finding of a whole check, as `replica name finding`. */
async function checked(parts: { archive: Archive; store: Store; world: World }, kind: 'missing' | 'checksums') {
  const { preservation, close } = await openChecks({ ...parts, onBug: raise })
  const { task: check } = await preservation.check({ kind })
  await preservation.ended(check)
  const findings = preservation.findings(check).map(({ replica, name, finding }) => `${replica} ${name} ${finding}`)
  await close()
  return findings
}

test.each(['damaged', 'removed'])(
  'recovery goes on from a good copy where the first one is known to be %s',
  async (how) => {
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
  },
)

describe('a fault at every step of every replica', () => {
  const names = ['one', 'two'] as const
  type Drives = Map<string, Map<string, Uint8Array>>
  interface Break {
    victim: string
    at: number
    fault: ReplicaFault
  }

  /** An archive over drives that outlive it, one of which breaks. */
  function begun(
    world: World,
    store: Store,
    drives: Drives,
    broken?: Break,
  ): { archive: Promise<Archive>; faulty: FaultyReplica | undefined } {
    let faulty: FaultyReplica | undefined
    const archive = openArchive({
      store,
      world,
      limits,
      replicas: names.map((name) => ({ name, folder: `/${name}` })),
      replicaAt({ place, rules }) {
        const held = drives.get(place.name) ?? raise(new Error('no such drive'))
        const inner = memoryReplica({ world, name: place.name, rules, bytesMax: () => 2 ** 40, held })
        if (broken?.victim !== place.name) return inner
        const damage = (name: string, how: Damage) => spoil(held, name, how)
        return (faulty = faultyReplica({ inner, clock: world.clock, at: broken.at, fault: broken.fault, damage }))
      },
    })
    return { archive, faulty }
  }

  function spoil(held: Map<string, Uint8Array>, name: string, how: Damage): void {
    const bytes = held.get(name)
    if (!bytes) return
    if (how === 'lost') held.delete(name)
    else
      held.set(
        name,
        how === 'truncated' ? bytes.slice(0, 10) : Uint8Array.from(bytes, (byte, at) => (at === 7 ? byte ^ 1 : byte)),
      )
  }

  async function prepared(seed: number) {
    const world = seededWorld({ seed })
    const drives: Drives = new Map(names.map((name) => [name, new Map<string, Uint8Array>()]))
    await world.run(world.disk.write(file.path, Buffer.from(content)))
    return { world, store: openStore(':memory:'), drives }
  }

  /** What is stored in truth, against what the catalogue says. */
  function expectTruth(archive: Archive, drives: Drives): void {
    const known = archive.file(file.name)
    const completed = known?.replicas.filter(({ upload }) => upload === 'UPLOAD_COMPLETED') ?? []
    for (const { replica } of completed) expect(textIn(drives, replica)).toBe(content)
    expect(known !== undefined && known.stored !== null).toBe(completed.length === names.length)
  }
  const textIn = (drives: Drives, replica: string) => {
    const bytes = drives.get(replica)?.get(file.name)
    return bytes && Buffer.from(bytes).toString()
  }

  /** Drives one fault through every step of one replica; gives how many there were. */
  async function everywhere(
    victim: string,
    fault: ReplicaFault,
    act: (broken: Break, seed: number) => Promise<{ steps: number }>,
  ): Promise<number> {
    let at = 1
    for (let steps = Infinity; at <= steps; at += 1) steps = (await act({ victim, at, fault }, at)).steps
    return at - 1
  }

  const passing: ReplicaFault[] = [
    { kind: 'fails' },
    { kind: 'fills' },
    { kind: 'leaves' },
    { kind: 'slows', ms: 60_000 },
  ]
  test.each(names.flatMap((victim) => passing.map((fault) => [victim, fault] as const)))(
    '%s, %j: nothing is lost, and once it is over the next store ends well',
    async (victim, fault) => {
      const count = await everywhere(victim, fault, async (broken, seed) => {
        const { world, store, drives } = await prepared(seed)
        const { archive: opening, faulty } = begun(world, store, drives, broken)
        const archive = await world.run(opening)
        const outcome = await world.run(archive.store(file))
        expectTruth(archive, drives)
        // A caller that deletes its copy after "stored" deletes nothing that is not in two replicas.
        expect(outcome.state === 'stored').toBe(archive.file(file.name)?.stored !== null)
        if (outcome.state === 'failed') expect(outcome.problems.map(({ replica }) => replica)).toEqual([victim])
        const healed = await world.run(begun(world, store, drives).archive)
        await world.run(healed.resumeUploads())
        expectTruth(healed, drives)
        expect(await world.run(healed.store(file))).toEqual({ state: 'stored' })
        expectTruth(healed, drives)
        store.close()
        return { steps: faulty?.steps ?? 0 }
      })
      expect(count).toBeGreaterThan(4)
    },
  )

  test.each(names)('%s stops, as at a kill: recovery and the next store end well', async (victim) => {
    const count = await everywhere(victim, { kind: 'stops' }, async (broken, seed) => {
      const { world, store, drives } = await prepared(seed)
      const { archive: opening, faulty } = begun(world, store, drives, broken)
      const whole = opening.then((archive) => archive.store(file))
      await world.run(Promise.race([whole, faulty?.stopped]))
      const next = world.crash()
      const again = await next.run(begun(next, store, drives).archive)
      expectTruth(again, drives)
      await next.run(again.resumeUploads())
      expectTruth(again, drives)
      expect(
        again
          .file(file.name)
          ?.replicas.filter(({ upload }) => upload !== 'UPLOAD_COMPLETED' && upload !== 'UPLOAD_FAILED') ?? [],
      ).toEqual([])
      expect(await next.run(again.store(file))).toEqual({ state: 'stored' })
      expectTruth(again, drives)
      store.close()
      // Where it stopped, no later step is known: an undisturbed run has as many as this one and one more.
      const wasStopped = (faulty?.steps ?? 0) >= broken.at
      return { steps: wasStopped ? broken.at + 1 : broken.at }
    })
    expect(count).toBeGreaterThan(4)
  })

  const damages = names.flatMap((victim) =>
    (['flipped', 'truncated', 'lost'] as const).map((how) => [victim, how] as const),
  )
  test.each(damages)('%s, %s in silence: it does not count as good, and is not written over', async (victim, how) => {
    const found = new Set<string>()
    await everywhere(victim, { kind: 'damages', how }, async (broken, seed) => {
      const { world, store, drives } = await prepared(seed)
      const { archive: opening, faulty } = begun(world, store, drives, broken)
      const archive = await world.run(opening)
      const outcome = await world.run(archive.store(file))
      const steps = faulty?.steps ?? 0
      if (broken.at > steps) return { steps }
      const after = textIn(drives, victim)
      const findings = await world.run(checked({ archive, store, world }, 'checksums'))
      const finding = { flipped: 'wrongChecksum', truncated: 'wrongLength', lost: 'missing' }[how]
      const isDamaged = after !== content
      if (outcome.state === 'stored') expect(findings).toEqual(isDamaged ? [`${victim} ${file.name} ${finding}`] : [])
      else expect(outcome.problems.map(({ replica }) => replica)).toEqual([victim])
      const again = await world.run(archive.store(file))
      if (isDamaged && after !== undefined) expect([again.state, textIn(drives, victim)]).toEqual(['failed', after])
      if (isDamaged && outcome.state === 'stored')
        expect(again).toMatchObject({ state: 'failed', problems: [{ replica: victim }] })
      for (const name of names) if (name !== victim) expect(textIn(drives, name)).toBe(content)
      found.add(`${outcome.state} ${isDamaged}`)
      store.close()
      return { steps }
    })
    expect(found).toContain('stored true')
    expect(found).toContain('stored false')
    // A copy that is gone is written again, as NetarchiveSuite allows.
    if (how !== 'lost') expect(found).toContain('failed true')
  })
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
  test('a store whose signal was aborted before does nothing', async () => {
    const { world, archive } = await prepared()
    const stopped = archive.store(file, { signal: AbortSignal.abort(new Error('never')) })
    await expect(world.run(stopped)).rejects.toThrow('never')
    expect(archive.file(file.name)).toBeUndefined()
  })
})

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
    // The very file is taken in, and then the other one is refused for what is registered.
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
