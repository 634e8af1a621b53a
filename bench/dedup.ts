/** Measures deduplication (`npm run bench:dedup [-- --captures LIST --formats LIST --runs N --site NAME]`): formats of its index with 10^5 to
 *  10^7 captures, what a harvest costs more when it looks everything up and finds nothing, and what the second harvest of an unchanged site
 *  writes. Prints tables, and ratios as JSON. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DedupPoint } from './dedupPoint.ts'
import { sameHost } from './harvesters.ts'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf } from './measure.ts'
import { Missing, siteSources, startRealSite, type RealSite } from './realSite.ts'

const { values } = parseArgs({
  options: {
    captures: { type: 'string', default: '100000,1000000,10000000' },
    formats: { type: 'string', default: 'file,sqlite,blocks,perfect' },
    runs: { type: 'string', default: '3' },
    site: { type: 'string', default: 'rust' },
  },
})
const listOf = (text: string) => (text === '' ? [] : text.split(','))

/** Measures each format and size in a process of its own. */
async function points(): Promise<DedupPoint[]> {
  const found: DedupPoint[] = []
  for (const size of listOf(values.captures))
    for (const format of listOf(values.formats)) {
      const command = [process.execPath, join(import.meta.dirname, 'dedupPoint.ts'), '--size', size, '--format', format]
      const { stdout } = await measured(command, { cwd: import.meta.dirname, good: [0] })
      found.push(JSON.parse(stdout) as DedupPoint)
      console.error(`${format} with ${Number(size).toLocaleString('en')} done`)
    }
  return found
}

/** The table in Markdown. */
function tableOf(found: readonly DedupPoint[]): string {
  const number = (value: number) =>
    value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
  const columns = ['captures', 'format', 'captures/s', 'found, µs', 'p99', 'absent, µs', 'p99', 'by payload, µs', 'bytes per capture', 'memory, MB'] // prettier-ignore
  const rows = found.map((point) => [
    ...[
      number(point.size),
      point.format,
      number(point.capturesPerSecond),
      number(point.foundUs),
      number(point.foundUsP99),
    ],
    ...[number(point.absentUs), number(point.absentUsP99), point.payloadUs === null ? '' : number(point.payloadUs)],
    ...[number(point.diskBytes / point.size), number(point.peakBytes / 1e6)],
  ])
  return [columns, columns.map(() => '---:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** What a harvest prints as JSON. */
interface Harvest {
  job: number
  fileBytes: number
  files: { name: string; bytes: number }[]
  seconds: number
  documents: { fetched: number }
}

const politeness = ['--delay-ms', '0', '--connections-per-host', '16', '--workers', '16']
const text = ['--store-in-full', '']

/** Harvests a site into the archive. */
async function harvest(archive: string, site: RealSite, options: readonly string[]): Promise<Harvest> {
  const words = [...loupeCommand, '--archive', archive, '--json', 'harvest', ...politeness, ...sameHost, ...options]
  const { stdout } = await measured([...words, site.seed], { cwd: tmpdir(), good: [0, 1] })
  return JSON.parse(stdout) as Harvest
}

async function inArchive<T>(act: (archive: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-dedup-'))
  const archive = join(folder, 'archive')
  try {
    await measured([...loupeCommand, '--archive', archive, 'init'], { cwd: folder, good: [0] })
    return await act(archive)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Compares harvests that look every document up, among captures of another site, with harvests that look nothing up. */
async function lookupCost(site: RealSite, other: RealSite): Promise<void> {
  await inArchive(async (archive) => {
    const { job } = await harvest(archive, other, [])
    const took: Record<'off' | 'url', number[]> = { off: [], url: [] }
    for (let run = 0; run < Number(values.runs); run++)
      for (const match of ['off', 'url'] as const) {
        const compared = match === 'off' ? [] : ['--deduplicate-with', String(job), ...text]
        took[match].push((await harvest(archive, site, ['--deduplicate', match, ...compared])).seconds)
      }
    const [theirs, ours] = [spreadOf(took.off).median, spreadOf(took.url).median]
    const peer = 'Loupe without'
    printRatio(
      ratioOf({ work: 'harvest that looks everything up', peer, theirs, ours, unit: 's', least: 0.95 }, 'lower'),
    )
  })
}

/** Compares what two harvests of the same site write, with and without compressed metadata files. */
async function secondHarvest(site: RealSite, metadata: 'none' | 'gzip'): Promise<void> {
  await inArchive(async (archive) => {
    const setting = ['settings', 'set', 'harvest.metadataCompression', metadata]
    await measured([...loupeCommand, '--archive', archive, ...setting], { cwd: tmpdir(), good: [0] })
    const first = await harvest(archive, site, text)
    const second = await harvest(archive, site, text)
    const documents = [first, second].map(({ documents: { fetched } }) => fetched.toLocaleString('en'))
    console.error(`${documents.join(' and ')} documents in ${first.seconds} and ${second.seconds} s`)
    const compare = (what: string, bytesOf: (one: Harvest) => number, least: number | undefined) => {
      const work = `second harvest of ${values.site}, ${what}`
      const [theirs, ours] = [bytesOf(first) / 1e6, bytesOf(second) / 1e6]
      printRatio(ratioOf({ work, peer: 'the first', theirs, ours, unit: 'MB', least }, 'lower'))
    }
    compare('content', contentBytes, 1 / 0.15)
    compare(`all files, metadata compression ${metadata}`, ({ fileBytes }) => fileBytes, undefined)
  })
}

/** Bytes of the content files; the others are metadata: logs, reports and index lines. */
function contentBytes({ files }: Harvest): number {
  return files
    .filter(({ name }) => !/-metadata-\d+\.warc(\.gz)?$/.test(name))
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

async function harvests(): Promise<void> {
  const { qt, django, [values.site]: chosen } = siteSources
  if (qt === undefined || django === undefined || chosen === undefined)
    throw new Missing(`There is no site ${values.site}.`)
  const sites = await Promise.all([qt, django, chosen].map(startRealSite))
  const [one, other, again] = sites
  try {
    if (one && other) await lookupCost(one, other)
    for (const metadata of ['none', 'gzip'] as const) if (again) await secondHarvest(again, metadata)
  } finally {
    for (const { stop } of sites) await stop()
  }
}

console.error(machineLine())
if (values.captures !== '') console.log(tableOf(await points()))
try {
  if (values.site !== '') await harvests()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
