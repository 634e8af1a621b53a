import { createHash } from 'node:crypto'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { openArchive } from '../store/archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import { openChecks } from '../testing/openChecks.ts'
import { openRepairs, type RepairOrder } from './repair.ts'
import { checksumFileName, wrongEntriesName } from '../replica/checksumFile.ts'
import { checksumReplica } from '../replica/checksumReplica.ts'
import { faultyReplica, type Damage, type FaultyReplica, type ReplicaFault } from '../testing/faultyReplica.ts'
import { folderReplica } from '../replica/folderReplica.ts'
import type { Replica, ReplicaPlace } from '../replica/replica.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const good = 'what is to be kept, for ever '.repeat(50)
const bad = `${good.slice(0, 700)}?${good.slice(701)}`
const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
const name = 'a.warc.gz'
const never = new AbortController().signal

const two: ReplicaPlace[] = ['one', 'two'].map((each) => ({ name: each, folder: `/${each}` }))
const three: ReplicaPlace[] = [...two, { name: 'three', folder: '/three' }]
const withSums: ReplicaPlace[] = [...two, { name: 'sums', folder: '/sums', kind: 'checksums' }]

type Opened = Awaited<ReturnType<typeof open>>

interface Break {
  victim: string
  at: number
  fault: ReplicaFault
}

/** The archive over what the disk and the database hold now. */
async function open(
  world: World,
  store: ReturnType<typeof openStore>,
  places: ReplicaPlace[],
  broken?: Break,
  onBroken: (made: FaultyReplica) => void = () => undefined,
  around: (replica: Replica) => Replica = (replica) => replica,
) {
  const archive = await openArchive({
    store,
    world,
    replicas: places,
    limits,
    replicaAt(parts) {
      const inner = parts.place.kind === 'checksums' ? checksumReplica(parts) : folderReplica(parts)
      if (!broken || parts.place.name !== broken.victim) return around(inner)
      const damage = (_: string, how: Damage) => {
        if (how === 'flipped') (world as SeededWorld).disk.corrupt(`/${broken.victim}/${name}`, 3)
      }
      const faulty = faultyReplica({ inner, clock: world.clock, at: broken.at, fault: broken.fault, damage })
      onBroken(faulty)
      return faulty
    },
  })
  const auditLog = openAuditLog(store)
  return { archive, auditLog, repairs: openRepairs({ archive, store, world, auditLog }) }
}

async function textAt(world: World, path: string): Promise<string | undefined> {
  return (await world.disk.stat(path)) ? Buffer.from(await world.disk.read(path, 1e6)).toString() : undefined
}

/** Runs a checksum check of all replicas to its end. */
async function checkChecksums(
  world: SeededWorld,
  store: ReturnType<typeof openStore>,
  archive: Opened['archive'],
): Promise<void> {
  const { preservation } = await openChecks({ archive, store, world, onBug: (error) => expect(error).toBeUndefined() })
  const { task: check } = await world.run(preservation.check({ kind: 'checksums' }))
  await world.run(preservation.ended(check))
}

/** Everything in the replicas but their marks, by path. */
async function everything(world: World, places: readonly ReplicaPlace[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { folder } of places) {
    for (const inner of [folder, `${folder}/attic`]) {
      if (!(await world.disk.stat(inner))) continue
      for (const entry of await world.disk.list(inner))
        if (entry.kind === 'file' && !entry.name.startsWith('.'))
          found[`${inner}/${entry.name}`] = (await textAt(world, `${inner}/${entry.name}`)) ?? ''
    }
  }
  return found
}

/** A stored file, then changes to the replicas by other programs. */
async function prepared(places: ReplicaPlace[], harm: Record<string, string | null>, seed = 1) {
  const world = seededWorld({ seed })
  const store = openStore(':memory:')
  await world.run(world.disk.write('/local', Buffer.from(good)))
  const opened = await world.run(open(world, store, places))
  await world.run(opened.archive.store({ path: '/local', name, kind: 'content', jobId: null }))
  for (const [path, text] of Object.entries(harm))
    await world.run(text === null ? world.disk.remove(path) : world.disk.write(path, Buffer.from(text)))
  return { ...opened, world, store }
}

const order: RepairOrder = { name, replica: 'one', expected: sha256(good), found: sha256(bad) }
const replaceSteps = [
  'replicaUsable',
  'goodCopy',
  'majority',
  'asConfirmed',
  'differs',
  'expected',
  'setAside',
  'restored',
  'goodAfter',
]
const actionsOf = ({ auditLog }: Pick<Opened, 'auditLog'>) => auditLog.page({ offset: 0, limit: 100 }).rows.toReversed()

