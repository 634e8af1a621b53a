import { expect, test } from 'vitest'
import { stackOf } from './stackOf.ts'

test('series are added up from the first, and the highest sum comes first', () => {
  expect(stackOf([{ amounts: [1, 2] }, { amounts: [0, 5] }, { amounts: [3] }], 2)).toEqual([
    [0, 1],
    [4, 7],
    [1, 7],
    [1, 2],
  ])
})

test('without series there are periods only', () => expect(stackOf([], 2)).toEqual([[0, 1]]))
