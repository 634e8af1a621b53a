import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import type { RepairOrder } from './repair.ts'
import { checksumFileName } from '../replica/checksumFile.ts'
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
  textAt,
  everything,
  prepared,
  order,
  actionsOf,
} from './testing/repairFixture.ts'

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
  ])('refuses the unknown %j', async (changed, says) => {
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
