import { expect, test } from 'vitest'
import { declarable } from '../../archive/report/ndsa.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openSettings } from './settings.ts'

function withSettings(act: (settings: Awaited<ReturnType<typeof openSettings>>) => Promise<void> | void) {
  const world = seededWorld({ seed: 1 })
  return world.run(openSettings(world, '/').then(act))
}

test('by default all checks are scheduled, and nothing is overdue before the schedule has run twice', () =>
  withSettings((settings) => {
    const { rhythm, report, limits } = settings.preservation()
    expect(rhythm).toEqual({ missingDays: 7, checksumsDays: 90, checksumsSample: 0, spotDays: 30, spotFiles: 10 })
    expect(report).toMatchObject({ places: {}, declared: [] })
    expect(report.overdueDays).toBeGreaterThanOrEqual(2 * rhythm.checksumsDays)
    expect(limits).toEqual({ checkBytesPerSecondMax: 0, quietBytesPerSecondMax: 25_000_000 })
  }))

test('a change applies at once', () =>
  withSettings(async (settings) => {
    await settings.set('preservation.overdueDays', 30)
    await settings.set('preservation.checksumsEveryDays', 0)
    await settings.set('places', { ONE: 'Aarhus', TWO: 'Odense' })
    await settings.set('preservation.declared', [...declarable])
    const { rhythm, report } = settings.preservation()
    expect(rhythm.checksumsDays).toBe(0)
    expect(report).toEqual({
      overdueDays: 30,
      checksumsEveryDays: 0,
      checksumsSample: 0,
      places: { ONE: 'Aarhus', TWO: 'Odense' },
      declared: declarable,
    })
  }))

const refused: [path: string, value: unknown, text: RegExp][] = [
  ['preservation.overdueDays', 0, /preservation\.overdueDays must be at least 1/],
  ['preservation.spotFiles', 0, /at least 1/],
  ['preservation.checksumsEveryDays', 1.5, /whole number/],
  ['preservation.checksumsEveryDays', 'often', /whole number/],
  ['places', { ONE: ' ' }, /places\.ONE must not be empty/],
  ['preservation.declared', ['twoCopies'], /preservation\.declared\.0 must be "stableStorage" or /],
]
test.each(refused)('%s cannot be %j', (path, value, text) =>
  withSettings((settings) => expect(settings.set(path, value)).rejects.toThrow(text)),
)
