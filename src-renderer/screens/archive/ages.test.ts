import { expect, test } from 'vitest'
import { clockDoubtMs } from '../../../src-main/archive/files/limits.ts'
import { awaitsFirstCheck, isOverdue } from './ages.ts'
import { believedAt } from '../../../src-main/archive/copies/copyStatus.ts'

const at = '2026-11-20T12:00:00.000Z'
const asOf = { at, overdueDays: 90 }
const dayMs = 86_400_000

test.each<[what: string, agoMs: number]>([
  ['just now', 0],
  ['as long ago as allowed', 90 * dayMs],
  ['longer ago', 90 * dayMs + 1],
  ['within the tolerance for clocks in the future', -clockDoubtMs],
  ['too far in the future', -clockDoubtMs - 1],
])('a copy compared %s is overdue as the engine decides', (_what, agoMs) => {
  const timeMs = Date.parse(at) - agoMs
  const { beforeMs, untilMs } = believedAt(Date.parse(at), asOf.overdueDays)
  expect(isOverdue(new Date(timeMs).toISOString(), asOf)).toBe(timeMs < beforeMs || timeMs > untilMs)
})

test('a check that was never run is not overdue but reported as never run', () => {
  expect(isOverdue(null, asOf)).toBe(false)
})

test.each<[what: string, files: number, overdue: number, firstCheckDue: string | null, expected: boolean]>([
  ['no files', 0, 0, null, true],
  ['only new copies', 2, 0, '2026-12-01T00:00:00.000Z', true],
  ['new copies whose check is due', 2, 0, '2026-11-01T00:00:00.000Z', false],
  ['new copies and an overdue one', 2, 1, '2026-12-01T00:00:00.000Z', false],
  ['no new copy', 2, 0, null, false],
])('a replica with %s: whether its first check can wait', (_what, files, overdue, firstCheckDue, expected) => {
  expect(awaitsFirstCheck({ files, overdue, firstCheckDue }, asOf)).toBe(expected)
})
