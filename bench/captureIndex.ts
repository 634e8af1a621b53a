/** Measures the capture index of a job (`npm run bench:index -- [--captures N] [--files N] [--runs N]`): building it from archive
 *  files, compared with the indexer of npm's `warcio`; building it from existing CDXJ lines, compared with a plain table filled from
 *  the same lines and from values in memory; adding one more file, compared with building it again; and looking up the nearest
 *  capture, compared with that table. The measurements take turns, and the median counts. The exit code is 1 when a lookup differs
 *  from the plain table, or when adding one file takes more than half the time of building the index again. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openArchive } from '../src-main/archive/store/archive.ts'
import { openIndexes, type CaptureIndex } from '../src-main/indexes/indexes.ts'
import { openStore } from '../src-main/storage/storage.ts'
import { openTasks } from '../src-main/tasks/tasks.ts'
import { realWorld } from '../src-main/world/real.ts'
import { captureNumber, pageNumber, writeFileOf } from './capturedFiles.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf } from './measure.ts'
import { plainCapturesIn } from './plainCaptures.ts'

const { values } = parseArgs({
  options: {
    captures: { type: 'string', default: '100000' },
    files: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    lookups: { type: 'string', default: '50000' },
  },
})
const [captures, files, runs, lookups] = [values.captures, values.files, values.runs, values.lookups].map(Number) as [
  number,
  number,
  number,
  number,
]
const perFile = Math.ceil(captures / files)
const peer = join(import.meta.dirname, '../node_modules/warcio/dist/cli.js')
const jobs = [1]

const folder = await mkdtemp(join(tmpdir(), 'loupe-index-'))
const store = openStore(join(folder, 'loupe.db'))
const world = realWorld()
const archive = await openArchive({ store, world, replicas: [{ name: 'ONE', folder: join(folder, 'one') }] })
const tasks = openTasks({
  store,
  world,
  onBug(error) {
    throw error
  },
})
const indexFolder = join(folder, 'indexes')
const nameOf = (number: number) => `1-${String(number).padStart(3, '0')}.warc.gz`
const pathOf = (number: number) => join(folder, 'one', nameOf(number))

/** Writes one more WARC file and stores it in the archive. */
async function addFile(number: number): Promise<void> {
  const path = join(folder, nameOf(number))
  await writeFileOf(
    path,
    Array.from({ length: perFile }, (_, at) => pageNumber(number * perFile + at, captures)),
  )
  const outcome = await archive.store({ path, name: nameOf(number), kind: 'content', jobId: 1 })
  if (outcome.state !== 'stored') throw new Error(`${path} was not stored: ${JSON.stringify(outcome)}`)
  await rm(path)
}

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await act()
  return (performance.now() - beganMs) / 1000
}

async function built(): Promise<CaptureIndex> {
  const indexes = await openIndexes({ folder: indexFolder, world, archive, tasks })
  const index = await indexes.captureIndexFor({ jobs })
  await indexes.close()
  return index
}
/** Makes the index of all files, reusing what is there, and verifies its number of captures. */
async function build(expected: number): Promise<void> {
  const index = await built()
  if (index.count() !== expected) throw new Error(`the index has ${index.count()} captures and not ${expected}`)
  index.close()
}
/** Removes the index, or only a folder of it. */
const removeIndex = (...parts: string[]) => rm(join(indexFolder, ...parts), { recursive: true, force: true })

/** Seconds to fill a new plain table. */
async function plainTable(fill: (table: ReturnType<typeof plainCapturesIn>) => void): Promise<number> {
  const into = join(folder, 'plain')
  await mkdir(into)
  const table = plainCapturesIn(into)
  const taken = await seconds(async () => {
    fill(table)
    table.close()
  })
  await rm(into, { recursive: true })
  return taken
}

/** The lookups that both must answer. */
function questions(): { url: string; atMs: number }[] {
  return Array.from({ length: lookups }, () => {
    const { url } = captureNumber(world.chance.below(captures), captures)
    return { url, atMs: captureNumber(world.chance.below(captures), captures).atMs + 1 }
  })
}

/** Results of the lookups in both indexes. */
interface Asked {
  /** Seconds for all lookups. */
  ours: number
  theirs: number
  differ: number
  /** Milliseconds for each keystroke. */
  typedMs: number[]
  typedPlainMs: number[]
}

/** Asks the index and the plain table the same questions. */
async function lookedUp(index: CaptureIndex): Promise<Asked> {
  const into = join(folder, 'plain')
  await mkdir(into)
  const table = plainCapturesIn(into)
  table.fill(Array.from({ length: captures }, (_, number) => captureNumber(number, captures)))
  const asked = questions()
  const ask = async () => asked.map(({ url, atMs }) => index.nearest({ url, moment: { kind: 'nearest', atMs } })?.timestampMs) // prettier-ignore
  const askPlain = async () => asked.map(({ url, atMs }) => table.nearest(url, atMs))
  // The first pass is not measured: it lets the code be compiled, as it is in a long-running program.
  const [mine, plain] = [await ask(), await askPlain()]
  const [ours, theirs] = [await seconds(ask), await seconds(askPlain)]
  // The first query makes the addresses searchable, once.
  await index.pages({ text: '', limit: shownPages })
  const [typedMs, typedPlainMs]: [number[], number[]] = [[], []]
  for (const text of keystrokes()) {
    typedMs.push(1000 * (await seconds(() => index.pages({ text, limit: shownPages }))))
    typedPlainMs.push(1000 * (await seconds(async () => table.containing(text, shownPages))))
  }
  table.close()
  await rm(into, { recursive: true })
  return { ours, theirs, differ: mine.filter((each, at) => each !== plain[at]).length, typedMs, typedPlainMs }
}

/** Number of entries that the address bar offers. */
const shownPages = 10

