import fc from 'fast-check'
import { expect, test } from 'vitest'
import { weeksOf, yearsOf } from './captureTimes.ts'

test('years are consecutive, including those without captures', () => {
  const captured = [
    { year: 2009, captures: 1 },
    { year: 2011, captures: 2 },
  ]
  expect(yearsOf(captured)).toEqual([captured[0], { year: 2010, captures: 0 }, captured[1]])
  expect(yearsOf([])).toEqual([])
})

test('a month that begins on a Sunday ends its first week with it', () => {
  // The first of May 2011 was a Sunday.
  const weeks = weeksOf(2011, 4)
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2011-05-01'])
  expect(weeks.at(-1)).toEqual(['2011-05-30', '2011-05-31', null, null, null, null, null])
})

test('a year contains each day once, in order, in weeks of seven', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1970, max: 2200 }), (year) => {
      const weeks = Array.from({ length: 12 }, (_, month) => weeksOf(year, month)).flat()
      expect(weeks.every(({ length }) => length === 7)).toBe(true)
      const days = weeks.flat().filter((day) => day !== null)
      expect(days).toEqual([...new Set(days)].toSorted())
      expect(days.length).toBe((Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / 86_400_000)
    }),
  )
})