describe('replacing a damaged copy', () => {
  test('verifies each condition in order, keeps the damaged bytes, and records the action', async () => {
    const { world, archive, repairs, auditLog } = await prepared(two, { [`/one/${name}`]: bad })
    const plan = await world.run(repairs.plan({ name, replica: 'one' }, never))
    expect(plan).toMatchObject({ kind: 'replace', allowed: true, source: 'two', found: sha256(bad) })
    expect(plan.conditions.map(({ condition, state }) => `${condition} ${state}`)).toEqual([
      'replicaUsable met',
      'goodCopy met',
      'majority met',
      'asConfirmed open',
      'differs met',
      'expected open',
      'setAside open',
      'restored open',
      'goodAfter open',
    ])
    const metCounts: number[] = []
    repairs.onChange(({ conditions }) => metCounts.push(conditions.filter(({ state }) => state === 'met').length))
    const outcome = await world.run(repairs.repair(order, never))
    expect(outcome).toMatchObject({ state: 'REPAIRED', source: 'two', attic: 1 })
    expect(outcome.conditions.map(({ condition }) => condition)).toEqual(replaceSteps)
    expect(outcome.conditions.every(({ state }) => state === 'met')).toBe(true)
    // At the start; after the bad copy was read; after the good one; then after each step.
    expect(metCounts).toEqual([0, 4, 6, 7, 8, 9, 9])
    const kept = `/one/attic/${name}.${sha256(bad).slice(0, 8)}`
    expect(await world.run(everything(world, two))).toEqual({
      [`/one/${name}`]: good,
      [kept]: bad,
      [`/two/${name}`]: good,
    })
    expect(archive.file(name)?.replicas.map(({ preservation }) => preservation)).toEqual(['OK', 'OK'])
    expect(repairs.repairable({})).toEqual([])
    expect(repairs.attic.entries()).toMatchObject([
      {
        id: 1,
        name,
        replica: 'one',
        sha256: sha256(bad),
        registered: sha256(good),
        who: 'user',
        where: kept,
        state: 'kept',
      },
    ])
    expect(repairs.attic.entries()[0]?.replaced).not.toBeNull()
    const actions = actionsOf({ auditLog }).filter(({ what }) => what !== 'store')
    expect(actions.map(({ what }) => what)).toEqual(['finding', 'setAside', 'inOrderAgain', 'repair'])
    expect(actions[1]).toMatchObject({ was: { sha256: sha256(bad) }, became: { sha256: null, where: kept } })
    expect(actions[3]).toMatchObject({
      was: { replica: 'one', sha256: sha256(bad) },
      became: { replica: 'one', sha256: sha256(good), source: 'two', attic: 1 },
    })
    expect((await auditLog.verifyChain(async () => undefined)).broken).toBeUndefined()
  })

  test('a second time with the same damaged bytes: both are kept', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    await world.run(repairs.repair(order, never))
    await world.run(world.disk.write(`/one/${name}`, Buffer.from(bad)))
    expect(await world.run(repairs.repair(order, never))).toMatchObject({ state: 'REPAIRED', attic: 2 })
    expect(new Set(repairs.attic.entries().map(({ where }) => where)).size).toBe(2)
  })

  test('a wrong checksum entry: the same conditions, and its line moves to the second file', async () => {
    const wrong = `${sha256('x')}  ${name}\n`
    const { world, repairs } = await prepared(withSums, { [`/sums/${checksumFileName}`]: wrong })
    const sums = { ...order, replica: 'sums', found: sha256('x') }
    expect(await world.run(repairs.repair({ ...sums, expected: sha256('y') }, never))).toMatchObject({
      state: 'REFUSED',
    })
    expect(await world.run(textAt(world, `/sums/${checksumFileName}`))).toBe(wrong)
    const outcome = await world.run(repairs.repair(sums, never))
    expect(outcome.conditions.map(({ condition }) => condition)).toEqual(replaceSteps)
    expect(outcome).toMatchObject({ state: 'REPAIRED', source: 'one', attic: 1 })
    expect(await world.run(textAt(world, `/sums/${checksumFileName}`))).toBe(`${sha256(good)}  ${name}\n`)
    expect(await world.run(textAt(world, `/sums/${wrongEntriesName}`))).toBe(wrong)
    await expect(world.run(repairs.attic.restore({ id: 1, who: 'user' }, never))).rejects.toMatchObject({
      code: 'refused',
    })
  })
})

