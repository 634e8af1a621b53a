/** Compares the real `loupe harvest` with `wget --mirror` with WARC and CDX, and with wget2, on the same site from the same server and
 *  one seed (`npm run bench:harvest -- [--runs N] [--site NAME]`). The programs take turns, so that all run under the same conditions;
 *  the results are ratios within one run. The exit code is 1 when Loupe and wget did not fetch the same URLs or a program is missing,
 *  which is reported. */
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { loupe, wget, wget2, type Harvester, type HarvestRun } from './harvesters.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf } from './measure.ts'
import { Missing, program, siteSources, startRealSite, type RealSite } from './realSite.ts'

/** Permitted share of URLs that only one of Loupe and wget fetched: they do not extract exactly the same links. */
const differenceMax = 0.01

/** The kinds of values, in the order of the report. */
const values: readonly [string, (run: HarvestRun) => number][] = [
  ['documents/s while fetching', ({ documents, fetchingSeconds }) => documents / fetchingSeconds],
  ['documents/s, whole command', ({ documents, wholeSeconds }) => documents / wholeSeconds],
  ['CPU ms for a document', ({ documents, cpuSeconds }) => (cpuSeconds * 1000) / documents],
  ['peak memory, MB', ({ peakBytes = NaN }) => peakBytes / 1e6],
]

type Runs = Map<Harvester, HarvestRun[]>

/** Lets every program harvest the site `runs` times, in turn. */
async function takeTurns(harvesters: readonly Harvester[], site: RealSite, runs: number): Promise<Runs> {
  const done: Runs = new Map(harvesters.map((harvester) => [harvester, []]))
  for (let run = 1; run <= runs; run += 1)
    for (const [harvester, before] of done) {
      const result = await harvester.run(site)
      before.push(result)
      const figures = values.map(([name, of]) => `${of(result).toFixed(2)} ${name}`).join(', ')
      console.log(`run ${run}: ${harvester.name}: ${result.documents} documents, ${figures}`)
    }
  return done
}

/** Medians and ranges of all programs. */
function report(runs: Runs): string {
  const rows = values.flatMap(([name, of]) =>
    [...runs].map(([harvester, results]) => {
      const { median, min, max } = spreadOf(results.map(of))
      const digits = median < 100 ? 2 : 0
      return `${name.padEnd(27)} ${harvester.name.padEnd(22)} ${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
    }),
  )
  return rows.join('\n')
}

/** The goals of `bench/README.md`: the least ratio to wget and the one aimed for. */
const goals = { fetching: [2, 3.4], whole: { qt: [1.2, 2], other: [2, 3.4] }, single: [0.8, 1.5] } as const

/** Prints the ratios between Loupe and wget. */
function printRatios(runs: Runs, site: string, [peer, many, one]: readonly [Harvester, Harvester, Harvester]): void {
  const median = (harvester: Harvester, of: (run: HarvestRun) => number) =>
    spreadOf((runs.get(harvester) ?? []).map(of)).median
  const print = (name: string, ours: Harvester, at: number, goal: readonly [number, number] | undefined) => {
    const [unit, of] = values[at] ?? ['', () => NaN]
    const work = `harvest, ${site}, ${name}`
    const [least, aim] = goal ?? []
    const pair = { work, peer: peer.name, theirs: median(peer, of), ours: median(ours, of), unit, least, aim }
    printRatio(ratioOf(pair, at < 2 ? 'higher' : 'lower'))
  }
  const isSmall = site === 'qt'
  print('16 connections, fetching', many, 0, isSmall ? goals.fetching : undefined)
  print('16 connections, whole command', many, 1, isSmall ? goals.whole.qt : goals.whole.other)
  print('1 connection, whole command', one, 1, isSmall ? goals.single : undefined)
  print('16 connections, CPU', many, 2, undefined)
  print('16 connections, peak memory', many, 3, undefined)
}

/** URLs that only one of two programs fetched, as a share of all, with examples for the report. */
function difference(ours: HarvestRun | undefined, theirs: HarvestRun | undefined): { share: number; text: string } {
  const [a, b] = [new Set(ours?.urls), new Set(theirs?.urls)]
  const [onlyOurs, onlyTheirs] = [[...a].filter((url) => !b.has(url)), [...b].filter((url) => !a.has(url))]
  const both = a.size - onlyOurs.length
  const named = (urls: string[]) => `${urls.length}${urls.length > 0 ? ` (${urls.slice(0, 3).join(' ')} …)` : ''}`
  return {
    share: (onlyOurs.length + onlyTheirs.length) / (both + onlyOurs.length + onlyTheirs.length),
    text: `${both} URLs fetched by both, only by Loupe ${named(onlyOurs)}, only by wget ${named(onlyTheirs)}`,
  }
}

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: { runs: { type: 'string', default: '5' }, site: { type: 'string', default: 'qt' } },
  })
  const source = siteSources[options.site]
  const runs = Number(options.runs)
  if (!source || !Number.isInteger(runs) || runs < 1) {
    console.error(`npm run bench:harvest -- [--runs N] [--site ${Object.keys(siteSources).join('|')}]`)
    return 2
  }
  const installed = await program('wget', 'wget')
  if (installed === undefined) throw new Missing('There is no wget to compare with: sudo apt-get install wget')
  const time = await program('time', 'time')
  const [peer, many, one] = [wget(installed, time), loupe(time), loupe(time, 1)] as const
  const faster = await wget2(time)
  if (!faster) console.log('wget2 is not installed and was not run: sudo apt-get install wget2')
  const site = await startRealSite(source)
  let done: Runs
  try {
    const version = (await measured([installed, '--version'], { cwd: tmpdir(), good: [0] })).stdout.split('\n')[0]
    console.log(`${version} and Loupe; ${source.package} by ${site.server}\n${machineLine()}`)
    done = await takeTurns([peer, many, one, ...(faster ? [faster] : [])], site, runs)
  } finally {
    await site.stop()
  }
  console.log(`\n${report(done)}`)
  const { share, text } = difference(done.get(many)?.at(-1), done.get(peer)?.at(-1))
  console.log(text)
  printRatios(done, options.site, [peer, many, one])
  if (share <= differenceMax) return 0
  console.error(`The two did not fetch the same URLs: ${(share * 100).toFixed(1)} % were fetched by one of them only.`)
  return 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
