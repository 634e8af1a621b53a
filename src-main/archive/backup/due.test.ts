import { expect, test } from 'vitest'
import { graceMs, nextBackupMs, type Attempts } from './due.ts'
import { backupRetryMs, backupRetryMsMax } from './limits.ts'

const hourMs = 3_600_000
const nowMs = 10_000 * hourMs
const failedAgo = (hours: number, tries: number) => ({ failure: { atMs: nowMs - hours * hourMs, tries } })

/** `inHours` counts from now; undefined means never. */
const rows: [what: string, attempts: Partial<Attempts>, everyHours: number, inHours: number | undefined][] = [
  ['none in an empty archive', { hasContent: false }, 24, undefined],
  ['none without a schedule', {}, 0, undefined],
  ['none without a schedule, also after a failure', failedAgo(9, 1), 0, undefined],
  ['the first at once', {}, 24, 0],
  ['the next a day after the last', { confirmedMs: nowMs - 20 * hourMs }, 24, 4],
  ['at once when Loupe was not running', { confirmedMs: nowMs - 90 * hourMs }, 24, -66],
  ['again soon after a failure', failedAgo(0, 1), 24, backupRetryMs / hourMs],
  ['later after the second', failedAgo(0, 2), 24, (2 * backupRetryMs) / hourMs],
  ['after many never later than that', failedAgo(1, 500), 24, backupRetryMsMax / hourMs - 1],
  ['a failure counts more than the last good one', { ...failedAgo(0, 3), confirmedMs: nowMs }, 24, (4 * backupRetryMs) / hourMs], // prettier-ignore
  ['what a wrong clock dated ahead puts off nothing', { confirmedMs: nowMs + 90 * hourMs }, 24, 0],
  ['nor does a failure', failedAgo(-90, 1), 24, 0],
]
test.each(rows)('%s', (_, attempts, everyHours, inHours) => {
  const given = { hasContent: true, confirmedMs: null, failure: null, ...attempts }
  const next = nextBackupMs(everyHours, given, nowMs)
  expect(next).toBe(inHours === undefined ? undefined : nowMs + inHours * hourMs)
})

test('a backup is overdue after two intervals, and not within a day', () => {
  expect([1, 24, 100].map((hours) => graceMs(hours) / hourMs)).toEqual([24, 48, 200])
})
