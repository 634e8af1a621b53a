/** Measures the memory of the whole program, as the system reports it (`npm run bench:memory [-- --queued N --seconds S --small]`): at rest,
 *  next to a bare Node; for a harvest of 3,000 pages; and while it harvests with two million documents in its queue, against its setting
 *  `harvest.memoryBytesMax`. It runs `loupe serve` and `loupe harvest`, as a user does. The exit code is 1 when the setting is exceeded.
 *  `--small` leaves out the large queue. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openJobs } from '../src-main/crawl/jobs/jobs.ts'
import { defaultCrawlSettings } from '../src-main/crawl/model/limits.ts'
import { openStore } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { hostName, pageUrl, queueIn } from './filledQueue.ts'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf } from './measure.ts'
import { program } from './realSite.ts'

const { values } = parseArgs({
  options: {
    queued: { type: 'string', default: '2000000' },
    seconds: { type: 'string', default: '90' },
    small: { type: 'boolean', default: false },
  },
})
const queued = Number(values.queued)
const hosts = 500
const bytesMax = defaultCrawlSettings.memoryBytesMax
/** Time in which a program has come to rest after its start, also on a busy machine. */
const restMs = 15_000
const smallPages = 3_000
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

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

/** Resident memory of a process (proc_pid_status(5)): at present, the part of it that is no file, and the peak since its start. */
async function residentBytesOf(pid: number | undefined): Promise<{ now: number; anonymous: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const bytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { now: bytes('VmRSS'), anonymous: bytes('RssAnon'), peak: bytes('VmHWM') }
}

/** Memory of a command that runs until it is interrupted, when it has come to rest. */
async function atRest([command = '', ...words]: string[]): Promise<{ now: number; anonymous: number }> {
  const child = spawn(command, words, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await sleep(restMs)
  const resident = await residentBytesOf(child.pid)
  child.kill('SIGINT')
  await ended
  return resident
}

/** Compares `loupe serve` of a new archive at rest with a bare Node. */
async function compareAtRest(folder: string): Promise<void> {
  const archive = join(folder, 'resting')
  await measured([...loupeCommand, '--archive', archive, 'init'], { cwd: folder, good: [0] })
  const node = await atRest([process.execPath, '-e', 'setInterval(() => undefined, 1e6)'])
  const serve = await atRest([...loupeCommand, '--archive', archive, 'serve', '--port', '0'])
  console.log(`loupe serve at rest: ${megabytes(serve.now)} MiB, ${megabytes(serve.anonymous)} of them no files`)
  const pair = {
    work: 'memory, loupe serve at rest',
    peer: 'node',
    theirs: megabytes(node.now),
    ours: megabytes(serve.now),
  }
  printRatio(ratioOf({ ...pair, unit: 'MiB', least: 0.3, aim: 0.36 }, 'lower'))
}

/** Harvests a few thousand pages of one host. The peak includes the reports, the index and the copies at the end. */
async function harvestSmall(folder: string): Promise<void> {
  const time = await program('time', 'time')
  if (time === undefined)
    return console.log('The small harvest was left out, since there is no GNU time: sudo apt-get install time')
  const { server, port } = await startPages(smallPages, 1)
  try {
    const words = [...loupeCommand, '--archive', join(folder, 'small')]
    await measured([...words, 'init'], { cwd: folder, good: [0] })
    const quick = ['--delay-ms', '0', '--connections-per-host', '16', '--workers', '16', '--robots', 'ignore']
    const limits = ['--max-objects', `${smallPages}`, '--resolve', `${hostName(0)}=127.0.0.1:${port}`]
    const command = [...words, 'harvest', ...quick, ...limits, pageUrl(1, 1)]
    const { peakBytes = NaN } = await measured(command, { cwd: folder, good: [0, 1], time })
    console.log(`harvest of ${smallPages} pages: at the most ${megabytes(peakBytes)} MiB`)
  } finally {
    server.kill()
  }
}

/** Starts the page server with pages of these hosts. */
async function startPages(known: number, hostCount: number): Promise<{ server: ChildProcess; port: number }> {
  const server = fork(join(import.meta.dirname, 'pageServer.ts'), [String(known), String(hostCount)])
  const [port] = (await once(server, 'message')) as [number]
  return { server, port }
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

/** Harvests with a large queue for some time. Returns whether the memory stayed within the setting. */
async function harvestLarge(folder: string): Promise<boolean> {
  const { server, port } = await startPages(queued, hosts)
  try {
    const archive = join(folder, 'large')
    await mkdir(archive)
    const job = fill(archive, port)
    const [command = '', ...words] = loupeCommand
    const engine = spawn(command, [...words, '--archive', archive, 'serve'], { stdio: 'ignore' })
    const ended = once(engine, 'exit')
    await Promise.race([sleep(Number(values.seconds) * 1000), ended])
    const { peak } = await residentBytesOf(engine.pid)
    engine.kill('SIGINT')
    await ended
    const fetched = fetchedIn(archive, job)
    console.log(
      `${fetched} documents fetched in ${values.seconds} s with ${queued} queued: at the most ${megabytes(peak)} MiB of memory, the setting is ${megabytes(bytesMax)}`,
    )
    return peak <= bytesMax && fetched > 0
  } finally {
    server.kill()
  }
}

async function main(folder: string): Promise<number> {
  console.log(machineLine())
  await compareAtRest(folder)
  await harvestSmall(folder)
  return values.small || (await harvestLarge(folder)) ? 0 : 1
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-memory-'))
try {
  process.exitCode = await main(folder)
} finally {
  await rm(folder, { recursive: true })
}
