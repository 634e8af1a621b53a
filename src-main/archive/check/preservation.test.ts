import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { afterAll, describe, expect, test } from 'vitest'
import type { CheckSummary } from '../../contract/services/checks.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { openChecks } from '../testing/openChecks.ts'
import type { CheckOrder, Preservation } from './preservation.ts'
import { pauseMs } from '../files/readThrough.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { sampleOf } from './sample.ts'
import { verdictOn, type Seen } from '../copies/verdict.ts'

interface Setting {
  store: Store
  archive: Archive
  tasks: Tasks
  preservation: Preservation
  close: () => Promise<void>
}

const names = Array.from({ length: 6 }, (_, index) => `${index}-of-6.warc`)
const textOf = (name: string) => `the content of ${name} `.repeat(20)
const kinds = ['missing', 'checksums'] as const

function raise(error: unknown): never {
  throw error
}

async function opened(world: World, store: Store, folder: string, limits?: Partial<ArchiveLimits>): Promise<Setting> {
  const replicas = ['one', 'two'].map((name) => ({ name, folder: join(folder, name) }))
  const archive = await openArchive({
    store,
    world,
    replicas,
    limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0, ...limits },
  })
  return { store, archive, ...(await openChecks({ archive, store, world, onBug: raise })) }
}

/** An archive with six files in two replicas. */
async function filled(world: World, folder: string, limits?: Partial<ArchiveLimits>): Promise<Setting> {
  const setting = await opened(world, openStore(':memory:'), folder, limits)
  for (const name of names) {
    const path = join(folder, `local-${name}`)
    await world.disk.write(path, Buffer.from(textOf(name)))
    const outcome = await setting.archive.store({ path, name, kind: 'content', jobId: 1 })
    expect(outcome).toEqual({ state: 'stored' })
  }
  return setting
}

async function checked({ preservation }: Setting, order: CheckOrder): Promise<CheckSummary> {
  const { task: check } = await preservation.check(order)
  return preservation.ended(check)
}

const short = (setting: Setting, check?: number) =>
  setting.preservation.findings(check).map(({ replica, name, finding }) => `${replica} ${name} ${finding}`)
const states = (setting: Setting, replica: string) =>
  names.map((name) => setting.archive.file(name)?.replicas.find((copy) => copy.replica === replica)?.preservation)

describe('on a real disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'loupe-preservation-'))
  const world = realWorld()
  afterAll(() => rmSync(root, { recursive: true }))

  const damage: { what: string; do: (path: string) => void; missing: string[]; checksums: string[] }[] = [
    { what: 'nothing', do: () => undefined, missing: [], checksums: [] },
    { what: 'a flipped byte', do: flip, missing: [], checksums: ['wrongChecksum'] },
    { what: 'a removed file', do: (path) => rmSync(path), missing: ['missing'], checksums: ['missing'] },
    { what: 'a lost end', do: (path) => truncateSync(path, 5), missing: ['wrongLength'], checksums: ['wrongLength'] },
    { what: 'a folder in its place', do: folderInPlace, missing: ['unreadable'], checksums: ['unreadable'] },
    { what: 'a link to the other copy', do: linkInPlace, missing: ['unreadable'], checksums: ['unreadable'] },
    { what: 'a link to a device', do: deviceInPlace, missing: ['unreadable'], checksums: ['unreadable'] },
  ]
  const rows = damage.flatMap((row) => kinds.map((kind) => ({ ...row, kind, findings: row[kind] })))

  test.each(rows)('$what: a check of $kind finds $findings', async ({ do: spoil, kind, findings }) => {
    const folder = mkdtempSync(join(root, 'case-'))
    const setting = await filled(world, folder)
    spoil(join(folder, 'two', '3-of-6.warc'))
    const summary = await checked(setting, { kind })
    expect(summary).toMatchObject({
      state: findings.length === 0 ? 'DONE' : 'DONE_WITH_FINDINGS',
      filesTotal: 12,
      filesDone: 12,
      findings: findings.length,
      problem: null,
    })
    expect(summary.bytesDone).toBe(summary.bytesTotal)
    expect(summary.bytesTotal > 0).toBe(kind === 'checksums')
    const expected = findings.map((finding) => `two 3-of-6.warc ${finding}`)
    expect(short(setting, summary.task)).toEqual(expected)
    expect(short(setting)).toEqual(expected)
    const good = kind === 'checksums' ? 'OK' : 'PRESENT'
    expect(states(setting, 'one')).toEqual(names.map(() => good))
    if (findings.length > 0) {
      expect(states(setting, 'two')[3]).toBe(findings[0] === 'missing' ? 'MISSING' : 'CORRUPT')
      const read = await setting.archive.openFile('3-of-6.warc')
      expect(read?.replica).toBe('one')
      await read?.file.close()
    }
    await setting.close()
  })

  function flip(path: string): void {
    writeFileSync(path, textOf('3-of-6.warc').replace('content', 'contenT'))
  }
  function folderInPlace(path: string): void {
    rmSync(path)
    mkdirSync(path)
  }
  function linkInPlace(path: string): void {
    rmSync(path)
    symlinkSync(join(path, '..', '..', 'one', basename(path)), path)
  }
  function deviceInPlace(path: string): void {
    rmSync(path)
    symlinkSync('/dev/zero', path)
  }

  test('a replica folder may be a symbolic link', async () => {
    const folder = mkdtempSync(join(root, 'linked-'))
    mkdirSync(join(folder, 'drive'))
    symlinkSync(join(folder, 'drive'), join(folder, 'two'))
    const setting = await filled(world, folder)
    expect(await checked(setting, { kind: 'checksums' })).toMatchObject({ state: 'DONE', findings: 0 })
    await setting.close()
  })
})

