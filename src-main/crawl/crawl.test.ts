import { expect, test } from 'vitest'
import { seededWorld } from '../world/testing/seeded.ts'
import { runCrawl } from './crawl.ts'
import type { CrawlReport } from './crawl.thread.ts'

/** Runs engines that end like this, one after the other, until the last has ended. */
async function reportsOf(ends: (() => 'closed' | 'replaced')[]): Promise<{ reports: string[]; started: number }> {
  const world = seededWorld({ seed: 1 })
  const closed = new AbortController()
  let started = 0
  const threads = {
    ...world.threads,
    run: async () => {
      started += 1
      const end = ends[started - 1]?.()
      if (started === ends.length && end === 'closed') closed.abort()
      return end as never
    },
  }
  const reports: string[] = []
  const onReport = (report: CrawlReport) =>
    void reports.push(report.kind === 'problem' ? report.message.code : report.kind)
  await world.run(runCrawl({ ...world, threads }, {} as never, { signal: closed.signal, onReport }))
  return { reports, started }
}

test('an engine that crashes is reported and started again', async () => {
  const crash = () => {
    throw new Error('a bug')
  }
  expect(await reportsOf([crash, crash, () => 'closed'])).toEqual({
    reports: ['engine.crashed', 'engine.crashed'],
    started: 3,
  })
})

test('an engine that was replaced is not started again', async () => {
  expect(await reportsOf([() => 'replaced', () => 'closed'])).toEqual({ reports: [], started: 1 })
})