describe('replacing an unreadable copy', () => {
  type Parts = Awaited<ReturnType<typeof prepared>>
  const badSector = ({ world }: Parts) => {
    world.disk.fail({ path: new RegExp(`^/one/(attic/)?${name}`), calls: ['readAt'], code: 'failed' })
  }
  async function folderInstead({ world }: Parts) {
    await world.run(world.disk.remove(`/one/${name}`))
    await world.run(world.disk.makeFolder(`/one/${name}/inner`))
  }
  const unread: RepairOrder = { ...order, found: 'unreadable' }
  const kept = `/one/attic/${name}.unreadable`

  test.each([
    ['a bad sector', badSector, 'The disk failed'],
    ['a folder', folderInstead, 'is a folder and not a copy'],
  ] as const)('%s: only when it is confirmed, and it is moved as it is', async (_, harm, says) => {
    const parts = await prepared(three, {})
    const { world, repairs, auditLog, archive } = parts
    await harm(parts)
    const plan = await world.run(repairs.plan({ name, replica: 'one' }, never))
    expect(plan).toMatchObject({ kind: 'replace', found: null, allowed: true, source: 'two' })
    expect(plan.unreadable && textOf(plan.unreadable)).toContain(says)
    expect(plan.conditions.find(({ condition }) => condition === 'asConfirmed')).toMatchObject({
      state: 'open',
      message: { code: 'repair.confirm.unread' },
    })
    const before = await world.run(everything(world, two.slice(1)))
    for (const refused of [
      { ...unread, found: sha256(bad) },
      { ...unread, found: null },
      { ...unread, expected: sha256('x') },
    ]) {
      expect(await world.run(repairs.repair(refused, never))).toMatchObject({ state: 'REFUSED', attic: null })
      expect(await world.run(world.disk.isTaken(kept))).toBe(false)
    }
    const outcome = await world.run(repairs.repair(unread, never))
    expect(outcome).toMatchObject({ kind: 'replace', source: 'two', attic: 1 })
    expect(outcome.conditions.map(({ condition }) => condition)).toEqual(replaceSteps)
    expect(await world.run(world.disk.isTaken(kept))).toBe(true)
    expect(await world.run(everything(world, two.slice(1)))).toEqual(before)
    expect(repairs.attic.entries()).toMatchObject([
      { sha256: null, bytes: null, where: kept, state: 'kept', reason: { code: 'attic.reason.unreadable' } },
    ])
    expect(await world.run(repairs.attic.check(1))).toMatchObject([{ state: 'there' }])
    await expect(world.run(repairs.attic.restore({ id: 1, who: 'user' }, never))).rejects.toMatchObject({
      code: 'refused',
    })
    expect(actionsOf({ auditLog }).find(({ what }) => what === 'setAside')).toMatchObject({
      was: { replica: 'one', sha256: null, seen: 'unreadable' },
      became: { attic: 1, where: kept },
    })
    if (harm === folderInstead) {
      expect(outcome.state).toBe('REPAIRED')
      expect(await world.run(world.disk.isTaken(`${kept}/inner`))).toBe(true)
      expect(archive.file(name)?.replicas.map(({ preservation }) => preservation)).toEqual(['OK', 'OK', 'OK'])
    }
  })

  test('contradictory checksum lines: both are kept, and the right one is written', async () => {
    const lines = `${sha256('x')}  ${name}\n${sha256(good)}  ${name}\n`
    const { world, repairs } = await prepared(withSums, { [`/sums/${checksumFileName}`]: lines })
    const outcome = await world.run(repairs.repair({ ...unread, replica: 'sums' }, never))
    expect(outcome).toMatchObject({ state: 'REPAIRED', source: 'one', attic: 1 })
    expect(await world.run(textAt(world, `/sums/${checksumFileName}`))).toBe(`${sha256(good)}  ${name}\n`)
    expect(await world.run(textAt(world, `/sums/${wrongEntriesName}`))).toBe(lines)
    expect(repairs.attic.entries()).toMatchObject([{ sha256: null, state: 'kept', where: `/sums/${wrongEntriesName}` }])
  })

  test.each<[string, Record<string, string | null>, string]>([
    ['right again', { [`/one/${name}`]: good }, 'A good copy is never replaced'],
    ['readable, and wrong', { [`/one/${name}`]: bad }, sha256(bad)],
    ['gone', { [`/one/${name}`]: null }, 'no file of this name'],
  ])('refused where it is %s by now', async (_, harm, says) => {
    const { world, repairs } = await prepared(two, harm)
    const before = await world.run(everything(world, two))
    const outcome = await world.run(repairs.repair(unread, never))
    expect(outcome).toMatchObject({ state: 'REFUSED', attic: null })
    const failed = outcome.conditions.filter(({ state }) => state === 'failed')
    expect(failed.map((each) => textOf(each.message)).join(' ')).toContain(says)
    expect(await world.run(everything(world, two))).toEqual(before)
  })

  test('a drive that goes away during the read does not count as unreadable', async () => {
    const { world, store } = await prepared(two, {})
    const leaving = (replica: Replica): Replica => ({
      ...replica,
      async checksum(file, options) {
        if (replica.name !== 'one') return replica.checksum(file, options)
        await world.disk.write('/one/.loupe-replica', Buffer.from('three\n'))
        throw new DiskFault('failed', `/one/${file}`)
      },
    })
    const { repairs } = await world.run(open(world, store, two, undefined, undefined, leaving))
    const outcome = await world.run(repairs.repair(unread, never))
    expect(outcome.state).toBe('REFUSED')
    expect(outcome.conditions.find(({ condition }) => condition === 'replicaUsable')?.state).toBe('failed')
  })

  test('power failure at any call: nothing is lost, and the next repair puts the good copy in place', async () => {
    const ends = new Set<string>()
    let isThrough = false
    for (let calls = 1; !isThrough; calls += 1) {
      const parts = await prepared(two, {}, calls)
      await folderInstead(parts)
      await parts.world.run(parts.world.disk.syncFolder('/one'))
      const { world, store, repairs } = parts
      isThrough = (await world.runUntilCut(repairs.repair(unread, never), calls)) !== undefined
      const next = isThrough ? world : world.crash()
      const opened = await next.run(open(next, store, two))
      await next.run(opened.repairs.resume(never))
      const isGood = (await next.run(everything(next, two)))[`/one/${name}`] === good
      ends.add(isGood ? 'good' : 'unreadable')
      const entries = opened.repairs.attic.entries()
      expect(entries.map(({ state }) => state)).toEqual(isGood ? ['kept'] : [])
      expect(await next.run(next.disk.isTaken(isGood ? kept : `/one/${name}/inner`))).toBe(true)
      const plan = await next.run(opened.repairs.plan({ name, replica: 'one' }, never))
      if (plan.kind !== 'right') expect((await next.run(opened.repairs.repair(unread, never))).state).toBe('REPAIRED')
      const after = await next.run(everything(next, two))
      expect([after[`/one/${name}`], after[`/two/${name}`]]).toEqual([good, good])
      expect(await next.run(next.disk.isTaken(`${kept}/inner`))).toBe(true)
      expect((await opened.auditLog.verifyChain(async () => undefined)).broken).toBeUndefined()
      store.close()
    }
    expect([...ends].toSorted()).toEqual(['good', 'unreadable'])
  })

  test('power failure while contradictory lines are removed', async () => {
    const lines = `${sha256('x')}  ${name}\n${sha256(good)}  ${name}\n`
    let isThrough = false
    for (let calls = 1; !isThrough; calls += 1) {
      const { world, store, repairs } = await prepared(withSums, { [`/sums/${checksumFileName}`]: lines }, calls)
      const sums = { ...unread, replica: 'sums' }
      isThrough = (await world.runUntilCut(repairs.repair(sums, never), calls)) !== undefined
      const next = isThrough ? world : world.crash()
      const opened = await next.run(open(next, store, withSums))
      await next.run(opened.repairs.resume(never))
      const plan = await next.run(opened.repairs.plan(sums, never))
      if (plan.kind !== 'right') {
        const found = plan.unreadable === null ? plan.found : 'unreadable'
        expect((await next.run(opened.repairs.repair({ ...sums, found }, never))).state).toBe('REPAIRED')
      }
      expect(await next.run(textAt(next, `/sums/${checksumFileName}`))).toBe(`${sha256(good)}  ${name}\n`)
      expect(await next.run(textAt(next, `/sums/${wrongEntriesName}`))).toContain(lines)
      expect(opened.repairs.attic.entries().every(({ state }) => state === 'kept')).toBe(true)
      store.close()
    }
  })
})

