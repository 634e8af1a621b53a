import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { World } from '../../world/world.ts'
import { checksumFileName, wrongEntriesName } from '../replica/checksumFile.ts'
import type { FaultyReplica, ReplicaFault } from '../testing/faultyReplica.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import {
  sha256,
  good,
  bad,
  name,
  never,
  two,
  three,
  withSums,
  type Opened,
  type Break,
  open,
  textAt,
  everything,
  prepared,
  order,
  actionsOf,
} from './testing/repairFixture.ts'

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
      // The attic lists exactly the copies that were moved there.
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
        // These copies were not part of the repair.
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
  /** Runs a repair with one fault and returns the resulting world. */
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
        // Good votes, including the catalogue's, against all votes.
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
  ] as const)('the bad copy becomes %j just before it is moved: it is left unchanged', async (text, state, entries) => {
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
  })

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
