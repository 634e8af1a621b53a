import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { DiskFault } from '../../world/world.ts'
import type { RepairOrder } from './repair.ts'
import { checksumFileName, wrongEntriesName } from '../replica/checksumFile.ts'
import type { Replica } from '../replica/replica.ts'
import {
  sha256,
  good,
  bad,
  name,
  never,
  two,
  three,
  withSums,
  open,
  textAt,
  checkChecksums,
  everything,
  prepared,
  order,
  actionsOf,
} from './testing/repairFixture.ts'

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
  ] as const)('%s: moved unchanged, and only after confirmation', async (_, harm, says) => {
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
  ])('refused when the copy is %s by now', async (_, harm, says) => {
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

  test('a power failure at any call loses no file, and the next repair restores the good copy', async () => {
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
  ] as const)('%s that is missing', async (_, places, replica, path) => {
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

  test('when the right bytes exist but the reply to their store was lost, they count and no file is moved', async () => {
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
