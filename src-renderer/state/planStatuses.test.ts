import { expect, test } from 'vitest'
import { canDecide, mostUrgent, summed } from './planStatuses.ts'

test.each([
  ['retry', 'ERROR_DOC', true],
  ['retry', 'PROCESSING', false],
  ['force', 'INDEXED', true],
  ['force', 'RESTART', true],
  ['drop', 'INDEXED', false],
  ['drop', 'DEAD', true],
] as const)('%s at %s: %s', (decision, state, isPossible) => expect(canDecide(decision, state)).toBe(isPossible))

test('what needs a decision comes first', () => {
  expect(mostUrgent({ INDEXED: 100, ERROR: 3, DEAD: 1 })).toBe('DEAD')
  expect(mostUrgent({ INDEXED: 100, DEAD: 0 })).toBe('INDEXED')
  expect(mostUrgent({})).toBe('INDEXED')
})

test('counts of several destinations are added up', () => {
  expect(summed([{ INDEXED: 2, DEAD: 1 }, { INDEXED: 3 }])).toMatchObject({ INDEXED: 5, DEAD: 1, ERROR: 0 })
})
