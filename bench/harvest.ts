/** Compares the real `loupe harvest` with `wget --mirror` with WARC and CDX, on the same site from the same server (`npm run
 *  bench:harvest -- [--runs N] [--site NAME]`). They take turns (A B A B …), so that both run under the same conditions; the results
 *  are ratios within one run. The exit code is 1 when the two did not fetch the same pages or a program is missing, which is
 *  reported. */
import { heapFlag } from '../src-main/shells/launch/heap.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineLine, measured, spreadOf, type Measured, type Spread } from './measure.ts'
import { Missing, program, siteSources, startRealSite, type RealSite } from './realSite.ts'

const cli = join(import.meta.dirname, '../src-main/shells/cli/cli.ts')
/** Loupe's connections to the server and documents in progress; wget has one of each. */
const connections = 16
/** Folder of wget's temporary files. It writes several for every record, and on a slow disk they alone halve its speed, so they are
 *  placed in memory, as an experienced user would do. Its results go to the same disk as Loupe's. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** Permitted difference of the numbers of documents: both read the same pages, but do not extract exactly the same links. */
const differenceMax = 0.01

/** Result of one harvest. */
interface Run {
  /** Number of answers with status 200. */
  documents: number
  /** From the first request to the last stored answer; for wget, the whole command. */
  fetchingSeconds: number
  wholeSeconds: number
  cpuSeconds: number
  peakBytes: number | undefined
}

/** Programs of the machine: GNU time reports peak memory, where it is installed. */
interface Tools {
  wget: string
  time: string | undefined
}

/** Mirrors the site with wget. */
async function runWget({ wget, time }: Tools, site: RealSite): Promise<Run> {
  return inFolder(async (folder) => {
    const warc = join(folder, 'site')
    const words = [wget, '--quiet', '--execute=robots=off', '--mirror', `--warc-file=${warc}`, '--warc-cdx']
    // wget ends with 8 when a server answered with an error, since documentation has dead links, and with 4 when a server could not be
    // reached, since documentation mentions http://127.0.0.1:8000/.
    const { seconds, cpuSeconds, peakBytes } = await inFolder(
      (temporary) =>
        measured([...words, `--warc-tempdir=${temporary}`, ...site.seeds], { cwd: folder, good: [0, 4, 8], time }),
      memory,
    )
    const lines = (await readFile(`${warc}.cdx`, 'utf8')).split('\n').slice(1)
    // The columns are `a b a m s k r M V g u`; the status is the fifth.
    const documents = lines.filter((line) => line.split(' ')[4] === '200').length
    return { documents, fetchingSeconds: seconds, wholeSeconds: seconds, cpuSeconds, peakBytes }
  })
}

/** Harvests the site with a new archive. */
async function runLoupe({ time }: Tools, site: RealSite): Promise<Run> {
  return inFolder(async (folder) => {
    const loupe = [process.execPath, heapFlag, cli, '--archive', join(folder, 'archive'), '--json']
    await measured([...loupe, 'init'], { cwd: folder, good: [0] })
    const polite = ['--delay-ms', '0', '--connections-per-host', `${connections}`, '--workers', `${connections}`]
    // Loupe fetches embedded resources from any host; wget stays on the given one.
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

/** Parses the JSON document that Loupe prints; throws with its standard error when there is none. */
function answerOf<T>({ stdout, stderr }: Measured): T {
  if (stdout === '') throw new Error(`loupe had no answer: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** Runs `act` with a temporary folder, which is removed afterwards. */
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

/** The medians and ranges of all runs, and the ratios of the medians. */
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

/** The relative difference between the smallest and the largest number of documents in all runs. */
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
