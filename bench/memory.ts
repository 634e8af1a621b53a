/** Measures the memory of the whole program while it harvests with two million documents in its queue, against its setting
 *  `harvest.memoryBytesMax` (`npm run bench:memory [-- --queued N --seconds S]`). It runs `loupe serve`, as a user does, with an
 *  archive whose job is ready to continue; the system reports the peak memory of the process. The exit code is 1 when it exceeds the
 *  setting. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openJobs } from '../src-main/crawl/jobs/jobs.ts'
import { defaultCrawlSettings } from '../src-main/crawl/model/limits.ts'
import { heapFlag } from '../src-main/shells/launch/heap.ts'
import { openStore } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { hostName, queueIn } from './filledQueue.ts'
import { machineLine } from './measure.ts'

const { values } = parseArgs({
  options: { queued: { type: 'string', default: '2000000' }, seconds: { type: 'string', default: '90' } },
})
const queued = Number(values.queued)
const hosts = 500
const bytesMax = defaultCrawlSettings.memoryBytesMax
const cli = join(import.meta.dirname, '../src-main/shells/cli/loupe.cjs')

/** Makes an archive whose job has its queue filled; returns the number of the job. */
function fill(folder: string, port: number): number {
  const numbers = Array.from({ length: hosts }, (_, number) => number)
  const resolve = Object.fromEntries(numbers.map((number) => [hostName(number), `127.0.0.1:${port}`]))
  const quick = { delayMs: 0, workers: 16, connectionsPerHost: 16 }
  const queue = queueIn(folder, { hosts, definition: { ...quick, resolve, scope: 'any', robots: 'ignore' } })
  queue.fill(queued)
  queue.close()
  return queue.job
}

/** Peak resident memory since the process started (VmHWM of Linux). */
async function peakBytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Number of documents that the job has fetched. */
function fetchedIn(folder: string, job: number): number {
  const store = openStore(join(folder, 'loupe.db'))
  try {
    return openJobs(store, realWorld()).summary(job).documents.fetched
  } finally {
    store.close()
  }
}

async function main(folder: string): Promise<number> {
  console.log(machineLine())
  const server = fork(join(import.meta.dirname, 'pageServer.ts'), [String(queued), String(hosts)])
  try {
    const [port] = (await once(server, 'message')) as [number]
    const job = fill(folder, port)
    const engine = spawn(process.execPath, [heapFlag, cli, '--archive', folder, 'serve'], { stdio: 'ignore' })
    const ended = once(engine, 'exit')
    await Promise.race([sleep(Number(values.seconds) * 1000), ended])
    const peakBytes = await peakBytesOf(engine.pid)
    engine.kill('SIGINT')
    await ended
    const fetched = fetchedIn(folder, job)
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
    console.log(
      `${fetched} documents fetched in ${values.seconds} s with ${queued} queued: at the most ${megabytes(peakBytes)} MiB of memory, the setting is ${megabytes(bytesMax)}`,
    )
    return peakBytes <= bytesMax && fetched > 0 ? 0 : 1
  } finally {
    server.kill()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-memory-'))
try {
  process.exitCode = await main(folder)
} finally {
  await rm(folder, { recursive: true })
}
