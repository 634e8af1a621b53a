import { expect, test } from 'vitest'
import { realWorld } from '../world/real.ts'
import { seededWorld } from '../world/seeded.ts'
import type { World } from '../world/world.ts'
import { openMatcher } from './matcher.ts'

const rowsOf = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  [null, ['a.warc', 'b.warc']],
  ['^b', ['b.warc']],
  ['warc$', ['a.warc', 'b.warc']],
  ['c', ['a.warc', 'b.warc']],
  ['^x', []],
])('%s means %j', async (pattern, names) => {
  const found = async (world: World) => {
    const matcher = openMatcher(world, pattern)
    const twice = [await matcher.chosen(rowsOf('a.warc', 'b.warc')), await matcher.chosen([])]
    matcher.close()
    return twice
  }
  const seeded = seededWorld({ seed: 1 })
  expect(await found(realWorld())).toEqual([rowsOf(...names), []])
  expect(await seeded.run(found(seeded))).toEqual([rowsOf(...names), []])
})

test('what is no regular expression is refused at once', () => {
  expect(() => openMatcher(realWorld(), '(')).toThrow('( is not a regular expression')
})

test('an expression that takes for ever is given up, and holds up nobody meanwhile', async () => {
  const real = realWorld()
  const timeUp = Promise.withResolvers<void>()
  // The time is over when the test says so.
  const world: World = { ...real, clock: { ...real.clock, sleep: () => timeUp.promise } }
  const matcher = openMatcher(world, '^(a+)+$')
  const given = matcher.chosen(rowsOf(`${'a'.repeat(60)}.warc`))
  const turns = await Promise.race([given, new Promise((resolve) => setImmediate(() => resolve('a turn')))])
  expect(turns).toBe('a turn')
  timeUp.resolve()
  await expect(given).rejects.toThrow('The regular expression ^(a+)+$ takes too long on names of files')
  matcher.close()
})
