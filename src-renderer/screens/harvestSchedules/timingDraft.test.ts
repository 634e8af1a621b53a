import { expect, test } from 'vitest'
import { harvestTiming, type HarvestTiming } from '../../../src-main/contract/services/harvestSchedules.ts'
import { timingDraftOf, timingFrom } from './timingDraft.ts'

const timings: [string, Parameters<typeof harvestTiming.parse>[0]][] = [
  ['any time', { unit: 'minute', every: 5 }],
  ['an hour', { unit: 'hour', at: { minute: 5 } }],
  ['a day', { unit: 'day', every: 2, at: { hour: 4, minute: 30 }, timeZone: 'Europe/Berlin' }],
  ['a week', { unit: 'week', at: { dayOfWeek: 0, hour: 0, minute: 0 }, end: '2027-01-01T00:00:00Z' }],
  ['a month', { unit: 'month', at: { dayOfMonth: 31, hour: 23, minute: 59 }, start: '2026-12-01T10:00:00Z', runs: 3 }],
]

test.each(timings)('%s both ways', (_name, given) => {
  const timing: HarvestTiming = harvestTiming.parse(given)
  expect(timingFrom(timingDraftOf(timing, 'UTC'))).toEqual(timing)
})

test('is null while it is not complete', () => {
  const draft = timingDraftOf(null, 'Europe/Berlin')
  expect(timingFrom(draft)).toMatchObject({
    unit: 'day',
    every: 1,
    at: { hour: 4, minute: 0 },
    timeZone: 'Europe/Berlin',
  })
  expect(timingFrom({ ...draft, every: '' })).toBeNull()
  expect(timingFrom({ ...draft, time: '' })).toBeNull()
  expect(timingFrom({ ...draft, ends: 'at', end: '' })).toBeNull()
})
