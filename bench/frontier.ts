/** `npm run bench:frontier [-- --small N --large N]`: what the queue alone can do, without network and files. Its ceiling in page
 *  cycles a second (one document taken, settled, 200 links added of which 60 are new) with few and with many rows; how long a
 *  stuffing takes with few and with many queued, whose ratio is to be at most 2; and what memory the process has then. It ends
 *  with 1 when a bound is broken. The database lies on the disk and is synced, as in the engine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { harvestDefinition } from '../src-main/contract/contract.ts'
import { jobStates } from '../src-main/contract/jobStates.ts'
import { limitsBy } from '../src-main/contract/throttle.ts'
import { openFrontier, type Candidate } from '../src-main/crawl/frontier.ts'
import { openJobs } from '../src-main/crawl/jobs.ts'
import { hostBins } from '../src-main/crawl/priority/bins.ts'
import type { Held } from '../src-main/crawl/queue/hands.ts'
import { openQueue } from '../src-main/crawl/queue/queue.ts'
import { placesOf } from '../src-main/crawl/queue/seat.ts'
import type { Seat } from '../src-main/crawl/queue/servers.ts'
import { settledStatements } from '../src-main/crawl/recrawl/settled.sql.ts'
import { mover } from '../src-main/storage/guard.ts'
import { openStore } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { machineLine, spreadOf } from './measure.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '2000000' },
    few: { type: 'string', default: '20000' },
    cycles: { type: 'string', default: '2000' },
    hosts: { type: 'string', default: '500' },
  },
})
const hosts = Number(values.hosts)
const cycles = Number(values.cycles)
const [linksOfPage, newOfPage] = [200, 60]
/** What the committer settles in one transaction while sixteen fetch. */
const pagesOfCommit = 16
const ratioMax = 2
const memoryBytesMax = 512 * 1024 * 1024
/** Cycles a second that a bare table with one index reached on this kind of machine, with every link asked of SQLite. */
const plainCycles = { small: 578, large: 436 }

function queueOver(folder: string) {
  const world = realWorld()
  const store = openStore(join(folder, 'loupe.db'))
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://host0.test/'] }))
  const move = mover(store, jobStates, { table: 'job' })
  for (const event of ['startupTaken', 'seeded'] as const) move(job, event)
  const given: Held[] = []
  const seat: Seat = {
    ...{ job, priority: 5, workers: 64, connectionsPerHost: 100, delayMs: 0, delayFactor: 0, delayMsMax: 0 },
    ...{ robots: 'ignore', robotsToken: 'loupe', askedUntilMs: -Infinity },
    limitsOf: limitsBy([]),
    binsOf: hostBins,
    forgetFound: () => undefined,
    mayStart: () => given.length < 64,
    standing: () => 'go',
  }
  const frontier = openFrontier(store, job, 'ignore', { ...placesOf(seat), jobPriority: () => 5 })
  const queue = openQueue(store, world, () => undefined)
  queue.join(seat, (held) => given.push(held))
  const settled = settledStatements(store, 'settled')
  let made = 0
  const fresh = (): Candidate => {
    made += 1
    const url = `http://host${made % hosts}.test/folder/page-${made}.html`
    return { url, role: 'page', hopPath: 'L', hops: 1, via: null }
  }

  return {
    close: () => store.close(),
    fill(rows: number) {
      while (made < rows) {
        const batch = Array.from({ length: Math.min(2_000, rows - made) }, fresh)
        store.transaction(() => frontier.discover(batch, world.clock.now()))
      }
      queue.news()
    },
    /** Of one stuffing into empty hands, in ms. */
    stuff(): number {
      drainRest()
      queue.news()
      const beganMs = performance.now()
      queue.stuff()
      return performance.now() - beganMs
    },
    cycle(): void {
      queue.news()
      queue.stuff()
      queue.feed()
      const pages = given.splice(0, pagesOfCommit)
      finish(
        pages,
        pages.map(() => pageOf()),
      )
    },
    drainRest,
  }

  function drainRest(): void {
    for (queue.feed(); given.length > 0; queue.feed()) finish(given.splice(0), [])
  }

  /** Links that are known are known: pages of a site share their navigation. */
  function pageOf(): Candidate[] {
    const known = Array.from({ length: linksOfPage - newOfPage }, (_, at) => ({
      ...{ url: `http://host${at % hosts}.test/navigation-${at}`, role: 'page' as const },
      ...{ hopPath: 'L', hops: 1, via: null },
    }))
    return [...known, ...Array.from({ length: newOfPage }, fresh)]
  }

  function finish(held: Held[], found: Candidate[][]): void {
    const settle = (): void => {
      const nowMs = world.clock.now()
      for (const [at, { document }] of held.entries()) {
        settled.fetched.run({
          ...{
            id: document.id,
            status: 200,
            mediaType: 'text/html',
            bytes: 5_000,
            payloadDigest: `sha1:${document.id}`,
          },
          ...{ detail: null, fetchedMs: nowMs, durationMs: 5, file: 1, fileOffset: document.id, comparison: 'new' },
          ...{ nextMs: 0, action: 'rescan' },
        })
        frontier.discover(found[at] ?? [], nowMs)
      }
    }
    store.transaction(() => frontier.together(settle))
    for (const { turn } of held) queue.ended(turn, { endedMs: world.clock.elapsed(), tookMs: 5 })
  }
}

async function inFolder<T>(act: (folder: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-frontier-'))
  try {
    return act(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const stuffings = 41
function medianStuffing(over: ReturnType<typeof queueOver>): number {
  return spreadOf(Array.from({ length: stuffings }, () => over.stuff())).median
}

function cyclesPerSecond(over: ReturnType<typeof queueOver>): number {
  const beganMs = performance.now()
  for (let done = 0; done < cycles; done += pagesOfCommit) over.cycle()
  over.drainRest()
  return (cycles * 1000) / (performance.now() - beganMs)
}

console.log(machineLine())
const few = await inFolder((folder) => {
  const over = queueOver(folder)
  over.fill(Number(values.few))
  const stuffMs = medianStuffing(over)
  over.fill(Number(values.small))
  const ceiling = cyclesPerSecond(over)
  over.close()
  return { stuffMs, ceiling }
})
const many = await inFolder((folder) => {
  const over = queueOver(folder)
  const beganMs = performance.now()
  over.fill(Number(values.large))
  const fillPerSecond = (Number(values.large) * 1000) / (performance.now() - beganMs)
  const stuffMs = medianStuffing(over)
  const ceiling = cyclesPerSecond(over)
  const memoryBytes = process.memoryUsage().rss
  over.close()
  return { stuffMs, ceiling, memoryBytes, fillPerSecond }
})

const ratio = many.stuffMs / few.stuffMs
const megabytes = many.memoryBytes / 2 ** 20
console.log(`page cycles/s at ${values.small} rows  ${few.ceiling.toFixed(0)} (a plain table: ${plainCycles.small})`)
console.log(`page cycles/s at ${values.large} rows  ${many.ceiling.toFixed(0)} (a plain table: ${plainCycles.large})`)
console.log(`new rows/s on the way there  ${many.fillPerSecond.toFixed(0)}`)
console.log(
  `one stuffing with ${values.few} queued  ${few.stuffMs.toFixed(2)} ms, with ${values.large}  ${many.stuffMs.toFixed(2)} ms: ratio ${ratio.toFixed(2)} (at most ${ratioMax})`,
)
console.log(`memory of the process with ${values.large} queued  ${megabytes.toFixed(0)} MiB (at most 512)`)
if (ratio > ratioMax || many.memoryBytes > memoryBytesMax) process.exitCode = 1
