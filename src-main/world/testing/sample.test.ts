import { expect, test } from 'vitest'
import { drawn } from './sample.ts'

const cases = Array.from({ length: 20 }, (_, at) => at)

test('a sample has the requested size, in order and without repetition', () => {
  for (let seed = 0; seed < 50; seed++) {
    const sample = drawn(cases, 5, seed)
    expect(new Set(sample).size).toBe(5)
    expect(sample).toEqual(sample.toSorted((one, other) => one - other))
  }
})

test('equal seeds draw equal samples, and a hundred seeds draw every case', () => {
  const samples = Array.from({ length: 100 }, (_, seed) => drawn(cases, 5, seed))
  expect(samples).toEqual(Array.from({ length: 100 }, (_, seed) => drawn(cases, 5, seed)))
  expect(new Set(samples.flat()).size).toBe(cases.length)
})

test('draws all cases when there are fewer than requested', () => {
  expect(drawn(cases, 99, 1)).toEqual(cases)
})