describe('checks', () => {
  async function prepared(seed = 1) {
    const world = seededWorld({ seed })
    return { world, setting: await world.run(filled(world, '/')) }
  }
  const check = (world: SeededWorld, setting: Setting, order: CheckOrder) => world.run(checked(setting, order))
  const counted = async (world: SeededWorld, setting: Setting) =>
    (await world.run(setting.archive.replicas())).map(({ neverChecked, missing, corrupt }) => [
      neverChecked,
      missing,
      corrupt,
    ])

  test.each([
    { what: 'unchanged', text: textOf('3-of-6.warc'), state: 'OK', findings: [] },
    {
      what: 'with other bytes of the same length',
      text: textOf('3-of-6.warc').replace('content', 'contenT'),
      state: 'CORRUPT',
      findings: ['two 3-of-6.warc wrongChecksum'],
    },
  ])('a missing copy that reappears $what is read, also by a check for missing files', async (row) => {
    const { world, setting } = await prepared()
    await check(world, setting, { kind: 'checksums' })
    await world.run(world.disk.remove('/two/3-of-6.warc'))
    await check(world, setting, { kind: 'missing' })
    await world.run(world.disk.write('/two/3-of-6.warc', Buffer.from(row.text)))
    await check(world, setting, { kind: 'missing' })
    expect(states(setting, 'two')[3]).toBe(row.state)
    expect(short(setting)).toEqual(row.findings)
  })

  test('findings in a replica that left the settings are not listed', async () => {
    const { world, setting } = await prepared()
    await world.run(world.disk.remove('/two/3-of-6.warc'))
    await world.run(world.disk.write('/two/stray.warc', Buffer.from('x')))
    await check(world, setting, { kind: 'missing' })
    expect(short(setting)).toEqual(['two 3-of-6.warc missing', 'two stray.warc surplus'])
    const { store } = setting
    const replicas = [{ name: 'one', folder: '/one' }]
    const archive = await world.run(openArchive({ store, world, replicas, limits: { freeBytesMin: 0 } }))
    const checks = await openChecks({ archive, store, world, onBug: raise })
    expect(short({ store, archive, ...checks })).toEqual([])
  })

  test('copies count as never checked until a check has read them', async () => {
    const { world, setting } = await prepared()
    expect(await counted(world, setting)).toEqual([
      [6, 0, 0],
      [6, 0, 0],
    ])
    await check(world, setting, { kind: 'missing', replica: 'two' })
    expect(await counted(world, setting)).toEqual([
      [6, 0, 0],
      [0, 0, 0],
    ])
    await world.run(world.disk.remove('/one/0-of-6.warc'))
    world.disk.corrupt('/one/1-of-6.warc', 3)
    await check(world, setting, { kind: 'checksums', replica: 'one' })
    expect(await counted(world, setting)).toEqual([
      [0, 1, 1],
      [0, 0, 0],
    ])
  })
  test('only a check of every file says when the replica was last checked', async () => {
    const { world, setting } = await prepared()
    const last = async () =>
      (await world.run(setting.archive.replicas())).map((row) => [row.lastMissingCheck, row.lastChecksumCheck])
    await check(world, setting, { kind: 'missing', files: '^0' })
    await check(world, setting, { kind: 'checksums', sample: 6 })
    expect(await last()).toEqual([
      [null, null],
      [null, null],
    ])
    const { ended } = await check(world, setting, { kind: 'checksums', replica: 'two' })
    expect(await last()).toEqual([
      [null, null],
      [null, ended],
    ])
  })
  test('a file that is not in the catalogue is surplus until it is registered or gone', async () => {
    const { world, setting } = await prepared()
    await world.run(world.disk.write('/two/extra.warc', Buffer.from('extra')))
    await world.run(world.disk.write('/two/.hidden', Buffer.from('by the system')))
    await world.run(world.disk.makeFolder('/two/folder'))
    const { task: first } = await check(world, setting, { kind: 'missing' })
    expect(short(setting, first)).toEqual(['two extra.warc surplus'])
    expect(short(setting)).toEqual(['two extra.warc surplus'])
    await check(world, setting, { kind: 'missing', files: 'of-6' })
    expect(short(setting)).toEqual(['two extra.warc surplus'])
    await world.run(world.disk.remove('/two/extra.warc'))
    await check(world, setting, { kind: 'missing' })
    expect(short(setting)).toEqual([])
    expect(short(setting, first)).toEqual(['two extra.warc surplus'])
  })
  const orders: CheckOrder[] = kinds.flatMap((kind) => [
    { kind },
    { kind, replica: 'two' },
    { kind, files: '^[34]-' },
    { kind, sample: 2 },
    { kind, sample: 9, replica: 'one', files: '[0-4]' },
  ])
  test.each(orders)('an estimate of %j is what the check then looks at, and writes nothing', async (order) => {
    const { world, setting } = await prepared()
    const estimate = await world.run(setting.preservation.estimate(order))
    expect(setting.preservation.checks()).toEqual([])
    const { filesTotal, bytesTotal } = await check(world, setting, order)
    expect([estimate.copies, estimate.bytes]).toEqual([filesTotal, bytesTotal])
    const matching = names.filter((name) => new RegExp(order.files ?? '').test(name))
    expect(estimate).toMatchObject({ of: matching.length, names: matching.slice(0, 3) })
    expect(estimate.files).toBe(Math.min(matching.length, order.sample ?? 6))
  })
  test.each(kinds)('a pattern that matches no file is refused without an audit entry: %s', async (kind) => {
    const { world, setting } = await prepared()
    const order = { kind, files: 'nothing like it' }
    await expect(world.run(setting.preservation.check(order))).rejects.toMatchObject({
      code: 'notFound',
      message: 'The archive has no file whose name matches nothing like it. Nothing was checked.',
    })
    expect(setting.preservation.checks()).toEqual([])
    expect(
      openAuditLog(setting.store)
        .page({ offset: 0, limit: 10 })
        .rows.filter(({ what }) => what !== 'store'),
    ).toEqual([])
    expect(await world.run(setting.preservation.estimate(order))).toMatchObject({ files: 0, copies: 0, bytes: 0 })
  })
  describe('a file that was never stored in a replica', () => {
    /** The third replica came into the settings after the files were stored. */
    async function withThird() {
      const { world, setting } = await prepared()
      const replicas = ['one', 'two', 'three'].map((name) => ({ name, folder: `/${name}` }))
      const { store } = setting
      const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
      const archive = await world.run(openArchive({ store, world, replicas, limits }))
      const checks = await openChecks({ archive, store, world, onBug: raise })
      return { world, setting: { store, archive, ...checks } }
    }
    const entries = ({ store }: Setting) =>
      openAuditLog(store)
        .page({ offset: 0, limit: 100 })
        .rows.filter(({ what }) => what === 'finding')
        .map(({ subject }) => subject)

    test.each(kinds)('is a finding of a check of %s, and of the audit log once', async (kind) => {
      const { world, setting } = await withThird()
      const summary = await check(world, setting, { kind })
      expect(summary).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesTotal: 18, filesDone: 18, findings: 6 })
      expect(short(setting, summary.task)).toEqual(names.map((name) => `three ${name} notStored`))
      expect(entries(setting).toSorted()).toEqual(names)
      expect(await check(world, setting, { kind })).toMatchObject({ findings: 6 })
      expect(entries(setting)).toHaveLength(6)
    })
    test('is a finding also of a sample, and where only that replica is checked', async () => {
      const { world, setting } = await withThird()
      expect(await check(world, setting, { kind: 'checksums', sample: 2 })).toMatchObject({
        filesTotal: 6,
        findings: 2,
      })
      const one = { kind: 'missing', replica: 'three', files: '^4' } as const
      expect(await world.run(setting.preservation.estimate(one))).toMatchObject({
        files: 1,
        of: 1,
        copies: 1,
        bytes: 0,
      })
      const { task: number } = await check(world, setting, one)
      expect(short(setting, number)).toEqual(['three 4-of-6.warc notStored'])
    })
    test('is not reported when the file is stored before the check reaches it', async () => {
      const { world, setting } = await withThird()
      const begun = await world.run(setting.preservation.check({ kind: 'missing', replica: 'three' }))
      await world.run(setting.tasks.stop(begun.task))
      const [name = ''] = names
      await world.run(setting.archive.store({ path: `/local-${name}`, name, kind: 'content', jobId: 1 }))
      await world.run(setting.tasks.resume(begun.task))
      const ended = await world.run(setting.preservation.ended(begun.task))
      expect(ended).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesTotal: 6, filesDone: 6, findings: 5 })
      expect(short(setting, begun.task)).not.toContain(`three ${name} notStored`)
    })
  })

  test('a checksum replica is checked without reading content, and its size is that of its list', async () => {
    const world = seededWorld({ seed: 5 })
    const store = openStore(':memory:')
    const places: ReplicaPlace[] = [
      { name: 'one', folder: '/one' },
      { name: 'sums', folder: '/sums', kind: 'checksums' },
    ]
    const parts = { store, world, replicas: places, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } }
    const archive = await world.run(openArchive(parts))
    await world.run(world.disk.write('/local', Buffer.alloc(1_000, 'x')))
    await world.run(archive.store({ path: '/local', name: 'a.warc', kind: 'content', jobId: null }))
    const { preservation } = await openChecks({ archive, store, world, onBug: raise })
    const read = { copies: 2, bytes: 1_000 }
    expect(await world.run(preservation.estimate({ kind: 'checksums' }))).toMatchObject(read)
    const { task: number } = await world.run(preservation.check({ kind: 'checksums' }))
    expect(await world.run(preservation.ended(number))).toMatchObject({
      filesDone: 2,
      bytesDone: 1_000,
      bytesTotal: 1_000,
    })
    const line = 64 + 2 + 'a.warc'.length + 1
    expect((await world.run(archive.replicas())).map(({ bytes }) => bytes)).toEqual([1_000, line])
  })
  test('a pattern and a sample choose files, and every chosen file is looked at in every replica', async () => {
    const { world, setting } = await prepared()
    expect(await check(world, setting, { kind: 'checksums', files: '^[02]-' })).toMatchObject({
      filesTotal: 4,
      filesDone: 4,
    })
    expect(states(setting, 'one').map((state) => state === 'OK')).toEqual([true, false, true, false, false, false])
    const sampled = await prepared(5)
    const order = { kind: 'missing', sample: 2 } as const
    expect(await check(sampled.world, sampled.setting, order)).toMatchObject({ filesTotal: 4 })
    expect(states(sampled.setting, 'one')).toEqual(states(sampled.setting, 'two'))
    expect(states(sampled.setting, 'one').filter((state) => state === 'PRESENT').length).toBe(2)
  })
  test('a damaged copy stays damaged until its checksum agrees again', async () => {
    const { world, setting } = await prepared()
    world.disk.corrupt('/one/1-of-6.warc', 3)
    await check(world, setting, { kind: 'checksums' })
    await check(world, setting, { kind: 'missing' })
    expect(states(setting, 'one')[1]).toBe('CORRUPT')
    expect(short(setting)).toEqual(['one 1-of-6.warc wrongChecksum'])
    await world.run(world.disk.write('/one/1-of-6.warc', Buffer.from(textOf('1-of-6.warc'))))
    await check(world, setting, { kind: 'checksums' })
    expect(states(setting, 'one')[1]).toBe('OK')
    expect(short(setting)).toEqual([])
  })
  test.each(kinds)('a replica that cannot be reached fails the check of %s and loses no file', async (kind) => {
    const { world, setting } = await prepared()
    await world.run(world.disk.rename('/one', '/unmounted'))
    const failed = await check(world, setting, { kind })
    expect(failed).toMatchObject({ state: 'FAILED', filesTotal: 12, filesDone: 6, findings: 0 })
    expect(failed.problem).toMatchObject({ code: 'replica.folderMissing' })
    expect(await counted(world, setting)).toEqual([
      [6, 0, 0],
      [0, 0, 0],
    ])
    // An empty mount point fails the check too.
    await world.run(world.disk.makeFolder('/one'))
    expect(await world.run(again(setting, failed.task))).toMatchObject({ state: 'FAILED', filesDone: 6, findings: 0 })
    await world.run(world.disk.rename('/one', '/mount-point'))
    await world.run(world.disk.rename('/unmounted', '/one'))
    const done = await world.run(again(setting, failed.task))
    expect(done).toMatchObject({ state: 'DONE', filesDone: 12, findings: 0, problem: null })
  })
  test('a replica that goes away in the middle of a check has lost nothing', async () => {
    const { world, setting } = await prepared()
    const running = await world.run(setting.preservation.check({ kind: 'checksums', replica: 'one' }))
    const heal = world.disk.fail({ path: /^\/one/, code: 'failed' })
    expect(await world.run(setting.preservation.ended(running.task))).toMatchObject({ state: 'FAILED', findings: 0 })
    heal()
    expect(await world.run(again(setting, running.task))).toMatchObject({ state: 'DONE', filesDone: 6, findings: 0 })
  })
  test('one file that the disk cannot read is a finding, and the check goes on', async () => {
    const { world, setting } = await prepared()
    world.disk.fail({ path: /2-of-6/, calls: ['readAt'], code: 'failed' })
    expect(await check(world, setting, { kind: 'checksums', replica: 'one' })).toMatchObject({
      state: 'DONE_WITH_FINDINGS',
      findings: 1,
    })
    expect(short(setting)).toEqual(['one 2-of-6.warc unreadable'])
  })
  test('a stopped check resumes where it stopped', async () => {
    const world = seededWorld({ seed: 1 })
    const setting = await world.run(filled(world, '/', { checkBytesPerSecondMax: 1_000 }))
    const readings = () =>
      setting.archive.places.reduce((sum, place) => sum + (place.history().operations.checksum?.count ?? 0), 0)
    const { task: number } = await world.run(setting.preservation.check({ kind: 'checksums' }))
    await world.run(world.clock.sleep(2_500))
    const stopped = await world.run(setting.tasks.stop(number))
    expect(stopped.state).toBe('STOPPED')
    expect([stopped.filesDone > 1, stopped.filesDone < 12]).toEqual([true, true])
    const before = readings()
    const done = await world.run(again(setting, stopped.task))
    // Files that were already checked are not read again.
    expect(readings() - before).toBe(12 - stopped.filesDone)
    expect(done).toMatchObject({ state: 'DONE', filesDone: 12, bytesDone: stopped.bytesTotal, findings: 0 })
  })
  test('actions that the state of a check does not allow are refused', async () => {
    const { world, setting } = await prepared()
    const { preservation, tasks } = setting
    await expect(world.run(tasks.stop(9))).rejects.toMatchObject({ code: 'notFound' })
    await expect(world.run(preservation.check({ kind: 'missing', replica: 'x' }))).rejects.toMatchObject({
      code: 'notFound',
    })
    await expect(world.run(preservation.check({ kind: 'missing', files: '(' }))).rejects.toMatchObject({
      code: 'refused',
    })
    const running = await world.run(preservation.check({ kind: 'checksums', replica: 'one' }))
    await expect(world.run(preservation.check({ kind: 'missing' }))).rejects.toMatchObject({ code: 'refused' })
    await expect(world.run(tasks.resume(running.task))).rejects.toMatchObject({ code: 'refused' })
    const { task: done } = await world.run(preservation.ended(running.task))
    await expect(world.run(tasks.stop(done))).rejects.toMatchObject({ code: 'refused' })
    await expect(world.run(tasks.resume(done))).rejects.toMatchObject({ code: 'refused' })
    expect(preservation.checks()).toHaveLength(1)
  })
  test('after a power cut at any call a check is interrupted, and ends as if nothing had happened when it is resumed', async () => {
    const isWholeAfter = async (calls: number, kind: (typeof kinds)[number]) => {
      const { world, setting } = await prepared(calls)
      world.disk.corrupt('/two/4-of-6.warc', 7)
      await world.run(world.disk.remove('/one/5-of-6.warc'))
      await world.run(world.disk.write('/one/extra', Buffer.from('x')))
      await world.run(Promise.all([world.disk.syncFolder('/one'), world.disk.syncFolder('/two')]))
      const whole = await world.runUntilCut(checked(setting, { kind }), calls)
      const next = whole ? world : world.crash()
      const outcome = whole ? setting : await next.run(opened(next, setting.store, '/'))
      const found = outcome.preservation.checks()[0]
      expect(found?.state).toBe(whole ? 'DONE_WITH_FINDINGS' : 'INTERRUPTED')
      if (!whole && found) await next.run(again(outcome, found.task))
      const expected = {
        missing: ['one 5-of-6.warc missing', 'one extra surplus'],
        checksums: ['one 5-of-6.warc missing', 'two 4-of-6.warc wrongChecksum'],
      }
      expect(short(outcome)).toEqual(expected[kind])
      expect(outcome.preservation.checks()).toMatchObject([{ state: 'DONE_WITH_FINDINGS', filesDone: 12, findings: 2 }])
      return whole !== undefined
    }
    for (const kind of kinds) {
      let calls = 1
      while (!(await isWholeAfter(calls, kind))) calls += 1
      expect(calls).toBeGreaterThan(30)
    }
  })
  test('listeners receive the start and the end, and no events after they are removed', async () => {
    const { world, setting } = await prepared()
    const received: string[] = []
    const stopListening = setting.tasks.onChange(({ state, filesDone }) => received.push(`${state} ${filesDone}`))
    await check(world, setting, { kind: 'missing' })
    expect([received[0], received.at(-1)]).toEqual(['RUNNING 0', 'DONE 12'])
    stopListening()
    await check(world, setting, { kind: 'missing' })
    expect(received.filter((line) => line.startsWith('DONE'))).toHaveLength(1)
  })
  test('a throttled check takes its time', async () => {
    const world = seededWorld({ seed: 1 })
    const setting = await world.run(filled(world, '/', { checkBytesPerSecondMax: 100 }))
    const startedMs = world.clock.now()
    const { bytesTotal } = await check(world, setting, { kind: 'checksums' })
    expect(world.clock.now() - startedMs).toBeGreaterThanOrEqual((bytesTotal / 100) * 1000)
  })
  test.each([-3 * 3_600_000, 3 * 3_600_000])(
    'a clock that is set by %i ms does not change how long a check takes',
    async (byMs) => {
      const world = seededWorld({ seed: 1 })
      const setting = await world.run(filled(world, '/', { checkBytesPerSecondMax: 1_000 }))
      const { preservation, tasks } = setting
      const beganMs = world.clock.elapsed()
      const { task: number, bytesTotal } = await world.run(preservation.check({ kind: 'checksums' }))
      await world.run(world.clock.sleep(1_500))
      world.setClock(byMs)
      await world.run(world.clock.sleep(500))
      const stopped = await world.run(tasks.stop(number))
      // Two seconds: the last copy was not read to its end.
      expect(stopped.runningMs).toBeGreaterThan(1_000)
      expect(stopped.runningMs).toBeLessThanOrEqual(2_000)
      world.setClock(-byMs)
      await world.run(world.clock.sleep(3_600_000))
      const done = await world.run(again(setting, number))
      const elapsedMs = world.clock.elapsed() - beganMs - 3_600_000
      expect(done).toMatchObject({ state: 'DONE' })
      expect(done.runningMs).toBeGreaterThanOrEqual(bytesTotal - 1_000)
      // Running times are whole milliseconds.
      expect(done.runningMs).toBeLessThanOrEqual(Math.ceil(elapsedMs))
      for (const { operations } of setting.archive.places.map((place) => place.history())) {
        expect(operations.checksum?.durationMs).toBeGreaterThan(1_000)
        expect(operations.checksum?.durationMs).toBeLessThan(60_000)
      }
    },
  )
})