describe('restoring a missing copy', () => {
  test.each([
    ['a file', two, 'one', `/one/${name}`],
    ['an entry', withSums, 'sums', `/sums/${checksumFileName}`],
  ] as const)('%s that is gone', async (_, places, replica, path) => {
    const { world, archive, repairs } = await prepared([...places], { [path]: null })
    const outcome = await world.run(repairs.repair({ name, replica, expected: sha256(good), found: null }, never))
    expect(outcome).toMatchObject({ kind: 'restore', state: 'REPAIRED', attic: null })
    expect(outcome.conditions.map(({ condition }) => condition)).toEqual(
      replaceSteps.filter((each) => each !== 'differs' && each !== 'setAside'),
    )
    expect(await world.run(textAt(world, path))).toBe(replica === 'sums' ? `${sha256(good)}  ${name}\n` : good)
    expect(archive.file(name)?.replicas.every(({ preservation }) => preservation === 'OK')).toBe(true)
  })

  test('in a new replica of the settings: by an ordinary store', async () => {
    const { world, store } = await prepared(two, {})
    const { repairs, archive } = await world.run(open(world, store, three))
    expect(repairs.repairable({})).toEqual([{ name, replica: 'three', state: 'notStored' }])
    const outcome = await world.run(
      repairs.repair({ name, replica: 'three', expected: sha256(good), found: null }, never),
    )
    expect(outcome.state).toBe('REPAIRED')
    expect(archive.file(name)?.replicas.map(({ upload }) => upload)).toEqual(Array(3).fill('UPLOAD_COMPLETED'))
    expect(await world.run(textAt(world, `/three/${name}`))).toBe(good)
  })

  test('when the right bytes exist but the answer to their store was lost, they count and nothing is moved', async () => {
    const { world, store } = await prepared(two, {})
    const { repairs, archive } = await world.run(open(world, store, three))
    const heal = world.disk.fail({ path: /^\/three$/, calls: ['syncFolder'], code: 'failed' })
    const stored = await world.run(archive.store({ path: '/local', name, kind: 'content', jobId: null }))
    expect(stored).toMatchObject({ state: 'failed', problems: [{ replica: 'three' }] })
    heal()
    const before = await world.run(everything(world, three))
    expect(before[`/three/${name}`]).toBe(good)
    const wanted = { name, replica: 'three', expected: sha256(good), found: sha256(good) }
    const outcome = await world.run(repairs.repair(wanted, never))
    expect(outcome).toMatchObject({ kind: 'restore', state: 'REPAIRED', attic: null })
    expect(await world.run(everything(world, three))).toEqual(before)
    expect(archive.file(name)?.stored).not.toBeNull()
  })

  test('findings of a check can be repaired', async () => {
    const { world, store, archive, repairs } = await prepared(three, {
      [`/one/${name}`]: bad,
      [`/three/${name}`]: null,
    })
    await checkChecksums(world, store, archive)
    expect(repairs.repairable({})).toEqual([
      { name, replica: 'one', state: 'corrupt' },
      { name, replica: 'three', state: 'missing' },
    ])
    expect(repairs.repairable({ replica: 'two' })).toEqual([])
    expect(await world.run(repairs.repairableNamed({ files: '^b' }))).toEqual([])
    expect(() => repairs.repairable({ replica: 'four' })).toThrow('There is no replica four')
  })
})

const checksum = (text: string) => message('copy.checksum', { sha256: sha256(text) })

test('findings of a repair plan are listed without a check', async () => {
  const { world, store, archive, repairs } = await prepared(three, {
    [`/one/${name}`]: bad,
    [`/three/${name}`]: null,
  })
  await world.run(repairs.plan({ name, replica: 'one' }, never))
  const { preservation } = await openChecks({ archive, store, world, onBug: (error) => expect(error).toBeUndefined() })
  expect(preservation.findings()).toEqual([
    { replica: 'one', name, finding: 'wrongChecksum', expected: checksum(good), found: checksum(bad), job: null },
    {
      replica: 'three',
      name,
      finding: 'missing',
      expected: message('copy.bytes', { count: good.length }),
      found: null,
      job: null,
    },
  ])
})

test('reasons are complete sentences, whatever the replica reports', async () => {
  const { world, repairs } = await prepared(two, {})
  await world.run(world.disk.remove(`/two/${name}`))
  await world.run(world.disk.makeFolder(`/two/${name}`))
  const { conditions } = await world.run(repairs.plan({ name, replica: 'one' }, never))
  const failures = conditions.filter(({ state }) => state === 'failed').map((condition) => textOf(condition.message))
  expect(failures).not.toEqual([])
  for (const failure of failures) expect(failure).toMatch(/^[A-Z/].*[.!?]$/)
})

test('a copy is found by its name among all others', async () => {
  const { world, store, repairs } = await prepared(two, {})
  store
    .statement<object>(
      `WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 10500)
       INSERT INTO archive_file (name, bytes, sha256, kind, registered_ms)
       SELECT CASE number WHEN 10500 THEN 'the-last.warc' ELSE number || '.warc' END, 1, 'x', 'content', 1 FROM counted`,
    )
    .run({})
  expect(repairs.repairable({})).toHaveLength(10_000)
  expect(await world.run(repairs.repairableNamed({ files: '^the-last' }))).toEqual([
    { name: 'the-last.warc', replica: 'one', state: 'notStored' },
    { name: 'the-last.warc', replica: 'two', state: 'notStored' },
  ])
  // As a kill leaves it that comes between the registering and the first copy: nothing to hope for, and said so.
  const callsBefore = world.calls
  const [first, ...others] = await world.run(repairs.withSources(repairs.repairable({})))
  expect([first?.sources, first?.blocker && textOf(first.blocker)]).toEqual([
    [],
    'No other replica has a good copy of 1.warc. Replica two never had a copy.',
  ])
  expect(others).toHaveLength(9_999)
  // Others had a turn between every five hundred.
  expect(world.calls - callsBefore).toBeGreaterThanOrEqual(10_000 / 500 - 1)
})

describe('possible repairs', () => {
  const other = `${good.slice(0, 300)}!${good.slice(301)}`
  const away = { '/one/.loupe-replica': 'three\n' }
  const rows: {
    when: string
    places: ReplicaPlace[]
    harm: Record<string, string | null>
    then?: typeof away
    hope: string[]
  }[] = [
    { when: 'one of three is bad', places: three, harm: { [`/one/${name}`]: bad }, hope: ['one from two, three: yes'] },
    {
      when: 'both of two are bad',
      places: two,
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: other },
      hope: [
        `one from : No other replica has a good copy of ${name}. Replica two has a damaged copy.`,
        `two from : No other replica has a good copy of ${name}. Replica one has a damaged copy.`,
      ],
    },
    {
      when: 'one of three is bad, one is gone',
      places: three,
      harm: { [`/one/${name}`]: bad, [`/three/${name}`]: null },
      hope: ['one', 'three'].map((each) => `${each} from two: No checksum has a majority: 2 of the 3 votes needed.`),
    },
    {
      when: 'only checksums are good',
      places: withSums,
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: null },
      hope: [
        `one from : No other replica has a good copy of ${name}. Replica two has lost its copy. Replica sums stores only checksums.`,
        `two from : No other replica has a good copy of ${name}. Replica one has a damaged copy. Replica sums stores only checksums.`,
      ],
    },
    {
      when: 'the replica with the good copy is away',
      places: two,
      harm: { [`/two/${name}`]: null },
      then: away,
      hope: [`two from : No other replica has a good copy of ${name}. Replica one cannot be used now.`],
    },
    {
      when: 'the replica to be repaired is away',
      places: two,
      harm: { [`/one/${name}`]: bad },
      then: away,
      hope: ['one from two: /one is marked as replica three, not one: check the settings.'],
    },
  ]
  test.each(rows)('$when', async ({ places, harm, then, hope }) => {
    const { world, store, archive } = await prepared(places, harm)
    await checkChecksums(world, store, archive)
    for (const [path, text] of Object.entries(then ?? {})) await world.run(world.disk.write(path, Buffer.from(text)))
    const { repairs } = await world.run(open(world, store, places))
    const known = await world.run(repairs.withSources(repairs.repairable({})))
    expect(
      known.map(
        ({ replica, sources, blocker }) =>
          `${replica} from ${sources.join(', ')}: ${blocker ? textOf(blocker) : 'yes'}`,
      ),
    ).toEqual(hope)
  })
})

