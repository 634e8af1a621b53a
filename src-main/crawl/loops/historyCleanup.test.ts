/** The whole engine with a limited history: rows beyond the limit are removed during the harvest. */
import { expect, test } from 'vitest'
import { addActivities } from '../history/testing/historyFixture.ts'
import { linksTo, lived, noRules, secondMs } from './testing/engineFixture.ts'

const oldCount = 10

test('only the newest activities within the limits of number and age are kept', async () => {
  const paths = Array.from({ length: 30 }, (_, number) => `/${number}`)
  const found = await lived(
    {
      seed: 1,
      answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...paths) : linksTo()),
      definition: { seeds: ['http://site.test/'] },
      settings: { historyDays: 1, historyRowsMax: 12 },
    },
    async ({ store, world, until, sleep, job }) => {
      // Two days old: removed although the limit of number is not reached.
      const startMs = world.clock.now() - 2 * 86_400 * secondMs
      const entry = { kind: 'fetch' as const, job, startMs, durationMs: 0, result: '200' }
      addActivities(
        store,
        Array.from({ length: oldCount }, () => ({ ...entry, identifier: 'http://site.test/old' })),
      )
      await until(/^INACTIVE$/)
      await sleep(5 * secondMs)
    },
  )
  const rows = found.store.statement<object, { identifier: string }>('SELECT identifier FROM activity ORDER BY id')
  const kept = rows.all({}).map(({ identifier }) => identifier)
  expect(kept).toHaveLength(12)
  expect(kept).not.toContain('http://site.test/old')
  expect(kept).toContain('http://site.test/29')
  expect(found.problems).toEqual([])
})
