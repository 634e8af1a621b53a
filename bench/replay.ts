/** Measures how fast the viewer answers (`npm run bench:replay -- [--captures N] [--requests N] [--runs N] [--profile FOLDER]`). An
 *  archive of 100,000 captures in 20 files (`replayedArchive.ts`) is shown by `loupe view`, as a user starts it; 2,000 of its
 *  URLs, chosen at random for each run, are requested over 1 persistent connection, another 2,000 over 8, and those over 8 once more.
 *  Loupe takes turns with nginx, which serves the same bodies as plain files, with a minimal server in Node.js (`bareServer.ts`), and
 *  with pywb where it is installed. Every byte of every answer is compared. The exit code is 1 when an answer is wrong, when nginx is
 *  missing, or when Loupe is not 5 times as fast as pywb. `--profile` writes a CPU profile of the serving process. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { archivedPage } from './archivedPages.ts'
import type { Round, RoundTimes } from './asker.ts'
import { loupeCommand } from './loupeCommand.ts'
import { cpuSecondsOf, machineLine, printRatio, ratioOf, spreadOf } from './measure.ts'
import { startPywb } from './pywb.ts'
import { Missing, program, startNginx } from './realSite.ts'
import { replayedArchive } from './replayedArchive.ts'

const { values } = parseArgs({
  options: {
    captures: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '5' },
    profile: { type: 'string' },
  },
})
const [captures, requests, runs] = [values.captures, values.requests, values.runs].map(Number) as [
  number,
  number,
  number,
]

/** The rounds of a run. URLs are requested for the first time, except in the last round, which repeats those of the one before. */
const rounds = [
  { name: 'one connection', connections: 1, isRepeated: false },
  { name: '8 connections', connections: 8, isRepeated: false },
  { name: '8 connections, URLs requested again', connections: 8, isRepeated: true },
] as const

/** How many times as fast as pywb Loupe must be. */
const leastOfPywb = 5
/** The ratios of requests per second to each peer that are accepted and aimed for. */
const goals: Readonly<Record<string, { least?: number; aim: number }>> = {
  pywb: { least: leastOfPywb, aim: 13 },
  nginx: { aim: 0.5 },
}

/** A server that answers the same requests. */
interface Contestant {
  name: string
  port: number
  pid: number | undefined
  /** The request target and Host of a page. */
  address: (page: Page) => { target: string; host: string }
  stop(): Promise<void>
}

/** A captured page: the file with its body, and its URL. */
interface Page {
  name: string
  url: string
}

/** A page under its own URL, as it is requested from a proxy. */
const proxied = ({ url }: Page) => ({ target: url, host: new URL(url).host })

/** The measurements of one round, with those of the server. */
interface Result extends RoundTimes {
  /** CPU time of the server; undefined where the system does not report it. */
  serverCpuSeconds: number | undefined
}

/** Starts `loupe view`, and waits until it has printed the port of its proxy. */
async function startLoupe(folder: string): Promise<Contestant> {
  const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
  const words = [...profiling, ...loupeCommand.slice(1), '--archive', folder, 'view', '--jobs', '1']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    const port = /^Proxy: .*:(\d+)\D*$/.exec(line)?.[1]
    if (port === undefined) continue
    // Further output must be read, or the pipe would fill up.
    child.stdout.resume()
    return { name: 'Loupe', port: Number(port), pid: child.pid, address: proxied, stop: () => interrupted(child) }
  }
  throw new Error('loupe view ended before it had a proxy')
}

/** Ends a process as Ctrl+C does and waits for its end. */
async function interrupted(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  await exit
}

/** Serves the same bodies as plain files with nginx. */
async function startFiles(top: string): Promise<Contestant> {
  const nginx = await program('nginx', 'nginx-light')
  if (nginx === undefined) throw new Missing('There is no nginx to compare with. On Debian or Ubuntu type: sudo apt-get install nginx-light') // prettier-ignore
  const { origin, server, pid, stop } = await startNginx(nginx, top)
  const { port, host } = new URL(origin)
  return { name: server, port: Number(port), pid, address: ({ name }) => ({ target: `/${name}`, host }), stop }
}