describe('listeners that subscribe later', () => {
  test('get the repairs in progress, their outcomes, and their entries in the audit log', async () => {
    const { world, repairs, auditLog } = await prepared(two, { [`/one/${name}`]: bad })
    expect(repairs.known()).toEqual([])
    const running = repairs.repair(order, never)
    await world.run(Promise.resolve())
    expect(repairs.known()).toMatchObject([{ name, replica: 'one', kind: 'replace', state: 'RUNNING', ended: null }])
    const outcome = await world.run(running)
    expect(repairs.known()).toEqual([outcome])
    expect(outcome).toMatchObject({ state: 'REPAIRED', by: 'user', audit: auditLog.head()?.number })
    expect(actionsOf({ auditLog }).at(-1)).toMatchObject({ number: outcome.audit, what: 'repair' })
  })

  test('a repair that was stopped does not stay in progress', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    const stop = new AbortController()
    const running = repairs.repair(order, stop.signal)
    stop.abort(new Error('the engine ends'))
    await expect(world.run(running)).rejects.toThrow('the engine ends')
    expect(repairs.known()).toMatchObject([
      { state: 'FAILED', message: { code: 'repair.interrupted', values: { problem: 'the engine ends' } } },
    ])
  })
})

describe('inspecting the attic', () => {
  const kept = `/one/attic/${name}.${sha256(bad).slice(0, 8)}`
  test.each([
    ['as it was', undefined, 'there', 'right', 'Verified: unchanged'],
    ['gone', null, 'gone', 'gone', 'is missing'],
    ['shorter', 'no', 'changed', 'changed', 'it has 2 bytes'],
    ['as long, but another', good, 'there', 'changed', `its SHA-256 is ${sha256(good)}`],
  ] as const)('its bytes are %s', async (_, text, presence, read, says) => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    await world.run(repairs.repair(order, never))
    if (text === null) await world.run(world.disk.remove(kept))
    else if (text !== undefined) await world.run(world.disk.write(kept, Buffer.from(text)))
    expect(await world.run(repairs.attic.check(undefined))).toMatchObject([{ id: 1, state: presence }])
    const checks = await world.run(repairs.attic.check(1))
    expect(checks).toMatchObject([{ id: 1, state: read }])
    expect(checks.map((check) => textOf(check.message)).join()).toContain(says)
    await expect(world.run(repairs.attic.check(2))).rejects.toMatchObject({ code: 'notFound' })
  })
})

