/** `npm run bench:harvest -- [--runs N] [--site NAME]`: the real `loupe harvest` against `wget --mirror` with WARC and CDX, on
 *  the same site from the same server, in turn (A B A B …) so that both meet the same machine. Figures are ratios within
 *  one run. It ends with 1 when the two did not fetch the same, or when something is missing, which it says. */
import { heapFlag } from '../src-main/shells/launch/heap.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineLine, measured, spreadOf, type Measured, type Spread } from './measure.ts'
import { Missing, program, siteSources, startRealSite, type RealSite } from './realSite.ts'

const cli = join(import.meta.dirname, '../src-main/shells/cli/cli.ts')
/** Connections to the server, and documents under way, of Loupe. wget has one connection and one document. */
const connections = 16
/** wget makes several temporary files for every record. Where they go to a slow disk that alone halves its speed, so they are
 *  given the memory, which is what somebody in a hurry would do. What it keeps goes where Loupe's files go. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** Both read the same pages, but not every word of them alike: this much may differ before it is an error. */
const differenceMax = 0.01

interface Run {
  /** Answers with status 200. */
  documents: number
  /** From the first request to the last answer written down; for wget that is the whole command. */
  fetchingSeconds: number
  wholeSeconds: number
  cpuSeconds: number
  peakBytes: number | undefined
}

interface Tools {
  wget: string
  time: string | undefined
}

async function runWget({ wget, time }: Tools, site: RealSite): Promise<Run> {
  return inFolder(async (folder) => {
    const warc = join(folder, 'site')
    const words = [wget, '--quiet', '--execute=robots=off', '--mirror', `--warc-file=${warc}`, '--warc-cdx']
    // wget ends with 8 when the server answered an error, and documentation has dead links; with 4 when a server was not
    // there, and documentation speaks of http://127.0.0.1:8000/.
    const { seconds, cpuSeconds, peakBytes } = await inFolder(
      (temporary) =>
        measured([...words, `--warc-tempdir=${temporary}`, ...site.seeds], { cwd: folder, good: [0, 4, 8], time }),
      memory,
    )
    const lines = (await readFile(`${warc}.cdx`, 'utf8')).split('\n').slice(1)
    // Its columns are `a b a m s k r M V g u`: the status is the fifth.
    const documents = lines.filter((line) => line.split(' ')[4] === '200').length
    return { documents, fetchingSeconds: seconds, wholeSeconds: seconds, cpuSeconds, peakBytes }
  })
}

async function runLoupe({ time }: Tools, site: RealSite): Promise<Run> {
  return inFolder(async (folder) => {
    const loupe = [process.execPath, heapFlag, cli, '--archive', join(folder, 'archive'), '--json']
    await measured([...loupe, 'init'], { cwd: folder, good: [0] })
    const polite = ['--delay-ms', '0', '--connections-per-host', `${connections}`, '--workers', `${connections}`]
    // Parts of pages are fetched from any host; wget stays on the one it was given.
    const same = ['--robots', 'ignore', '--exclude', `^(?!${site.origin.replaceAll('.', '\\.')}/)`]
    const harvested = await measured([...loupe, 'harvest', ...polite, ...same, ...site.seeds], {
      ...{ cwd: folder, good: [0, 1], time },
    })
    const { job, seconds: fetchingSeconds } = answerOf<{ job: number; seconds: number }>(harvested)
    const shown = await measured([...loupe, 'jobs', `${job}`], { cwd: folder, good: [0] })
    const { byStatus } = answerOf<{ byStatus: { status: string; documents: number }[] }>(shown)
    const documents = byStatus.find(({ status }) => status === '200')?.documents ?? 0
    const { seconds: wholeSeconds, cpuSeconds, peakBytes } = harvested
    return { documents, fetchingSeconds, wholeSeconds, cpuSeconds, peakBytes }
  })
}

/** Loupe prints one JSON document; when it cannot, it says why on the other channel. */
function answerOf<T>({ stdout, stderr }: Measured): T {
  if (stdout === '') throw new Error(`loupe had no answer: ${stderr}`)
  return JSON.parse(stdout) as T
}

