import { expect, test } from 'vitest'
import { isNoticed } from './taskNotices.ts'

const ended = {
  ended: '2026-11-28T12:00:00Z',
  startedBy: 'user',
  runningMs: 60_000,
  state: 'DONE',
  kind: 'export',
} as const

test('the end of long work that the user has started is told, whatever its result', () => {
  expect(isNoticed(ended)).toBe(true)
  expect(isNoticed({ ...ended, state: 'FAILED' })).toBe(true)
})

test.each([
  ['runs', { ended: null }],
  ['was short', { runningMs: 900 }],
  ['was stopped by the user', { state: 'STOPPED' }],
  ['was started by its schedule', { startedBy: 'schedule' }],
  ['builds an index for a view', { kind: 'index' }],
] as const)('a task that %s gives no notice', (_, task) => {
  expect(isNoticed({ ...ended, ...task })).toBe(false)
})
