/** Measures the queue alone, without network and archive files (`npm run bench:frontier [-- --small N --large N]`). Its maximum of
 *  page cycles per second (a document is taken and settled, and 200 links are added, 60 of them new) with few and with many rows, compared
 *  with a plain table in the same run; the time to refill the ready buffer with few and with many queued documents, whose ratio must
 *  be at most 2; and the memory of the process afterwards. The exit code is 1 when a bound is exceeded. The databases are on disk and
 *  are synced. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultCrawlSettings } from '../src-main/crawl/model/limits.ts'
import { pagesOfCommit, queueIn, type FilledQueue } from './filledQueue.ts'
import { machineLine, printRatio, ratioOf, spreadOf } from './measure.ts'
import { plainTableIn } from './plainTable.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '2000000' },
    few: { type: 'string', default: '20000' },
    cycles: { type: 'string', default: '2000' },
    hosts: { type: 'string', default: '500' },
  },
})
const [small, large, few] = [Number(values.small), Number(values.large), Number(values.few)]
const hosts = Number(values.hosts)
const cycles = Number(values.cycles)
const ratioMax = 2
/** Page cycles per second of the plain table on the machine on which the targets were measured, when it was idle. */
const plainThen = { small: 578, large: 436 }

async function inFolder<T>(act: (folder: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-frontier-'))
  try {
    return act(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Number of measured refills. The first ones, which adjust the amount that the workers need, are not counted. */
const [refills, uncountedRefills] = [41, 10]
/** The median time of a refill, and the median number of documents that it takes. */
function refill(queue: FilledQueue): { ms: number; taken: number } {
  const results = Array.from({ length: refills }, () => queue.refill()).slice(uncountedRefills)
  return { ms: spreadOf(results.map(({ ms }) => ms)).median, taken: spreadOf(results.map(({ taken }) => taken)).median }
}

/** Rate at which `act` does `count` things. */
function perSecond(count: number, act: () => void): number {
  const beganMs = performance.now()
  act()
  return (count * 1000) / (performance.now() - beganMs)
}

/** Page cycles per second of a queue. */
function cyclesOf(queue: FilledQueue): number {
  return perSecond(cycles, () => {
    for (let done = 0; done < cycles; done += pagesOfCommit) queue.cycle()
    queue.drainRest()
  })
}

const plain = (rows: number) =>
  inFolder((folder) => {
    const table = plainTableIn(folder, { hosts })
    table.fill(rows)
    const ceiling = perSecond(cycles, () => {
      for (let done = 0; done < cycles; done += 1) table.cycle()
    })
    table.close()
    return ceiling
  })

const withFew = () =>
  inFolder((folder) => {
    const queue = queueIn(folder, { hosts })
    queue.fill(few)
    const refilled = refill(queue)
    queue.fill(small)
    const ceiling = cyclesOf(queue)
    queue.close()
    return { refilled, ceiling }
  })

const withMany = () =>
  inFolder((folder) => {
    const queue = queueIn(folder, { hosts })
    const filledPerSecond = perSecond(large, () => queue.fill(large))
    const refilled = refill(queue)
    const ceiling = cyclesOf(queue)
    const memoryBytes = process.memoryUsage().rss
    queue.close()
    return { refilled, ceiling, memoryBytes, filledPerSecond }
  })

console.log(machineLine())
const ofFew = await withFew()
const plainSmall = await plain(small)
const ofMany = await withMany()
const plainLarge = await plain(large)

const ratio = ofMany.refilled.ms / ofFew.refilled.ms
const bytesMax = defaultCrawlSettings.memoryBytesMax
const cyclesLine = (rows: number, ours: number, theirs: number, then: number) =>
  `page cycles/s with ${rows} rows  ${ours.toFixed(0)}, a plain table ${theirs.toFixed(0)}: ${(ours / theirs).toFixed(2)} × (a plain table reached ${then} where the targets were measured)`
const refillText = (rows: number, { ms, taken }: { ms: number; taken: number }) =>
  `${ms.toFixed(2)} ms with ${rows} queued (${taken} documents)`
const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
console.log(cyclesLine(small, ofFew.ceiling, plainSmall, plainThen.small))
console.log(cyclesLine(large, ofMany.ceiling, plainLarge, plainThen.large))
console.log(`new rows/s on the way there  ${ofMany.filledPerSecond.toFixed(0)}`)
console.log(
  `one refill  ${refillText(few, ofFew.refilled)}, ${refillText(large, ofMany.refilled)}: ratio ${ratio.toFixed(2)} (at most ${ratioMax})`,
)
console.log(`memory of the process then  ${megabytes(ofMany.memoryBytes)} MiB (at most ${megabytes(bytesMax)})`)
for (const [rows, ours, theirs] of [
  [small, ofFew.ceiling, plainSmall],
  [large, ofMany.ceiling, plainLarge],
] as const)
  printRatio(
    ratioOf(
      { work: `queue of ${rows} URLs`, peer: 'plain SQLite table', theirs, ours, unit: 'page cycles/s' },
      'higher',
    ),
  )
const [fewMs, manyMs] = [ofFew.refilled.ms, ofMany.refilled.ms]
printRatio(
  ratioOf(
    {
      ...{ work: `taking URLs from a queue of ${large}`, peer: `Loupe with ${few}`, theirs: fewMs, ours: manyMs },
      ...{ unit: 'ms', least: 1 / ratioMax, aim: 0.83 },
    },
    'lower',
  ),
)
if (ratio > ratioMax || ofMany.memoryBytes > bytesMax) process.exitCode = 1