/** Starts the minimal server, which is the upper limit for a server in Node.js. */
async function startBare(folder: string): Promise<Contestant> {
  const indexes = join(folder, 'indexes', 'capture')
  const [index] = (await readdir(indexes)).filter((name) => name.endsWith('.db'))
  if (index === undefined) throw new Error('loupe view made no index')
  const child = fork(join(import.meta.dirname, 'bareServer.ts'), [
    join(folder, 'replicas', 'ONE'),
    join(indexes, index),
  ])
  const [port] = (await once(child, 'message')) as [number]
  return { name: 'bare Node', port, pid: child.pid, address: proxied, stop: () => interrupted(child) }
}

/** Chooses captures at random, each once, and writes their bodies into a folder. */
async function chosenPages(folder: string): Promise<Page[]> {
  const numbers = new Set<number>()
  while (numbers.size < Math.min(requests, captures)) numbers.add(Math.floor(Math.random() * captures))
  return Promise.all(
    Array.from(numbers, async (number) => {
      const { url, body } = archivedPage(number)
      await writeFile(join(folder, String(number)), body)
      return { name: String(number), url }
    }),
  )
}

/** Measures one contestant with some pages over a number of connections. */
async function results(
  asker: ChildProcess,
  contestant: Contestant,
  { pages, connections }: { pages: readonly Page[]; connections: number },
): Promise<Result> {
  const { port, pid, address } = contestant
  const asked = pages.map((page) => ({ name: page.name, ...address(page) }))
  const before = await cpuSecondsOf(pid)
  asker.send({ port, connections, asked } satisfies Round)
  const over = new AbortController()
  const [answered, exited] = (['message', 'exit'] as const).map((event) => once(asker, event, { signal: over.signal }))
  const [times] = (await Promise.race([answered, exited])) as [RoundTimes | number]
  over.abort()
  await Promise.allSettled([answered, exited])
  if (typeof times === 'number') throw new Error(`${contestant.name} gave an invalid answer`)
  const after = await cpuSecondsOf(pid)
  const serverCpuSeconds = before === undefined || after === undefined ? undefined : after - before
  return { ...times, serverCpuSeconds }
}

/** Runs the contestants in turn, so that all run under the same conditions; the first turn warms up and does not count. */
async function contest(asker: ChildProcess, contestants: Contestant[], folder: string): Promise<Map<string, Result[]>> {
  const all = new Map<string, Result[]>()
  for (let run = 0; run <= runs; run += 1) {
    const [first, second] = [await chosenPages(folder), await chosenPages(folder)]
    for (const contestant of contestants)
      for (const { name, connections, isRepeated } of rounds) {
        const round = { pages: connections === 1 ? first : second, connections }
        // Loupe keeps in memory what is requested for the second time.
        if (isRepeated) await results(asker, contestant, round)
        const result = await results(asker, contestant, round)
        const key = `${contestant.name}, ${name}`
        if (run > 0) all.set(key, [...(all.get(key) ?? []), result])
      }
    if (run > 0) console.log(`run ${run} of ${runs} done; ${machineLine().split(', ').at(-1)}`)
  }
  return all
}

/** Requests per second, times in milliseconds, and CPU seconds of server and client for 1,000 requests. */
interface Row {
  rate: number
  p50: number
  p99: number
  cpu: number
  client: number
}

