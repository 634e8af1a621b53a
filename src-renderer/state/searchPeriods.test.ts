import { expect, test } from 'vitest'
import { periodsOf } from './searchPeriods.ts'

const facetsWith = (year: { value: string; count: number }[]) => {
  return { host: [], type: [], year, language: [], job: [], status: [] }
}
const counted = (value: string, count = 1) => ({ value, count })

test('months without results are between those with some', () => {
  const months = [counted('2023-11', 2), counted('2024-02')]
  expect(periodsOf({ months, facets: facetsWith([]) })).toEqual([
    counted('2023-11', 2),
    counted('2023-12', 0),
    counted('2024-01', 0),
    counted('2024-02'),
  ])
})

test('many months are years, in which a result counts once', () => {
  const months = [counted('2001-12'), counted('2004-11', 3), counted('2004-12', 3)]
  const facets = facetsWith([counted('2004', 4), counted('2001')])
  expect(periodsOf({ months, facets })).toEqual([
    counted('2001'),
    counted('2002', 0),
    counted('2003', 0),
    counted('2004', 4),
  ])
})

test.each([[[]], [null]])('there is none without results (%j)', (months) =>
  expect(periodsOf({ months, facets: null })).toEqual([]),
)
