import { afterAll, expect, test } from 'vitest'
import { harvestScheduleInput } from '../../contract/services/harvestSchedules.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openHarvestSchedules } from './harvestSchedules.ts'

const startMs = Date.UTC(2026, 10, 26, 12)
const store = openStore(':memory:')
const schedules = openHarvestSchedules(store, seededWorld({ seed: 1, startMs }).clock)
afterAll(() => store.close())

const nightly = harvestScheduleInput.parse({
  name: 'Nights',
  timing: { unit: 'day', at: { hour: 2, minute: 30 }, timeZone: 'Europe/Berlin' },
})
const planned = (name: string) =>
  store
    .statement<{ name: string }, { nextMs: number | null }>(
      `SELECT next_run_ms AS nextMs FROM harvest_definition WHERE name = @name`,
    )
    .get({ name })?.nextMs

function harvestWith(name: string, schedule: string, isActive: number): void {
  store
    .statement<object>(
      `INSERT INTO harvest_definition (name, kind, is_active, schedule_id, channel, created_ms)
       SELECT @name, 'selective', @isActive, id, 'ANY', 0 FROM harvest_schedule WHERE name = @schedule`,
    )
    .run({ name, schedule, isActive })
}

test('a new archive has four schedules, whose next runs are listed', () => {
  const rows = schedules.list()
  expect(rows.map(({ name, isBuiltIn }) => [name, isBuiltIn])).toEqual(
    ['Hourly', 'Daily', 'Weekly', 'Monthly'].map((name) => [name, true]),
  )
  expect(rows.map(({ words }) => textOf(words))).toEqual(['every hour', 'every day', 'every week', 'every month'])
  expect(schedules.show('weekly').next.slice(0, 2)).toEqual(['2026-11-26T12:00:00.000Z', '2026-12-03T12:00:00.000Z'])
})

test('a schedule is added, changed and removed by its name', () => {
  expect(schedules.add(nightly).next[0]).toBe('2026-11-27T01:30:00.000Z')
  expect(() => schedules.add({ ...nightly, name: 'NIGHTS' })).toThrow('There is already a schedule named NIGHTS.')
  const changed = { ...nightly, name: 'Mornings', timing: { ...nightly.timing, at: { hour: 6, minute: 0 } } }
  expect(textOf(schedules.edit('nights', changed).words)).toBe('every day at 06:00 (Europe/Berlin)')
  expect(() => schedules.show('Nights')).toThrow('There is no schedule named Nights. Known: Hourly,')
  schedules.remove('Mornings')
  expect(schedules.list()).toHaveLength(4)
})

test('a schedule in use is not removed, and a change of it plans its active harvests again', () => {
  schedules.add(nightly)
  harvestWith('News', 'Nights', 1)
  harvestWith('Old news', 'Nights', 0)
  expect(schedules.show('Nights').harvests).toEqual({ names: ['News', 'Old news'], total: 2 })
  expect(() => schedules.remove('Nights')).toThrow('2 harvests use it, for example News, Old news')
  schedules.edit('Nights', { ...nightly, timing: { ...nightly.timing, at: { hour: 14, minute: 0 } } })
  expect([planned('News'), planned('Old news')]).toEqual([Date.UTC(2026, 10, 26, 13), null])
})

test.each(['remove', 'edit'] as const)('a built-in schedule refuses %s', (action) => {
  const act = () => (action === 'remove' ? schedules.remove('Daily') : schedules.edit('Daily', nightly))
  expect(act).toThrow('Schedule Daily is built in')
})

test.each<[timing: object, words: string]>([
  [
    { unit: 'week', every: 2, at: { dayOfWeek: 1, hour: 4, minute: 0 }, runs: 3 },
    'every 2 weeks on Monday at 04:00 (UTC), 3 times',
  ],
  [
    { unit: 'hour', at: { minute: 5 }, end: '2027-01-01T00:00:00Z' },
    'every hour at minute 05 (UTC), until 2027-01-01T00:00:00Z',
  ],
  [
    { unit: 'month', at: { dayOfMonth: 31, hour: 1, minute: 0 }, start: '2027-01-01T00:00:00Z' },
    'every month on day 31 at 01:00 (UTC), from 2027-01-01T00:00:00Z',
  ],
  [{ unit: 'minute', every: 10 }, 'every 10 minutes'],
])('%j is "%s"', (timing, words) => {
  const input = harvestScheduleInput.parse({ name: 'Shown', timing })
  expect(textOf(schedules.add(input).words)).toBe(words)
  schedules.remove('Shown')
})
