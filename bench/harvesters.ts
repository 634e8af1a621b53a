/** The programs that harvest the same site for `harvest.ts`, each run as an experienced user would run it: Loupe with many
 *  connections and with one, wget with WARC and CDX, and wget2, which writes no WARC. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loupeCommand } from './loupeCommand.ts'
import { measured, type Measured } from './measure.ts'
import { programOfSystem, type RealSite } from './realSite.ts'

/** Connections to the server and documents in progress of programs that can have several. */
const connections = 16
/** Options with which Loupe stays on the server at 127.0.0.1 as wget does; otherwise it fetches embedded resources from any host. */
export const sameHost = ['--robots', 'ignore', '--exclude', '^https:', '--exclude', '^http://[^1]']
/** Folder of wget's temporary files. It writes several for every record, and on a slow disk they alone halve its speed, so they are
 *  placed in memory, as an experienced user would do. Its results go to the same disk as Loupe's. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Result of one harvest. */
export interface HarvestRun {
  /** Number of answers with status 200. */
  documents: number
  /** Their URLs, sorted; null if the program does not list them. */
  urls: string[] | null
  /** From the first request to the last stored answer; the whole command where a program does not report it. */
  fetchingSeconds: number
  wholeSeconds: number
  cpuSeconds: number
  /** Peak memory of the largest process; undefined where GNU time is missing. */
  peakBytes: number | undefined
}

/** A program with its options. */
export interface Harvester {
  name: string
  run(site: RealSite): Promise<HarvestRun>
}

/** Mirrors the site with wget. */
export function wget(program: string, time: string | undefined): Harvester {
  const run = (site: RealSite) =>
    inFolder(async (folder) => {
      const warc = join(folder, 'site')
      const words = [program, '--quiet', '--execute=robots=off', '--mirror', `--warc-file=${warc}`, '--warc-cdx']
      // wget ends with 8 when a server answered with an error, since documentation has dead links, and with 4 when a server could not
      // be reached, since documentation mentions http://127.0.0.1:8000/.
      const cost = await inFolder(
        (temporary) =>
          measured([...words, `--warc-tempdir=${temporary}`, site.seed], { cwd: folder, good: [0, 4, 8], time }),
        memory,
      )
      const lines = (await readFile(`${warc}.cdx`, 'utf8')).split('\n').slice(1)
      // The columns are `a b a m s k r M V g u`; the first is the URL, the fifth the status.
      const answered = lines.map((line) => line.split(' ')).filter((columns) => columns[4] === '200')
      return runOf(
        cost,
        answered.map(([url = '']) => url),
      )
    })
  return { name: 'wget', run }
}

/** Mirrors the site with wget2, which writes no WARC; undefined if it is not installed. */
export async function wget2(time: string | undefined): Promise<Harvester | undefined> {
  const program = await programOfSystem('wget2')
  if (program === undefined) return undefined
  const run = (site: RealSite) =>
    inFolder(async (folder) => {
      const words = [program, '--quiet', '--no-robots', '--mirror', `--max-threads=${connections}`, site.seed]
      const cost = await measured(words, { cwd: folder, good: [0, 4, 8], time })
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return { ...runOf(cost, []), urls: null, documents: entries.filter((entry) => entry.isFile()).length }
    })
  return { name: 'wget2 (no WARC)', run }
}

/** Harvests the site with a new archive. */
export function loupe(time: string | undefined, workers = connections): Harvester {
  const run = (site: RealSite) =>
    inFolder(async (folder) => {
      const archive = join(folder, 'archive')
      const words = [...loupeCommand, '--archive', archive, '--json']
      await measured([...words, 'init'], { cwd: folder, good: [0] })
      const polite = ['--delay-ms', '0', '--connections-per-host', `${workers}`, '--workers', `${workers}`]
      const cost = await measured([...words, 'harvest', ...polite, ...sameHost, site.seed], {
        ...{ cwd: folder, good: [0, 1], time },
      })
      const { seconds } = answerOf<{ seconds: number }>(cost)
      const urls = await capturedUrls(words, archive)
      return { ...runOf(cost, urls), fetchingSeconds: seconds }
    })
  return { name: `Loupe, ${workers === 1 ? '1 connection' : `${workers} connections`}`, run }
}

/** URLs with status 200 in the files of one replica. */
async function capturedUrls(words: string[], archive: string): Promise<string[]> {
  const [replica = ''] = (await readdir(join(archive, 'replicas'))).sort()
  const index = words.filter((word) => word !== '--json')
  const { stdout } = await measured([...index, 'index', join(archive, 'replicas', replica)], {
    cwd: archive,
    good: [0],
  })
  const captures = stdout.split('\n').filter((line) => line !== '')
  return captures.flatMap((line) => {
    const { url, status } = JSON.parse(line.slice(line.indexOf('{'))) as { url: string; status?: string }
    return status === '200' ? [url] : []
  })
}

function runOf({ seconds, cpuSeconds, peakBytes }: Measured, urls: string[]): HarvestRun {
  const distinct = [...new Set(urls)].sort()
  return {
    ...{ documents: distinct.length, urls: distinct, cpuSeconds, peakBytes },
    ...{ fetchingSeconds: seconds, wholeSeconds: seconds },
  }
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
