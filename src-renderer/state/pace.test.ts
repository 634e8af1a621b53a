import { expect, test } from 'vitest'
import { rateOf, secondsLeft, seen, type ProgressSample } from './pace.ts'

const samples = (rows: [atMs: number, done: number][]): ProgressSample[] =>
  rows.reduce<ProgressSample[]>((before, [atMs, done]) => seen(before, { atMs, done }), [])

test.each<{ story: string; rows: [number, number][]; rate: number | undefined; left: number | undefined }>([
  { story: 'no samples', rows: [], rate: undefined, left: undefined },
  { story: 'one sample', rows: [[0, 10]], rate: undefined, left: undefined },
  {
    story: 'samples too close together',
    rows: [
      [0, 10],
      [100, 20],
    ],
    rate: undefined,
    left: undefined,
  },
  {
    story: 'steady',
    rows: [
      [0, 0],
      [1_000, 10],
      [2_000, 20],
    ],
    rate: 10,
    left: 8,
  },
  {
    story: 'only the last twenty seconds count',
    rows: [
      [0, 0],
      [60_000, 10],
      [62_000, 50],
    ],
    rate: 20,
    left: 2.5,
  },
  {
    story: 'restarted',
    rows: [
      [0, 50],
      [2_000, 0],
      [4_000, 10],
    ],
    rate: 5,
    left: 18,
  },
  {
    story: 'no progress',
    rows: [
      [0, 50],
      [2_000, 50],
    ],
    rate: 0,
    left: undefined,
  },
])('$story', ({ rows, rate, left }) => {
  expect(rateOf(samples(rows))).toBe(rate)
  expect(secondsLeft(samples(rows), 100)).toBe(left)
})
