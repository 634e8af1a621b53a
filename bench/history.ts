/** Measures the reports over a million activities, and that neither they nor the cleanup delay a harvest (`npm run bench:history [--
 *  ROWS]`). Each report is made in a thread of its own, as for a user, while this thread continues to commit. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyQuery, historyReportNames } from '../src-main/contract/services/history.ts'
import { historyWriter } from '../src-main/crawl/history/activities.ts'
import { historyCleanup } from '../src-main/crawl/history/cleanup.ts'
import { anyActivity } from '../src-main/crawl/history/testing/historyFixture.ts'
import { openReporter } from '../src-main/crawl/history/reporter.ts'
import { openStore, type Store } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { machineLine, spreadOf } from './measure.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
/** Number of rows that one commit of a fast harvest settles. */
const commitRows = 64
/** A commit that waits longer for another connection would noticeably delay a harvest. */
const commitMsMax = 500

async function main(): Promise<number> {
  console.log(machineLine())
  const folder = await mkdtemp(join(tmpdir(), 'loupe-history-'))
  const world = realWorld()
  const store = openStore(join(folder, 'loupe.db'))
  const reporter = openReporter(world, join(folder, 'loupe.db'))
  try {
    const add = historyWriter(store)
    let momentMs = Date.parse('2026-01-01T00:00:00Z')
    const next = () => anyActivity((bound) => world.chance.below(bound), (momentMs += world.chance.below(20)))
    filled(store, add, next)
    const commit = () => store.transaction(() => Array.from({ length: commitRows }, next).forEach(add))
    for (const report of historyReportNames) {
      await measureCommitsDuring(report, commit, () => reporter.report(historyQuery.parse({ report })))
    }
    await measureCommitsDuring('history by size', commit, () =>
      reporter.report(historyQuery.parse({ report: 'history', order: 'bytes' })),
    )
    await measureCommitsDuring('history by a pattern', commit, () =>
      reporter.report(historyQuery.parse({ report: 'history', identifier: 'page-77.*html$' })),
    )
    await measureCommitsDuring('a pattern that others never end', commit, () =>
      reporter.report(historyQuery.parse({ report: 'history', identifier: '^(([a-z:/.0-9-])+)+!$' })),
    )
    return cleanedUp(store) ? 0 : 1
  } finally {
    reporter.close()
    store.close()
    await rm(folder, { recursive: true })
  }
}

/** Writes the activities and prints the time of each. */
function filled(store: Store, add: ReturnType<typeof historyWriter>, next: () => Parameters<typeof add>[0]): void {
  const started = performance.now()
  for (let done = 0; done < rows; done += 10_000) {
    store.transaction(() => Array.from({ length: Math.min(10_000, rows - done) }, next).forEach(add))
  }
  const microseconds = ((performance.now() - started) * 1000) / rows
  console.log(`${rows} activities written, ${microseconds.toFixed(1)} µs each`)
}

/** Makes a report while commits continue, one every 20 ms; prints the median and the slowest of them. */
async function measureCommitsDuring(what: string, commit: () => void, make: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  const times: number[] = []
  let isMade = false
  const made = make().finally(() => (isMade = true))
  while (!isMade) {
    const begun = performance.now()
    commit()
    times.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await made
  const { median, max } = spreadOf(times)
  const seconds = ((performance.now() - started) / 1000).toFixed(2)
  console.log(
    `${what.padEnd(26)}${seconds.padStart(7)} s   commits meanwhile ${median.toFixed(1)} ms, at most ${max.toFixed(0)} ms`,
  )
}

/** Removes half of the rows, step by step. Returns whether every step was fast enough. */
function cleanedUp(store: Store): boolean {
  const cleanup = historyCleanup(store)
  const bounds = { historyDays: 100_000, historyRowsMax: Math.floor(rows / 2) }
  const times: number[] = []
  for (let removed = 1; removed > 0;) {
    const begun = performance.now()
    removed = cleanup(bounds, Date.now())
    times.push(performance.now() - begun)
  }
  const { median, max } = spreadOf(times)
  console.log(`cleanup in ${times.length} steps, ${median.toFixed(1)} ms each, at most ${max.toFixed(0)} ms`)
  if (max <= commitMsMax) return true
  console.error(`A step of the cleanup held others up for more than ${commitMsMax} ms.`)
  return false
}

process.exitCode = await main()
