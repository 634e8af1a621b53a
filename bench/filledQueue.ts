/** A queue as the engine has it, on disk, but without fetching. `frontier.ts` and `memory.ts` fill and drive it. */
import { join } from 'node:path'
import { harvestDefinition, type HarvestDefinition } from '../src-main/contract/services/definition.ts'
import { jobStates } from '../src-main/contract/states/jobStates.ts'
import { limitsBy } from '../src-main/contract/shapes/throttle.ts'
import { openFrontier } from '../src-main/crawl/frontier/frontier.ts'
import type { Candidate } from '../src-main/crawl/frontier/candidate.ts'
import { openJobs } from '../src-main/crawl/jobs/jobs.ts'
import { knownUrls } from '../src-main/crawl/model/knownUrls.ts'
import { defaultCrawlSettings } from '../src-main/crawl/model/limits.ts'
import { memoryShares } from '../src-main/crawl/model/memory.ts'
import { hostBins } from '../src-main/crawl/frontier/bins.ts'
import type { ReadyDocument } from '../src-main/crawl/frontier/readyDocuments.ts'
import { openQueue } from '../src-main/crawl/frontier/queue.ts'
import { placesOf } from '../src-main/crawl/frontier/slotTerms.ts'
import type { JobSlot } from '../src-main/crawl/frontier/servers.ts'
import { settledStatements } from '../src-main/crawl/settle/settled.sql.ts'
import { mover } from '../src-main/storage/guard.ts'
import { openStore } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'

/** Links of a page, and how many of them are new: most lead to known pages, through the navigation of the site. */
export const [linksOfPage, newOfPage] = [200, 60]
/** Number of pages that the committer settles in one transaction while sixteen are fetched. */
export const pagesOfCommit = 16

const shares = memoryShares(defaultCrawlSettings.memoryBytesMax)

/** Name of the host with this number. */
export const hostName = (number: number): string => `host${number}.test`
/** URL of the page with this number; pages are spread evenly over the hosts. */
export const pageUrl = (number: number, hosts: number): string =>
  `http://${hostName(number % hosts)}/folder/page-${number}.html`

/** A queue with its job; `close` must be called at the end. */
export type FilledQueue = ReturnType<typeof queueIn>

/** Options of a queue. */
export interface QueueOptions {
  hosts: number
  definition?: Partial<HarvestDefinition>
  /** Number of new links per page, of `linksOfPage`. With one the queue keeps its length. */
  newLinks?: number
}

/** Creates a job with its queue in the folder, with documents on `hosts` host names. */
export function queueIn(folder: string, { hosts, definition, newLinks = newOfPage }: QueueOptions) {
  const world = realWorld()
  const store = openStore(join(folder, 'loupe.db'), shares)
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://host0.test/'], ...definition }))
  const move = mover(store, jobStates, { table: 'job' })
  for (const event of ['startupTaken', 'seeded'] as const) move(job, event)
  const given: ReadyDocument[] = []
  const slot: JobSlot = {
    ...{ job, priority: 5, workers: 64, connectionsPerHost: 100, delayMs: 0, delayFactor: 0, delayMsMax: 0 },
    ...{ robots: 'ignore', robotsToken: 'loupe', askedUntilMs: -Infinity },
    limitsOf: limitsBy([]),
    binsOf: hostBins,
    forgetKnown: () => undefined,
    mayStart: () => given.length < 64,
    hostStatus: () => 'go',
  }
  const known = knownUrls(shares.knownBytes).of(job)
  const frontier = openFrontier(store, job, 'ignore', { ...placesOf(slot), jobPriority: () => 5 }, known)
  const queue = openQueue(store, world, () => undefined)
  queue.join(slot, (ready) => given.push(ready))
  const settled = settledStatements(store, 'settled')
  let made = 0
  const fresh = (): Candidate => {
    made += 1
    return { url: pageUrl(made, hosts), role: 'page', hopPath: 'L', hops: 1, via: null }
  }

  return {
    job,
    close: () => store.close(),
    fill,
    /** Refills the empty ready buffer once, and adds as many new documents as it took, so that queues of different sizes are measured
     *  with the same amounts. */
    refill(): { ms: number; taken: number } {
      queue.news()
      const beganMs = performance.now()
      queue.refill()
      const ms = performance.now() - beganMs
      const taken = drainRest()
      fill(made + taken)
      return { ms, taken }
    },
    /** One commit: hands out documents, and settles a batch of them with their links. */
    cycle(): void {
      queue.news()
      queue.refill()
      queue.feed()
      const pages = given.splice(0, pagesOfCommit)
      finish(
        pages,
        pages.map(() => pageOf()),
      )
    },
    drainRest,
  }

  /** Adds new documents until the queue has this many rows. */
  function fill(rows: number): void {
    while (made < rows) {
      const batch = Array.from({ length: Math.min(2_000, rows - made) }, fresh)
      store.transaction(() => frontier.discover(batch, world.clock.now()))
    }
    queue.news()
  }

  /** Settles all documents that the queue still gives out; returns their number. */
  function drainRest(): number {
    let count = 0
    for (queue.feed(); given.length > 0; queue.feed()) {
      count += given.length
      finish(given.splice(0), [])
    }
    return count
  }

  /** The links of a page. Most are known already, since the pages of a site share their navigation. */
  function pageOf(): Candidate[] {
    const known = Array.from({ length: linksOfPage - newLinks }, (_, at) => ({
      ...{ url: `http://${hostName(at % hosts)}/navigation-${at}`, role: 'page' as const },
      ...{ hopPath: 'L', hops: 1, via: null },
    }))
    return [...known, ...Array.from({ length: newLinks }, fresh)]
  }

  /** Settles documents as fetched, with the links found in each, in one transaction as the committer does. */
  function finish(ready: ReadyDocument[], found: Candidate[][]): void {
    const settle = (): void => {
      const nowMs = world.clock.now()
      for (const [at, { document }] of ready.entries()) {
        settled.fetched.run({
          ...{
            id: document.id,
            status: 200,
            mediaType: 'text/html',
            bytes: 5_000,
            contentBytes: 4_800,
            truncated: null,
            payloadDigest: `sha1:${document.id}`,
          },
          ...{ detail: null, fetchedMs: nowMs, durationMs: 5, file: 1, fileOffset: document.id, comparison: 'new' },
          ...{ nextMs: 0, action: 'rescan' },
        })
        frontier.discover(found[at] ?? [], nowMs)
      }
    }
    store.transaction(() => frontier.together(settle))
    for (const { turn } of ready) queue.ended(turn, { endedMs: world.clock.elapsed(), tookMs: 5 })
  }
}