async function again({ tasks, preservation }: Setting, check: number): Promise<CheckSummary> {
  await tasks.resume(check)
  return preservation.ended(check)
}

describe('pure parts', () => {
  const copy = { bytes: 3, sha256: 'abc' }
  const verdicts: [Seen, string, string | undefined][] = [
    [{ kind: 'absent' }, 'lost', 'missing'],
    [{ kind: 'unreadable', message: message('text', { text: 'why' }) }, 'changed', 'unreadable'],
    [{ kind: 'present', bytes: 2 }, 'changed', 'wrongLength'],
    [{ kind: 'present', bytes: 3 }, 'found', undefined],
    [{ kind: 'hashed', bytes: 2, sha256: 'abc' }, 'changed', 'wrongLength'],
    [{ kind: 'hashed', bytes: 3, sha256: 'abd' }, 'changed', 'wrongChecksum'],
    [{ kind: 'hashed', bytes: 3, sha256: 'abc' }, 'verified', undefined],
  ]
  test.each(verdicts)('%j → %s, %s', (seen, event, finding) => {
    const verdict = verdictOn(copy, seen)
    expect([verdict.event, verdict.problem?.finding]).toEqual([event, finding])
  })
  test('a sample has its size, is in order and chooses each equally often', () => {
    const { chance } = seededWorld({ seed: 3 })
    const counts = new Map<number, number>()
    for (let round = 0; round < 3_000; round += 1) {
      const sample = sampleOf(chance, [0, 1, 2, 3, 4, 5], 2)
      expect(sample).toHaveLength(2)
      expect(sample).toEqual(sample.toSorted((a, b) => a - b))
      for (const item of sample) counts.set(item, (counts.get(item) ?? 0) + 1)
    }
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150)
    expect(sampleOf(chance, ['a'], 5)).toEqual(['a'])
    expect(sampleOf(chance, [], 5)).toEqual([])
  })
  test.each([
    [1_000, 0, 0, 0],
    [1_000, 0, 1_000, 1_000],
    [1_000, 400, 1_000, 600],
    [1_000, 2_000, 1_000, 0],
  ])('%i bytes in %i ms at %i bytes/s: wait %i ms', (bytes, elapsedMs, bytesPerSecondMax, waitMs) => {
    expect(pauseMs(bytes, elapsedMs, bytesPerSecondMax)).toBe(waitMs)
  })
})
