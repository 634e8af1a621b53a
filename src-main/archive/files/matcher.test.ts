import { expect, test } from 'vitest'
import { realWorld } from '../../world/real.ts'
import type { World } from '../../world/world.ts'
import { nameMatcher } from './matcher.ts'

const rowsOf = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  [null, ['a.warc', 'b.warc']],
  ['^b', ['b.warc']],
  ['warc$', ['a.warc', 'b.warc']],
  ['c', ['a.warc', 'b.warc']],
  ['^x', []],
])('%s means %j', async (pattern, names) => {
  const chosen = nameMatcher(realWorld(), pattern)
  expect(await chosen(rowsOf('a.warc', 'b.warc'))).toEqual(rowsOf(...names))
  expect(await chosen([])).toEqual([])
})

test.each([
  ['(', '( is not a valid pattern for file names. "(": This parenthesis is never closed.'],
  ['(?!1-)', '(?!1-) is not a valid pattern for file names. "(?!": Lookahead is not supported'],
])('%s is refused at once, with the reason', (pattern, text) => {
  expect(() => nameMatcher(realWorld(), pattern)).toThrow(text)
})

test('answers a pattern that backtracking engines never finish', async () => {
  const names = [`${'a'.repeat(2_000)}.warc`, 'a'.repeat(2_000)]
  expect(await nameMatcher(realWorld(), '^(a+)+$')(rowsOf(...names))).toEqual(rowsOf('a'.repeat(2_000)))
})

test('other work continues while a pattern is matched against many names', async () => {
  const real = realWorld()
  let turns = 0
  const clock = { ...real.clock, sleep: async () => void (turns += 1) }
  const world: World = { ...real, clock }
  const rows = rowsOf(...Array.from({ length: 2_000 }, (_, number) => `${number}-${'a'.repeat(100)}.warc.gz`))
  expect(await nameMatcher(world, '^9')(rows)).toHaveLength(111)
  expect(turns).toBe(0)
  expect(await nameMatcher(world, `^9|${'b'.repeat(4_000)}`)(rows)).toHaveLength(111)
  expect(turns).toBeGreaterThan(100)
})
