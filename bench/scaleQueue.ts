/** One point of the scale curve of the queue (`scale.ts`): a queue with `--size` URLs on disk, in a process of its own, so that its memory
 *  can be measured. Prints one line of JSON. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pagesOfCommit, queueIn } from './filledQueue.ts'
import { ownPeakBytes, percentileOf, spreadOf } from './measure.ts'
import type { QueuePoint } from './scalePoints.ts'

const { values } = parseArgs({ options: { size: { type: 'string', default: '1000' } } })
const size = Number(values.size)
/** Hosts grow with the size, as in a domain crawl: about 200 URLs each. */
const hosts = Math.max(5, Math.ceil(size / 200))
/** Commits that are measured, after some that are not: the first ones fill caches and let the code be compiled. */
const [commits, uncounted] = [200, 40]
const [refills, uncountedRefills] = [41, 10]

const folder = await mkdtemp(join(tmpdir(), 'loupe-scale-'))
try {
  console.log(JSON.stringify(await measure()))
} finally {
  await rm(folder, { recursive: true })
}

async function measure(): Promise<QueuePoint> {
  const queue = queueIn(folder, { hosts, newLinks: 1 })
  const beganMs = performance.now()
  queue.fill(size)
  const fillMs = performance.now() - beganMs
  const refillMs = Array.from({ length: refills }, () => queue.refill().ms).slice(uncountedRefills)
  const commitMs = Array.from({ length: uncounted + commits }, () => {
    const startMs = performance.now()
    queue.cycle()
    return performance.now() - startMs
  }).slice(uncounted)
  queue.drainRest()
  queue.close()
  return {
    size,
    hosts,
    addedPerSecond: (size * 1000) / fillMs,
    documentsPerSecond: (commits * pagesOfCommit * 1000) / commitMs.reduce((sum, ms) => sum + ms, 0),
    commitMs: spreadOf(commitMs).median,
    commitMsP99: percentileOf(commitMs, 99),
    refillMs: spreadOf(refillMs).median,
    peakBytes: await ownPeakBytes(),
    diskBytes: (await stat(join(folder, 'loupe.db'))).size,
  }
}
