import { expect, test } from 'vitest'
import type { ImportedFile } from '../../contract/services/harvests.ts'
import type { Imports, Jobs } from '../../crawl/crawl.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openSignals } from './signals.ts'

test('a hundred thousand files that change at once are reported in parts, each once', async () => {
  const world = seededWorld({ seed: 1 })
  const imports: Pick<Imports, 'some'> = { some: (ids) => ids.map((id) => ({ from: String(id) }) as ImportedFile) }
  const signals = openSignals({ jobs: {} as Jobs, imports: imports as Imports, world })
  const told: { job: number; count: number }[] = []
  const seen = new Set<string>()
  signals.onImport(({ job, files }) => {
    told.push({ job, count: files.length })
    for (const { from } of files) seen.add(`${job} ${from}`)
  })
  const listening = async () => {
    signals.report({ kind: 'imported', job: 1, files: Array.from({ length: 100_000 }, (_, id) => id) })
    signals.report({ kind: 'imported', job: 2, files: [7] })
    while (seen.size < 100_001) await world.clock.sleep(100)
    await world.clock.sleep(1000)
    signals.close()
  }
  await world.run(listening())
  expect(Math.max(...told.map(({ count }) => count))).toBe(5_000)
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(100_001)
  expect(told.findIndex(({ job }) => job === 2)).toBeLessThan(3)
})

test('that the files are settled is passed on at once, and changes no job', () => {
  const signals = openSignals({ jobs: {} as Jobs, imports: {} as Imports, world: seededWorld({ seed: 1 }) })
  const told: string[] = []
  signals.onSettled(() => told.push('settled'))
  signals.onJob(() => told.push('job'))
  signals.report({ kind: 'settled' })
  expect(told).toEqual(['settled'])
  signals.close()
})