async function inFolder<T>(act: (folder: string) => Promise<T>, above = tmpdir()): Promise<T> {
  const folder = await mkdtemp(join(above, 'loupe-bench-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const per1000 = ({ cpuSeconds, documents }: Run) => (cpuSeconds * 1000) / documents
const peakMegabytes = ({ peakBytes = NaN }: Run) => peakBytes / 1e6
const fetchingRate = ({ documents, fetchingSeconds }: Run) => documents / fetchingSeconds
const wholeRate = ({ documents, wholeSeconds }: Run) => documents / wholeSeconds

function report(wget: Run[], loupe: Run[]): string {
  const rows: [string, (run: Run) => number, string][] = [
    ['documents/s while fetching', fetchingRate, 'higher is better; aim 2, at least 1'],
    ['documents/s, the whole command', wholeRate, 'higher is better'],
    ['CPU s for 1,000 documents', per1000, 'lower is better; at most 1'],
    ['peak memory, MB', peakMegabytes, 'lower is better; wget has one document at a time and no queue on the disk'],
  ]
  return rows
    .map(([name, of, aim]) => {
      const [theirs, ours] = [spreadOf(wget.map(of)), spreadOf(loupe.map(of))]
      return `${name.padEnd(31)} wget ${textOf(theirs)}   Loupe ${textOf(ours)}   ratio ${(ours.median / theirs.median).toFixed(2)} (${aim})`
    })
    .join('\n')
}

function textOf({ median, min, max }: Spread): string {
  const digits = median < 100 ? 2 : 0
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

/** The largest difference between the two in any pair of runs. */
function difference(wget: Run[], loupe: Run[]): number {
  const counts = [...wget, ...loupe].map(({ documents }) => documents)
  return 1 - Math.min(...counts) / Math.max(...counts)
}

const more = `Loupe does all this in that time, and wget does not: a queue that survives kill -9 (SQLite, synced), digests by the
standard of every record, request and metadata records, a second WARC with reports and a sorted index, two replicas of
every file, each read back and compared by SHA-256. wget also writes every document as a plain file.`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '5' }, site: { type: 'string', default: 'qt' } },
  })
  const source = siteSources[values.site]
  const runs = Number(values.runs)
  if (!source || !Number.isInteger(runs) || runs < 1) {
    console.error(`npm run bench:harvest -- [--runs N] [--site ${Object.keys(siteSources).join('|')}]`)
    return 2
  }
  const wget = await program('wget', 'wget')
  if (wget === undefined) throw new Missing('There is no wget to compare with: sudo apt-get install wget')
  const tools = { wget, time: await program('time', 'time') }
  const site = await startRealSite(source)
  const [theirs, ours]: [Run[], Run[]] = [[], []]
  try {
    const version = (await measured([wget, '--version'], { cwd: tmpdir(), good: [0] })).stdout.split('\n')[0]
    console.log(`${version} against Loupe with ${connections} connections; ${source.package} by ${site.server}`)
    console.log(machineLine())
    for (let run = 1; run <= runs; run += 1) {
      const [a, b] = [await runWget(tools, site), await runLoupe(tools, site)]
      theirs.push(a)
      ours.push(b)
      const line = (name: string, it: Run) =>
        `${name} ${it.documents} documents in ${it.fetchingSeconds.toFixed(2)} s (command ${it.wholeSeconds.toFixed(2)} s, CPU ${it.cpuSeconds.toFixed(2)} s, peak ${peakMegabytes(it).toFixed(0)} MB)`
      console.log(`run ${run}: ${line('wget', a)}; ${line('Loupe', b)}`)
    }
  } finally {
    await site.stop()
  }
  console.log(`\n${report(theirs, ours)}\n\n${more}`)
  const apart = difference(theirs, ours)
  if (apart <= differenceMax) return 0
  console.error(`The two did not fetch the same: the counts above differ by ${(apart * 100).toFixed(1)} %.`)
  return 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