describe('refusals that change nothing', () => {
  const other = `${good.slice(0, 300)}!${good.slice(301)}`
  const rows: {
    when: string
    places?: ReplicaPlace[]
    harm: Record<string, string | null>
    order?: Partial<RepairOrder>
    condition: string
    says: string
  }[] = [
    {
      when: 'the expected checksum is wrong',
      harm: { [`/one/${name}`]: bad },
      order: { expected: sha256('x') },
      condition: 'expected',
      says: 'is not the registered one',
    },
    {
      when: 'the expected checksum is that of the bad copy',
      harm: { [`/one/${name}`]: bad },
      order: { expected: sha256(bad) },
      condition: 'expected',
      says: 'is not the registered one',
    },
    {
      when: 'the copy changed since it was read',
      harm: { [`/one/${name}`]: other },
      condition: 'asConfirmed',
      says: sha256(other),
    },
    {
      when: 'the copy is missing since it was read',
      harm: { [`/one/${name}`]: null },
      condition: 'asConfirmed',
      says: 'no file of this name',
    },
    {
      when: 'a file is there although a missing one was confirmed',
      harm: { [`/one/${name}`]: bad },
      order: { found: null },
      condition: 'asConfirmed',
      says: 'a missing file was confirmed',
    },
    {
      when: 'the copy is right',
      harm: {},
      order: { found: sha256(good) },
      condition: 'differs',
      says: 'A good copy is never replaced',
    },
    {
      when: 'the copy is right, and something else was confirmed',
      harm: {},
      condition: 'asConfirmed',
      says: 'Check the copy again',
    },
    {
      when: 'the other copy is bad too',
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: other },
      condition: 'goodCopy',
      says: `The copy in replica two has the checksum ${sha256(other)}`,
    },
    {
      when: 'the other copy is gone',
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: null },
      condition: 'goodCopy',
      says: 'The copy in replica two is missing',
    },
    {
      when: 'the other replica is away',
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: null, '/two/.loupe-replica': 'three\n' },
      condition: 'goodCopy',
      says: 'The copy in replica two cannot be read',
    },
    {
      when: 'only checksums are good',
      places: withSums,
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: null },
      condition: 'goodCopy',
      says: 'Replica sums stores only checksums',
    },
    {
      when: 'no checksum has a majority',
      places: three,
      harm: { [`/one/${name}`]: bad, [`/three/${name}`]: other },
      condition: 'majority',
      says: '2 of the 3 votes needed',
    },
    {
      when: 'the majority is for another checksum',
      places: [...three, { name: 'four', folder: '/four' }],
      harm: { [`/one/${name}`]: bad, [`/three/${name}`]: bad, [`/four/${name}`]: bad },
      condition: 'majority',
      says: 'but the registered checksum is',
    },
    {
      when: 'the replica itself is away',
      harm: { [`/one/${name}`]: bad, '/one/.loupe-replica': 'three\n' },
      condition: 'replicaUsable',
      says: 'marked as replica three',
    },
    {
      when: 'an entry of checksums contradicts itself',
      places: withSums,
      harm: { [`/sums/${checksumFileName}`]: `${sha256('x')}  ${name}\n${sha256(good)}  ${name}\n` },
      order: { replica: 'sums', found: sha256('x') },
      condition: 'asConfirmed',
      says: 'two different checksums',
    },
  ]
  test.each(rows)('$when', async ({ places = two, harm, order: changed, condition, says }) => {
    const { world, repairs, auditLog } = await prepared(places, harm)
    const before = await world.run(everything(world, places))
    const wanted = { ...order, ...changed }
    const outcome = await world.run(repairs.repair(wanted, never))
    expect(outcome.state).toBe('REFUSED')
    const failed = outcome.conditions.filter(({ state }) => state === 'failed')
    expect(failed.map((each) => each.condition)).toContain(condition)
    expect(
      failed
        .filter((each) => each.condition === condition)
        .map((each) => textOf(each.message))
        .join(' '),
    ).toContain(says)
    expect(await world.run(everything(world, places))).toEqual(before)
    expect(repairs.attic.entries()).toEqual([])
    expect(actionsOf({ auditLog }).at(-1)).toMatchObject({ what: 'repairRefused', subject: name })
    // The refusal does not show the checksum to type.
    const reasons = failed.filter((each) => each.condition === 'expected').map((each) => textOf(each.message))
    expect(reasons.join(' ')).not.toContain(sha256(good))
  })

  test('no room for the good copy next to the damaged one', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    world.disk.freeBytesLeft = 100
    const outcome = await world.run(repairs.repair(order, never))
    expect(outcome).toMatchObject({
      state: 'REFUSED',
      message: { code: 'repair.refused', values: { reason: { code: 'repair.noRoom' } } },
    })
    expect(await world.run(textAt(world, `/one/${name}`))).toBe(bad)
  })

  test.each([
    [{ name: 'b.warc' }, 'The archive has no file named b.warc.'],
    [{ replica: 'nine' }, 'There is no replica nine'],
  ])('%j is not known', async (changed, says) => {
    const { world, repairs } = await prepared(two, {})
    await expect(world.run(repairs.repair({ ...order, ...changed }, never))).rejects.toThrow(says)
    await expect(world.run(repairs.plan({ ...order, ...changed }, never))).rejects.toThrow(says)
  })

  test('the same file is being repaired already', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    const first = repairs.repair(order, never)
    await expect(world.run(repairs.repair(order, never))).rejects.toMatchObject({ code: 'refused' })
    expect((await world.run(first)).state).toBe('REPAIRED')
  })
})