/** Parts of addresses, typed letter by letter. */
function keystrokes(): string[] {
  return Array.from({ length: 40 }, () => {
    const { url } = captureNumber(world.chance.below(captures), captures)
    const words = url.slice(url.indexOf(world.chance.below(2) === 0 ? 'host-' : 'page-'))
    return Array.from({ length: 14 }, (_, at) => words.slice(0, at + 1))
  }).flat()
}

const times = { whole: [], peer: [], lines: [], plain: [], plainLines: [], typed: [], typedPlain: [], ours: [], theirs: [], adding: [], rebuilt: [], rebuiltFromLines: [] } as Record<string, number[]> // prettier-ignore
const note = (name: keyof typeof times, taken: number) => times[name]?.push(taken)
const median = (name: keyof typeof times) => spreadOf(times[name] ?? []).median
let differ = 0

/** Measures everything once: the index from files, the peer, the index from lines, the plain table, and lookups. */
async function round(number: number): Promise<void> {
  await removeIndex()
  note('whole', await seconds(() => build(captures)))
  const paths = Array.from({ length: files }, (_, at) => pathOf(at))
  const { seconds: taken } = await measured([process.execPath, peer, 'cdx-index', ...paths], { cwd: folder, good: [0] })
  note('peer', taken)
  await removeIndex('capture')
  note('lines', await seconds(() => build(captures)))
  const all = Array.from({ length: captures }, (_, at) => captureNumber(at, captures))
  note('plain', await plainTable((table) => table.fill(all)))
  const lines = Array.from({ length: files }, (_, at) => join(indexFolder, 'cdx', '1', `${nameOf(at)}.cdxj`))
  note('plainLines', await plainTable((table) => table.fillFromLines(lines)))
  const index = await built()
  const looked = await lookedUp(index)
  index.close()
  note('ours', looked.ours)
  note('theirs', looked.theirs)
  differ += looked.differ
  times['typed']?.push(...looked.typedMs)
  times['typedPlain']?.push(...looked.typedPlainMs)
  console.log(`run ${number} of ${runs} done; ${machineLine().split(', ').at(-1)}`)
}

/** Adds one more file to the archive, and measures how long the index takes to include it. */
async function addAndMeasure(number: number): Promise<void> {
  await build(captures + (number - 1) * perFile)
  await addFile(files + number - 1)
  const expected = captures + number * perFile
  note('adding', await seconds(() => build(expected)))
  await removeIndex('capture')
  note('rebuiltFromLines', await seconds(() => build(expected)))
  await removeIndex()
  note('rebuilt', await seconds(() => build(expected)))
}

try {
  console.log(machineLine())
  for (let number = 0; number < files; number += 1) await addFile(number)
  console.log(`${captures} captures in ${files} files; ${machineLine().split(', ').at(-1)}`)
  for (let number = 1; number <= runs; number += 1) await round(number)
  for (let number = 1; number <= runs; number += 1) await addAndMeasure(number)

  const rate = (name: string, count: number) => `${Math.round(count / median(name)).toLocaleString('en')}/s`
  const to = (peer: string, mine: string) => `${(median(peer) / median(mine)).toFixed(2)} ×`
  const slowest = (name: string) => ((times[name] ?? []).toSorted((a, b) => a - b).at(-1 - Math.floor((times[name]?.length ?? 0) / 100)) ?? NaN).toFixed(1) // prettier-ignore
  const line = (what: string, text: string) => console.log(`${what.padEnd(42)} ${text}`)
  line('from archive files, captures', `${rate('whole', captures)}, warcio ${rate('peer', captures)}: ${to('peer', 'whole')} (which makes lines alone)`) // prettier-ignore
  line('from existing lines, captures', `${rate('lines', captures)}, a plain table ${rate('plainLines', captures)}: ${to('plainLines', 'lines')}; of values in memory ${rate('plain', captures)}: ${to('plain', 'lines')}`) // prettier-ignore
  line('nearest capture, lookups', `${rate('ours', lookups)}, a plain table ${rate('theirs', lookups)}: ${to('theirs', 'ours')}`) // prettier-ignore
  line('a keystroke in the address bar, ms', `${median('typed').toFixed(2)}, p99 ${slowest('typed')}; a plain table ${median('typedPlain').toFixed(2)}, p99 ${slowest('typedPlain')}: ${to('typedPlain', 'typed')}`) // prettier-ignore
  line('one more file, s', `${median('adding').toFixed(2)}, rebuilt from lines ${median('rebuiltFromLines').toFixed(2)}, from files ${median('rebuilt').toFixed(2)}: ${(median('adding') / median('rebuilt')).toFixed(2)} of that (at most 0.5)`) // prettier-ignore
  line('lookups with different results', String(differ))
  const print = (
    work: string,
    peer: string,
    [theirs, ours]: [string, string],
    goal: { least?: number; aim?: number },
  ) => printRatio(ratioOf({ work, peer, theirs: median(theirs), ours: median(ours), unit: 's', ...goal }, 'lower'))
  print('capture index from archive files', 'warcio cdx-index (lines alone)', ['peer', 'whole'], {})
  print('capture index from lines', 'plain SQLite table', ['plainLines', 'lines'], { least: 0.8, aim: 1 })
  print('nearest captures', 'plain SQLite table', ['theirs', 'ours'], { least: 0.8, aim: 1 })
  print('URLs for one key in the address bar', 'plain SQLite table', ['typedPlain', 'typed'], { least: 1 })
  print('one more file in the index', 'a rebuild', ['rebuilt', 'adding'], { least: 2 })
  process.exitCode = differ === 0 && median('adding') <= median('rebuilt') / 2 ? 0 : 1
} finally {
  store.close()
  await rm(folder, { recursive: true })
}
