import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outdated, type KeepRules, type KeptBackup } from './retention.ts'

const dayMs = 86_400_000
const nowMs = 1_000 * dayMs
const aged = (...days: number[]): KeptBackup[] =>
  days.map((day) => ({ name: `${day} days`, confirmedMs: nowMs - day * dayMs }))

const rows: [what: string, rules: KeepRules, days: number[], removed: number[]][] = [
  ['nothing of nothing', { keepCount: 1, keepDays: 0 }, [], []],
  ['never the only one, however old', { keepCount: 0, keepDays: 0 }, [900], []],
  ['backups that are neither among the newest nor recent', { keepCount: 2, keepDays: 10 }, [1, 5, 20, 30], [30, 20]],
  ['young ones stay, however many', { keepCount: 1, keepDays: 10 }, [1, 2, 3, 4, 10], []],
  ['keeps old ones if there are no newer ones', { keepCount: 3, keepDays: 10 }, [50, 60, 70, 80], [80]],
  ['one that a wrong clock dated ahead is not old', { keepCount: 1, keepDays: 10 }, [-500, 5, 20], [20]],
]
test.each(rows)('%s', (_, rules, days, removed) => {
  expect(outdated(aged(...days), rules, nowMs)).toEqual(removed.map((day) => `${day} days`))
})

describe('for any set of backups', () => {
  const backups = fc.uniqueArray(
    fc.record({ name: fc.string(), confirmedMs: fc.integer({ min: nowMs - 400 * dayMs, max: nowMs + 400 * dayMs }) }),
    { selector: ({ name }) => name },
  )
  const rules = fc.record({ keepCount: fc.nat({ max: 20 }), keepDays: fc.nat({ max: 400 }) })
  const holds = (says: (good: KeptBackup[], rules: KeepRules, removed: KeptBackup[], kept: KeptBackup[]) => void) =>
    fc.assert(
      fc.property(backups, rules, (good, each) => {
        const names = new Set(outdated(good, each, nowMs))
        const isRemoved = ({ name }: KeptBackup) => names.has(name)
        says(good, each, good.filter(isRemoved), good.filter((one) => !isRemoved(one))) // prettier-ignore
      }),
    )

  test('the newest stays', () =>
    holds((good, _, removed) => {
      const newestMs = Math.max(...good.map(({ confirmedMs }) => confirmedMs))
      expect(good.length === 0 || removed.length < good.length).toBe(true)
      if (removed.length > 0) expect(Math.max(...removed.map(({ confirmedMs }) => confirmedMs))).toBeLessThanOrEqual(newestMs) // prettier-ignore
    }))
  test('as many as configured stay, each at least as new as every removed one', () =>
    holds((good, { keepCount }, removed, kept) => {
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(good.length, Math.max(1, keepCount)))
      const oldestKeptMs = Math.min(...kept.map(({ confirmedMs }) => confirmedMs))
      for (const { confirmedMs } of removed) expect(confirmedMs).toBeLessThanOrEqual(oldestKeptMs)
    }))
  test('no young one is removed', () =>
    holds((_, { keepDays }, removed) => {
      for (const { confirmedMs } of removed) expect(nowMs - confirmedMs).toBeGreaterThan(keepDays * dayMs)
    }))
  test('old ones beyond the number are removed', () =>
    holds((_, { keepCount, keepDays }, __, kept) => {
      const old = kept.filter(({ confirmedMs }) => nowMs - confirmedMs > keepDays * dayMs)
      if (old.length > 0) expect(kept.length).toBeLessThanOrEqual(Math.max(1, keepCount))
    }))
  test('a second run removes nothing', () =>
    holds((_, each, __, kept) => {
      expect(outdated(kept, each, nowMs)).toEqual([])
    }))
})
