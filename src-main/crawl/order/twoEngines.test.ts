/** Two crawl engines on one database and one disk. The first machine is suspended, the second one takes the archive over, and the first wakes
 *  up while the second works, or afterwards: whatever it had scheduled is discarded. The lock of the archive prevents this; it cannot do so
 *  on every network drive. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openStore } from '../../storage/storage.ts'
import { isWhole } from '../../world/testing/sample.ts'
import { seededChance } from '../../world/testing/seededChance.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { suspendable } from '../../world/testing/suspendable.ts'
import type { World } from '../../world/world.ts'
import { openJobs } from '../crawl.ts'
import { task, type CrawlEnd, type CrawlReport } from '../crawl.thread.ts'
import { engineInput, filesIn, recordsIn, serveSite } from './testing/orderedSite.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-engines-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs of the property; `LOUPE_ENGINE_RUNS` gives another number. */
const runs = Number(process.env['LOUPE_ENGINE_RUNS'] ?? (isWhole ? 1_000 : 12))

interface Outcome {
  records: string[]
  fetched: number
  ends: CrawlEnd[]
  problems: string[]
  /** Whether the first engine had requests under way when it was suspended. */
  wasAtWork: boolean
  leftFiles: string[]
}

/** When the first machine is suspended, the second one starts, and the first wakes up; counted from each other. */
interface Times {
  suspendedMs: number
  takenMs: number
  awakeMs: number
}

async function harvested(seed: number, order: 'scheduled' | 'asFetched', times?: Times): Promise<Outcome> {
  const shared = seededWorld({ seed })
  serveSite(shared, { chance: seededChance(seed), delayMsMax: 300, clock: () => shared.clock })
  const databasePath = join(folder, `${crypto.randomUUID()}.db`)
  const store = openStore(databasePath)
  const jobs = openJobs(store, shared)
  const definition = { seeds: ['http://a.test/'], scope: 'any', order, delayMs: 0, connectionsPerHost: 4, workers: 6 }
  const job = jobs.create(harvestDefinition.parse(definition))
  const atWork = store.statement<object, { count: number }>(
    `SELECT COUNT(*) AS count FROM document WHERE state IN ('ACTIVE', 'ACTIVEPURGATORY')`,
  )
  const problems: string[] = []
  const stop = new AbortController()
  const report = (made: CrawlReport) => {
    if (made.kind === 'problem') problems.push(made.message.code)
  }
  const engineOn = (world: World) =>
    task({ world, report, signal: stop.signal, takePrinted: () => '' }, engineInput(databasePath))
  const session = async () => {
    const { clock } = shared
    const first = suspendable(shared)
    const engines = [engineOn(first.world)]
    let wasAtWork = false
    if (times) {
      await clock.sleep(times.suspendedMs)
      first.suspend()
      wasAtWork = (atWork.get({})?.count ?? 0) > 0
      await clock.sleep(times.takenMs)
      engines.push(engineOn(shared))
      await clock.sleep(times.awakeMs)
      first.wake()
    }
    do await clock.sleep(1_000)
    while (jobs.summary(job).state !== 'INACTIVE')
    stop.abort()
    return { ends: await Promise.all(engines), wasAtWork }
  }
  const ended = await shared.run(session())
  const outcome = {
    ...ended,
    problems,
    records: await shared.run(recordsIn(shared)),
    fetched: jobs.summary(job).documents.fetched,
    leftFiles: await shared.run(filesIn(shared, [`/archive/jobs/${job}`, '/archive/quarantine'])),
  }
  store.close()
  return outcome
}

test.each(['scheduled', 'asFetched'] as const)(
  `what a replaced engine had scheduled is discarded, ${runs} runs: %s`,
  async (order) => {
    const alone = await harvested(1, order)
    expect([alone.ends, alone.problems]).toEqual([['closed'], []])
    const sorted = (records: string[]) => (order === 'scheduled' ? records : records.toSorted())
    let atWork = 0
    for (let seed = 1; seed <= runs; seed++) {
      const chance = seededChance(seed)
      const times = {
        suspendedMs: 200 + chance.below(1_500),
        takenMs: chance.below(2_000),
        awakeMs: chance.below(4_000),
      }
      const { records, fetched, ends, problems, leftFiles, wasAtWork } = await harvested(seed, order, times)
      expect(sorted(records), `seed ${seed}`).toEqual(sorted(alone.records))
      expect([fetched, leftFiles]).toEqual([alone.fetched, []])
      expect([ends, problems]).toEqual([['replaced', 'closed'], ['database.replaced']])
      if (wasAtWork) atWork += 1
    }
    expect(atWork).toBeGreaterThan(runs / 4)
  },
)