describe('faults at every step', () => {
  /** No good copy was harmed, the bad bytes are still somewhere, and no bad copy counts as good. */
  async function expectTruth(world: World, { archive }: Pick<Opened, 'archive'>, places: readonly ReplicaPlace[]) {
    const files = await everything(world, places)
    const texts = Object.entries(files)
    expect(texts.some(([path, text]) => path.startsWith('/one/') && text === bad)).toBe(true)
    expect(files[`/two/${name}`]).toBe(good)
    const states = new Map(archive.file(name)?.replicas.map(({ replica, preservation }) => [replica, preservation]))
    if (states.get('one') === 'OK') expect(files[`/one/${name}`]).toBe(good)
    return files
  }
  const again = async ({ repairs }: Pick<Opened, 'repairs'>) => {
    const plan = await repairs.plan({ name, replica: 'one' }, never)
    if (plan.kind === 'right') return 'right'
    return (await repairs.repair({ ...order, found: plan.found }, never)).state
  }

  test('power failure at any call: recovery or the next repair puts the good copy in place', async () => {
    const ends = new Set<string>()
    let isThrough = false
    for (let calls = 1; !isThrough; calls += 1) {
      const { world, store, repairs } = await prepared(two, { [`/one/${name}`]: bad }, calls)
      isThrough = (await world.runUntilCut(repairs.repair(order, never), calls)) !== undefined
      const next = isThrough ? world : world.crash()
      const opened = await next.run(open(next, store, two))
      await next.run(expectTruth(next, opened, two))
      await next.run(opened.repairs.resume(never))
      const files = await next.run(expectTruth(next, opened, two))
      ends.add(files[`/one/${name}`] === good ? 'good' : 'bad')
      // What was taken is known to the attic, and nothing that was not.
      const kept = opened.repairs.attic.entries().map(({ where }) => where)
      expect(Object.keys(files).filter((path) => path.includes('/attic/'))).toEqual(kept)
      expect(await next.run(again(opened))).toMatch(/right|REPAIRED/)
      expect((await next.run(expectTruth(next, opened, two)))[`/one/${name}`]).toBe(good)
      expect((await opened.auditLog.verifyChain(async () => undefined)).broken).toBeUndefined()
      store.close()
    }
    expect([...ends].toSorted()).toEqual(['bad', 'good'])
  })

  test('power failure while a checksum entry is corrected', async () => {
    const wrong = `${sha256('x')}  ${name}\n`
    const sums = { ...order, replica: 'sums', found: sha256('x') }
    let isThrough = false
    for (let calls = 1; !isThrough; calls += 1) {
      const { world, store, repairs } = await prepared(withSums, { [`/sums/${checksumFileName}`]: wrong }, calls)
      isThrough = (await world.runUntilCut(repairs.repair(sums, never), calls)) !== undefined
      const next = isThrough ? world : world.crash()
      const opened = await next.run(open(next, store, withSums))
      await next.run(opened.repairs.resume(never))
      const plan = await next.run(opened.repairs.plan(sums, never))
      if (plan.kind !== 'right') {
        const outcome = await next.run(opened.repairs.repair({ ...sums, found: plan.found }, never))
        expect(outcome.state).toBe('REPAIRED')
      }
      const files = await next.run(everything(next, withSums))
      expect(files[`/sums/${checksumFileName}`]).toBe(`${sha256(good)}  ${name}\n`)
      expect(files[`/sums/${wrongEntriesName}`]).toContain(wrong)
      expect(opened.repairs.attic.entries().every(({ state }) => state === 'kept')).toBe(true)
      store.close()
    }
  })

  const faults: ReplicaFault[] = [
    { kind: 'fails' },
    { kind: 'fills' },
    { kind: 'leaves' },
    { kind: 'slows', ms: 60_000 },
    { kind: 'stops' },
    { kind: 'damages', how: 'flipped' },
  ]
  test.each(['one', 'two'].flatMap((victim) => faults.map((fault) => [victim, fault] as const)))(
    '%s, %j at any step',
    async (victim, fault) => {
      const found = new Set<string>()
      const isDamaging = fault.kind === 'damages'
      const undisturbed = await broken({ victim, at: Infinity, fault }, 1)
      expect(undisturbed.state).toBe('REPAIRED')
      expect(undisturbed.steps).toBeGreaterThan(5)
      for (let at = 1; at <= undisturbed.steps; at += 1) {
        const { world, store, state } = await broken({ victim, at, fault }, at)
        found.add(state)
        const healed = await world.run(open(world, store, four))
        if (!isDamaging) await world.run(expectTruth(world, healed, four))
        // These copies were never anybody's concern.
        for (const each of ['three', 'four']) expect(await world.run(textAt(world, `/${each}/${name}`))).toBe(good)
        for (const { name: replica } of four) {
          const plan = await world.run(healed.repairs.plan({ name, replica }, never))
          if (plan.kind === 'right') continue
          const repair = healed.repairs.repair({ name, replica, expected: sha256(good), found: plan.found }, never)
          expect((await world.run(repair)).state).toBe('REPAIRED')
        }
        const after = await world.run(everything(world, four))
        for (const each of four) expect(after[`/${each.name}/${name}`]).toBe(good)
        store.close()
      }
      const ends = { slows: ['REPAIRED'], stops: ['stopped'] }[fault.kind as string]
      if (ends) expect([...found]).toEqual(ends)
    },
  )
  const four = [...three, { name: 'four', folder: '/four' }]
  /** A repair with one fault, and the world as it is then. */
  async function broken(at: Break, seed: number) {
    const { world, store } = await prepared(four, { [`/one/${name}`]: bad }, seed)
    let faulty: FaultyReplica | undefined
    const stopped = Promise.withResolvers<'stopped'>()
    const whole = open(world, store, four, at, (made) => {
      faulty = made
      void made.stopped.then(() => stopped.resolve('stopped'))
    }).then(async ({ repairs }) => (await repairs.repair(order, never)).state)
    const state = await world.run(Promise.race([whole, stopped.promise]))
    return { world: state === 'stopped' ? world.crash() : world, store, state, steps: faulty?.steps ?? 0 }
  }

  test('for any replicas and any confirmation: good copies stay, no byte is lost, and repaired means right', async () => {
    const texts = { good, bad, other: 'something else', none: null }
    const content = fc.constantFrom<keyof typeof texts>('good', 'bad', 'other', 'none')
    const said = fc.constantFrom<keyof typeof texts>('good', 'bad', 'bad', 'none')
    const ends = new Set<string>()
    const property = fc.asyncProperty(
      fc.array(content, { minLength: 2, maxLength: 4 }),
      said,
      said,
      async (lie, expected, found) => {
        const places = four.slice(0, lie.length)
        const harm = lie.flatMap((each, at) =>
          each === 'good' ? [] : [[`/${places[at]?.name}/${name}`, texts[each]] as const],
        )
        const { world, store, repairs } = await prepared(places, Object.fromEntries(harm))
        const before = await world.run(everything(world, places))
        const sumOf = (each: keyof typeof texts) => (texts[each] === null ? null : sha256(texts[each]))
        const wanted = { ...order, expected: sumOf(expected) ?? '', found: sumOf(found) }
        const { state, kind } = await world.run(repairs.repair(wanted, never))
        const after = await world.run(everything(world, places))
        // As many as are good, the catalogue's among them, of all who vote.
        const isMajority = (1 + lie.filter((each) => each === 'good').length) * 2 > lie.length + 1
        const isSafe = lie.slice(1).includes('good') && isMajority && lie[0] !== 'good'
        expect(state).toBe(isSafe && expected === 'good' && lie[0] === found ? 'REPAIRED' : 'REFUSED')
        if (state === 'REFUSED') expect(after).toEqual(before)
        else expect(after[`/one/${name}`]).toBe(good)
        for (const [path, text] of Object.entries(before)) if (text === good) expect(after[path]).toBe(good)
        for (const text of Object.values(before)) expect(Object.values(after)).toContain(text)
        ends.add(`${kind} ${state}`)
        store.close()
      },
    )
    await fc.assert(property, {
      numRuns: 100,
      examples: [
        [['bad', 'good'], 'good', 'bad'],
        [['none', 'good'], 'good', 'none'],
        [['good', 'bad'], 'bad', 'good'],
      ],
    })
    expect([...ends].toSorted()).toEqual([
      'replace REFUSED',
      'replace REPAIRED',
      'restore REFUSED',
      'restore REPAIRED',
      'right REFUSED',
    ])
  })

  test.each([
    ['something else', 'REFUSED', []],
    [null, 'FAILED', [{ state: 'open', where: null }]],
  ] as const)(
    'the bad copy becomes %j just before it is moved: that is left as it is',
    async (text, state, entries) => {
      const { world, store } = await prepared(two, { [`/one/${name}`]: bad })
      const { repairs } = await world.run(
        open(world, store, two, undefined, undefined, (replica) => ({
          ...replica,
          async setAside(file, wrong) {
            if (text === null) await world.disk.remove(`/one/${name}`)
            else await world.disk.write(`/one/${name}`, Buffer.from(text))
            return replica.setAside(file, wrong)
          },
        })),
      )
      const outcome = await world.run(repairs.repair(order, never))
      expect(outcome.state).toBe(state)
      expect(outcome.conditions.find(({ condition }) => condition === 'setAside')?.state).toBe('failed')
      expect(await world.run(textAt(world, `/one/${name}`))).toBe(text ?? undefined)
      expect(repairs.attic.entries()).toMatchObject(entries)
      expect(repairs.attic.entries()).toHaveLength(entries.length)
    },
  )

  test('the good copy becomes damaged while it is copied: no damaged copy counts as good', async () => {
    const { world, archive, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    repairs.onChange(({ conditions }) => {
      if (conditions.find(({ condition }) => condition === 'setAside')?.state !== 'met') return
      if (conditions.find(({ condition }) => condition === 'restored')?.state === 'open')
        world.disk.corrupt(`/two/${name}`, 5)
    })
    const outcome = await world.run(repairs.repair(order, never))
    expect(outcome).toMatchObject({ state: 'FAILED', attic: 1 })
    expect(archive.file(name)?.replicas[0]?.preservation).toBe('MISSING')
    expect(await world.run(textAt(world, `/one/${name}`))).toBeUndefined()
  })

  test('the good copy becomes damaged afterwards: it is named', async () => {
    const { world, archive, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    repairs.onChange(({ conditions }) => {
      const stateOf = (wanted: string) => conditions.find(({ condition }) => condition === wanted)?.state
      if (stateOf('restored') === 'met' && stateOf('goodAfter') === 'open') world.disk.corrupt(`/two/${name}`, 5)
    })
    const outcome = await world.run(repairs.repair(order, never))
    expect(outcome).toMatchObject({
      state: 'FAILED',
      message: { code: 'repair.doubt', values: { reason: { code: 'repair.sourceBad' } } },
    })
    expect(archive.file(name)?.replicas.map(({ preservation }) => preservation)).toEqual(['OK', 'CORRUPT'])
  })
})

describe('recovery', () => {
  /** The state after a kill that came after the move. */
  async function interrupted() {
    const parts = await prepared(three, { [`/one/${name}`]: bad })
    const stop = new AbortController()
    parts.repairs.onChange(({ conditions }) => {
      if (conditions.find(({ condition }) => condition === 'setAside')?.state === 'met') stop.abort(new Error('killed'))
    })
    await expect(parts.world.run(parts.repairs.repair(order, stop.signal))).rejects.toThrow('killed')
    expect(await parts.world.run(textAt(parts.world, `/one/${name}`))).toBeUndefined()
    return { ...parts, ...(await parts.world.run(open(parts.world, parts.store, three))) }
  }
  test('puts the pending good copy in place, once', async () => {
    const { world, repairs, auditLog } = await interrupted()
    expect(repairs.repairable({})).toEqual([{ name, replica: 'one', state: 'missing' }])
    await world.run(repairs.resume(never))
    expect(await world.run(textAt(world, `/one/${name}`))).toBe(good)
    expect(actionsOf({ auditLog }).at(-1)).toMatchObject({ what: 'repair', who: 'recovery' })
    const { length } = actionsOf({ auditLog })
    await world.run(repairs.resume(never))
    expect(actionsOf({ auditLog })).toHaveLength(length)
  })
  test('leaves the decision to a user when no good copy exists: the copy counts as missing, and the attic has its bytes', async () => {
    const { world, repairs, auditLog } = await interrupted()
    for (const each of ['two', 'three']) await world.run(world.disk.remove(`/${each}/${name}`))
    for (let round = 0; round < 2; round += 1) await world.run(repairs.resume(never))
    expect(repairs.repairable({ replica: 'one' })).toEqual([{ name, replica: 'one', state: 'missing' }])
    expect(repairs.attic.entries()).toMatchObject([{ state: 'kept', replaced: null }])
    expect(actionsOf({ auditLog }).some(({ what }) => what === 'repairRefused')).toBe(false)
  })
  test('does not touch a repair in progress', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    const first = repairs.repair(order, never)
    const recovering = (async () => {
      for (let round = 0; round < 200; round += 1) {
        await repairs.resume(never)
        await world.clock.sleep(1)
      }
    })()
    expect(await world.run(first)).toMatchObject({ state: 'REPAIRED', attic: 1 })
    await world.run(recovering)
    expect(repairs.attic.entries()).toMatchObject([{ id: 1, state: 'kept' }])
  })
})

describe('the attic', () => {
  async function filled() {
    const parts = await prepared(two, { [`/one/${name}`]: bad })
    await parts.world.run(parts.repairs.repair(order, never))
    return parts
  }
  test('an entry can be stored as a new file under a free name, and stays in the attic', async () => {
    const { world, archive, repairs, auditLog } = await filled()
    const restored = await world.run(repairs.attic.restore({ id: 1, who: 'user' }, never))
    expect(restored).toEqual({ id: 1, name: 'a.attic1.warc.gz', sha256: sha256(bad), state: 'stored', problems: [] })
    expect(await world.run(textAt(world, '/two/a.attic1.warc.gz'))).toBe(bad)
    expect(archive.file('a.attic1.warc.gz')?.stored).not.toBeNull()
    const [entry] = repairs.attic.entries()
    expect(entry?.restoredAs).toBe('a.attic1.warc.gz')
    expect(await world.run(textAt(world, entry?.where ?? ''))).toBe(bad)
    expect(await world.run(textAt(world, `/one/${name}`))).toBe(good)
    expect(actionsOf({ auditLog }).at(-1)).toMatchObject({
      what: 'restoreFromAttic',
      became: { name: 'a.attic1.warc.gz' },
    })
  })
  test('refuses a name in use, an invalid name, and a missing entry', async () => {
    const { world, repairs } = await filled()
    for (const [given, fault] of [
      [
        { id: 1, as: name },
        { code: 'refused', fields: [['as']] },
      ],
      [
        { id: 1, as: '../a.warc' },
        { code: 'refused', fields: [['as']] },
      ],
      [{ id: 7 }, { code: 'notFound', fields: [] }],
    ] as const)
      await expect(world.run(repairs.attic.restore({ ...given, who: 'user' }, never))).rejects.toMatchObject(fault)
    expect(await world.run(textAt(world, `/one/${name}`))).toBe(good)
  })
  test('bytes that changed or disappeared in the attic are not returned as the original ones', async () => {
    const { world, repairs } = await filled()
    const where = repairs.attic.entries()[0]?.where ?? ''
    world.disk.corrupt(where, 1)
    await expect(world.run(repairs.attic.restore({ id: 1, who: 'user' }, never))).rejects.toThrow('was changed')
    await world.run(world.disk.remove(where))
    await expect(world.run(repairs.attic.restore({ id: 1, who: 'user' }, never))).rejects.toThrow('is missing')
  })
})
