import { expect, test } from 'vitest'
import { barsMax, withPeriodsBetween } from './periodsBetween.ts'

const rows = (...periods: string[]) =>
  periods.map((period, at) => ({ period, amounts: [{ captures: at + 1, bytes: 10 }] }))
const shown = (isCumulative: boolean, ...periods: string[]) =>
  withPeriodsBetween(rows(...periods), isCumulative).map(({ period, amounts }) => [period, amounts[0]?.captures])

test.each([
  [['2020', '2022'], '2021'],
  [['2020-12', '2021-02'], '2021-01'],
  [['2024-02-28', '2024-03-01'], '2024-02-29'],
])('between %s there is %s', (periods, between) => {
  const [first = '', last = ''] = periods
  expect(shown(false, ...periods)).toEqual([
    [first, 1],
    [between, 0],
    [last, 2],
  ])
  expect(shown(true, ...periods)).toEqual([
    [first, 1],
    [between, 1],
    [last, 2],
  ])
})

test('too many periods are left out', () => {
  expect(shown(false, '1000-01-01', '2020-01-01')).toHaveLength(2)
  expect(shown(false, '2020-01-01', '2026-01-01').length).toBeLessThan(barsMax)
})
