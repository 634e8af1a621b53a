import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import { scheduleShape } from '../../contract/services/schedule.ts'
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import { statusOf } from './status.ts'

const schedule = scheduleShape.parse({ records: [{ hours: [2], durationMinutes: 180, timeZone: 'Europe/Berlin' }] })
const beginMs = Date.UTC(2026, 10, 23, 1)
const next = { beginMs, endMs: beginMs + 3 * 3_600_000, minimal: false }
const moment = 'Monday 2026-11-23 02:00 (Europe/Berlin)'

test.each<[JobState, string]>([
  ['INACTIVE', `Next run: ${moment}.`],
  ['ACTIVE', 'Runs until its time window closes at Monday 2026-11-23 05:00 (Europe/Berlin).'],
  ['ACTIVESEEDING', 'Runs until its time window closes at Monday 2026-11-23 05:00 (Europe/Berlin).'],
  ['ACTIVEWAITING', `The time window has ended. Finishing requests in progress, then waiting until ${moment}.`],
  ['ACTIVEWAIT', `Outside its time window until ${moment}.`],
  ['ACTIVEWAITSEEDING', `Outside its time window until ${moment}.`],
  ['PAUSED', 'Paused by a user. Its time window closes at Monday 2026-11-23 05:00 (Europe/Berlin).'],
  ['PAUSINGWAITING', `Paused by a user. Outside its time window until ${moment}.`],
  ['PAUSEDWAIT', `Paused by a user. Outside its time window until ${moment}.`],
])('%s', (state, expected) => {
  expect(textOf(statusOf({ state, schedule, windowEndMs: next.endMs, next }))).toBe(expected)
})

test('a run that was started by hand has no window, and an expired schedule is reported', () => {
  const run = { state: 'ACTIVE' as const, schedule, windowEndMs: null, next }
  expect(textOf(statusOf(run))).toBe('No time window: runs until finished.')
  expect(textOf(statusOf({ ...run, state: 'ACTIVEWAIT', next: undefined }))).toContain('no more time windows')
})

test('every state has a sentence', () => {
  for (const state of jobStates.states) {
    expect(textOf(statusOf({ state, schedule: null, windowEndMs: null, next: undefined }))).toMatch(/^[A-Z].*\.$/)
  }
})