/** The medians over the runs. */
function rowOf(found: readonly Result[]): Row {
  const median = (of: (result: Result) => number) => spreadOf(found.map(of)).median
  const at = (share: number) => (result: Result) => result.ms.toSorted((a, b) => a - b)[Math.ceil(result.ms.length * share) - 1] ?? NaN // prettier-ignore
  return {
    rate: median(({ ms, seconds }) => ms.length / seconds),
    p50: median(at(0.5)),
    p99: median(at(0.99)),
    cpu: median(({ serverCpuSeconds, ms }) => ((serverCpuSeconds ?? NaN) / ms.length) * 1000),
    client: median(({ cpuSeconds, ms }) => (cpuSeconds / ms.length) * 1000),
  }
}

/** Prints the results; returns false when Loupe is not fast enough. */
function report(all: Map<string, Result[]>, names: readonly string[]): boolean {
  let isEnough = true
  for (const round of rounds) {
    console.log(`\n${round.name}`)
    const [ours, ...peers] = names.map((name) => ({ name, ...rowOf(all.get(`${name}, ${round.name}`) ?? []) }))
    if (ours === undefined) throw new Error('Loupe is the first')
    for (const { name, rate, p50, p99, cpu, client } of [ours, ...peers])
      console.log(`  ${name.padEnd(14)} ${Math.round(rate).toLocaleString('en').padStart(7)} requests/s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   CPU for 1,000: ${cpu.toFixed(2)} s (the client ${client.toFixed(2)} s)`) // prettier-ignore
    for (const { name, rate, p50, p99, cpu } of peers)
      console.log(`  to ${name.padEnd(11)} ${(ours.rate / rate).toFixed(2)} × requests/s   p50 ${(ours.p50 / p50).toFixed(2)} ×   p99 ${(ours.p99 / p99).toFixed(2)} ×   CPU ${(ours.cpu / cpu).toFixed(2)} ×`) // prettier-ignore
    isEnough &&= peers.every(({ name, rate }) => !name.startsWith('pywb') || ours.rate >= leastOfPywb * rate)
  }
  return isEnough
}

/** Prints the ratios for `npm run bench`. */
function printRatios(all: Map<string, Result[]>, names: readonly string[]): void {
  for (const round of rounds) {
    const [ours, ...peers] = names.map((name) => ({ name, ...rowOf(all.get(`${name}, ${round.name}`) ?? []) }))
    if (ours === undefined) throw new Error('Loupe is the first')
    for (const { name: peer, rate, p99 } of peers) {
      const work = `replay, ${round.name}`
      const goal = goals[peer.split('/')[0] ?? '']
      printRatio(ratioOf({ work, peer, theirs: rate, ours: ours.rate, unit: 'requests/s', ...goal }, 'higher'))
      printRatio(ratioOf({ work: `${work}, p99`, peer, theirs: p99, ours: ours.p99, unit: 'ms' }, 'lower'))
    }
  }
}

async function main(folder: string): Promise<number> {
  console.log(machineLine())
  const archive = await replayedArchive(captures, console.log)
  const pages = join(folder, 'pages')
  await mkdir(pages)
  const asker = fork(join(import.meta.dirname, 'asker.ts'), [pages])
  const contestants: Contestant[] = []
  try {
    contestants.push(await startLoupe(archive.folder), await startFiles(pages))
    contestants.push(await startBare(archive.folder))
    const pywb = await startPywb(folder, archive.files)
    if (pywb) contestants.push({ ...pywb, address: proxied })
    else console.log('pywb is not on this machine (pip install pywb)')
    const all = await contest(asker, contestants, pages)
    const names = contestants.map(({ name }) => name)
    const isEnough = report(all, names)
    const found = [...all.values()].flat()
    const wrong = found.reduce((sum, each) => sum + each.wrong, 0)
    console.log(`\nanswers with other bytes: ${wrong}${found.find(({ firstWrong }) => firstWrong)?.firstWrong ?? ''}`)
    printRatios(all, names)
    return wrong === 0 && isEnough ? 0 : 1
  } finally {
    asker.kill()
    for (const { stop } of contestants) await stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-replay-'))
try {
  process.exitCode = await main(folder)
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}
