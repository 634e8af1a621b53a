import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { sha256, good, bad, name, never, two, textAt, prepared, order, actionsOf } from './testing/repairFixture.ts'

describe('inspecting the attic', () => {
  const kept = `/one/attic/${name}.${sha256(bad).slice(0, 8)}`
  test.each([
    ['unchanged', undefined, 'there', 'right', 'Verified: unchanged'],
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
