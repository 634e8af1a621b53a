import { expect, test } from 'vitest'
import { clockDoubtMs } from '../../../src-main/archive/files/limits.ts'
import { believedAt } from '../../../src-main/archive/copies/standing.ts'
import { isOverdue } from './ages.ts'

const at = '2026-11-20T12:00:00.000Z'
const asOf = { at, overdueDays: 90 }
const dayMs = 86_400_000

test.each<[what: string, agoMs: number]>([
  ['just now', 0],
  ['as old as may be', 90 * dayMs],
  ['older', 90 * dayMs + 1],
  ['as far ahead as clocks differ', -clockDoubtMs],
  ['in years to come', -clockDoubtMs - 1],
])('what was compared %s is overdue where the engine says so', (_what, agoMs) => {
  const timeMs = Date.parse(at) - agoMs
  const { beforeMs, untilMs } = believedAt(Date.parse(at), asOf.overdueDays)
  expect(isOverdue(new Date(timeMs).toISOString(), asOf)).toBe(timeMs < beforeMs || timeMs > untilMs)
})

test('what was never done is not overdue: it is said to be never done', () => {
  expect(isOverdue(null, asOf)).toBe(false)
})
