import { afterAll, describe, expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { scheduleShape } from '../../contract/services/schedule.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { openSchedules } from './schedules.ts'

/** A Sunday. */
const startMs = Date.UTC(2026, 10, 22, 12)
const world = seededWorld({ seed: 1, startMs })
const nightly = scheduleShape.parse({
  records: [{ daysOfWeek: [1], hours: [2], durationMinutes: 180, timeZone: 'Europe/Berlin' }],
})
const store = openStore(':memory:')
const jobs = openJobs(store, world)
const schedules = openSchedules(store, world)
afterAll(() => store.close())

const defined = (given: object) => jobs.create(harvestDefinition.parse({ seeds: ['http://site.test/'], ...given }))

describe('the schedule of a job', () => {
  test('with one a new job waits for its window, without it starts at once', () => {
    expect(jobs.summary(defined({})).state).toBe('READYFORSTARTUP')
    const job = defined({ schedule: nightly })
    expect(jobs.summary(job).state).toBe('INACTIVE')
    expect(jobs.show(job).definition.schedule).toEqual(nightly)
    expect(schedules.show(job)).toMatchObject({
      job,
      schedule: nightly,
      windowEnd: null,
      windowNow: null,
      started: null,
    })
    expect(schedules.show(job).words.map(textOf)).toEqual(['every Monday at 02:00 for 3 hours, Europe/Berlin'])
    expect(textOf(schedules.show(job).doing)).toBe('Next run: Monday 2026-11-23 02:00 (Europe/Berlin).')
    expect(schedules.show(job).next[0]).toEqual({
      begin: '2026-11-23T01:00:00.000Z',
      end: '2026-11-23T04:00:00.000Z',
      minimal: false,
    })
    expect(schedules.show(job).next).toHaveLength(10)
  })

  test('can be changed, switched off and removed', () => {
    const job = defined({ schedule: nightly })
    schedules.set(job, { ...nightly, startMethod: 'DISABLE' })
    expect(schedules.show(job)).toMatchObject({
      next: [],
      doing: message('jobStatus.scheduleOff'),
    })
    schedules.set(job, scheduleShape.parse({ records: [{ years: [2020] }] }))
    expect(textOf(schedules.show(job).doing)).toContain('no more time windows')
    schedules.set(job, null)
    expect(schedules.show(job)).toMatchObject({
      schedule: null,
      words: [],
      doing: message('jobStatus.notScheduled'),
    })
  })

  test('of a job that waits for Loupe to run reports that', () => {
    const job = defined({})
    const looking = openSchedules(store, world, { isWorkedOn: false })
    expect(textOf(schedules.show(job).doing)).toMatch(/^No time window: runs until finished/)
    expect(textOf(looking.show(job).doing)).toMatch(/^Loupe is not running on this archive/)
    const scheduled = defined({ schedule: nightly })
    expect(textOf(looking.show(scheduled).doing)).toMatch(/^Next run: /)
  })

  test('is refused for an import and for a missing job', () => {
    const imported = jobs.createImport(['/somewhere'])
    expect(() => schedules.set(imported, nightly)).toThrow(/runs only once/)
    expect(() => schedules.show(999)).toThrow(/no job 999/)
    expect(schedules.list().map(({ job }) => job)).not.toContain(imported)
  })

  test('is previewed before it is saved', () => {
    const { words, runs } = schedules.preview({ schedule: nightly, fromMs: startMs, count: 2 })
    expect(words.map(textOf)).toEqual(['every Monday at 02:00 for 3 hours, Europe/Berlin'])
    expect(runs.map(({ begin }) => begin)).toEqual(['2026-11-23T01:00:00.000Z', '2026-11-30T01:00:00.000Z'])
  })
})
