/** Compares the hashing threads of bit preservation with coreutils' sha256sum on the same cached files of one replica, on one thread
 *  and on all cores, and with `openssl dgst` as the limit of the processor (`npm run bench:checksums -- [--runs N] [--megabytes N]`).
 *  They take turns, so that all run under the same conditions; the results are ratios within one run. The exit code is 1 when two of
 *  them compute different checksums, or when Loupe is not twice as fast as sha256sum on one thread. */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { randomFillSync } from 'node:crypto'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { hashFile } from '../src-main/archive/files/hashing.ts'
import { realWorld } from '../src-main/world/real.ts'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf, type Spread } from './measure.ts'

const world = realWorld()
const cores = availableParallelism()
/** Size of a file: as large as WARC files of a harvest often are, with enough files for all cores to end at about the same time. */
const fileMegabytes = 50
/** The project's target for one thread. */
const ratioMin = 2

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, megabytes: { type: 'string', default: '1500' } },
})
const runs = Number(values.runs)
const megabytes = Number(values.megabytes)

/** A way of hashing files. */
interface Contestant {
  name: string
  /** Returns the checksums in the order of the files. */
  hash: (paths: readonly string[]) => Promise<string[]>
}

/** Hashes the files with the threads of bit preservation, `lanes` of them at a time. */
async function byLoupe(paths: readonly string[], lanes: number): Promise<string[]> {
  const found: string[] = []
  const left = paths.entries()
  const signal = new AbortController().signal
  const lane = async () => {
    for (const [index, path] of left)
      found[index] = (await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal })).sha256
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return found
}

/** Runs one process per lane, each with its share of the files. */
async function byProgram(words: readonly string[], paths: readonly string[], lanes: number): Promise<string[]> {
  const found: string[] = []
  const share = Math.ceil(paths.length / lanes)
  const lane = async (_: unknown, lane: number) => {
    const own = paths.slice(lane * share, (lane + 1) * share)
    const { stdout } = await measured([...words, ...own], { cwd: tmpdir(), good: [0] })
    const sums = stdout.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []
    for (const [index, sum] of sums.entries()) found[lane * share + index] = sum
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return found
}

const openssl = ['openssl', 'dgst', '-sha256', '-r']
const contestants: Contestant[] = [1, cores].flatMap((lanes) => {
  const on = lanes === 1 ? 'one thread' : `${lanes} threads`
  return [
    { name: `Loupe, ${on}`, hash: (paths) => byLoupe(paths, lanes) },
    { name: `sha256sum, ${on}`, hash: (paths) => byProgram(['sha256sum'], paths, lanes) },
    { name: `openssl, ${on}`, hash: (paths) => byProgram(openssl, paths, lanes) },
  ]
})

async function main(): Promise<number> {
  if (![runs, megabytes].every((number) => Number.isInteger(number) && number > 0)) {
    console.error('npm run bench:checksums -- [--runs N] [--megabytes N]')
    return 2
  }
  const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-'))
  try {
    return await bench(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Measures all contestants, and the whole command `loupe preserve checksums`; returns the exit code. */
async function bench(folder: string): Promise<number> {
  const archive = join(folder, 'archive')
  await filled(folder, archive)
  const replica = join(archive, 'replicas/ONE')
  const names = (await readdir(replica)).filter((name) => name.endsWith('.warc'))
  const paths = names.toSorted().map((name) => join(replica, name))
  console.log(`${machineLine()}\n${paths.length} files of ${fileMegabytes} MB, ${runs} runs in turn`)
  const times = new Map<string, number[]>()
  const note = (name: string, seconds: number) => times.set(name, [...(times.get(name) ?? []), seconds])
  let expected: string | undefined
  // The first round warms up and does not count.
  for (let round = 0; round <= runs; round++) {
    for (const { name, hash } of contestants) {
      const beganMs = performance.now()
      const found = (await hash(paths)).join()
      if (round > 0) note(name, (performance.now() - beganMs) / 1000)
      expected ??= found
      if (found !== expected || found.length !== paths.length * 65 - 1) {
        console.error(`${name} has other checksums than the first.`)
        return 1
      }
    }
    const loupe = [...loupeCommand, '--archive', archive, '--json']
    const words = [...loupe, 'preserve', 'checksums', '--replica', 'ONE']
    const { seconds } = await measured(words, { cwd: folder, good: [0] })
    if (round > 0) note(commandName, seconds)
  }
  return reportResults(times, paths.length * fileMegabytes)
}

const commandName = 'the whole command'

/** Fills the archive with `loupe upload`, as a user would. */
async function filled(folder: string, archive: string): Promise<void> {
  const source = join(folder, 'source')
  await mkdir(source)
  const piece = Buffer.alloc(1_000_000)
  for (let number = 0; number < Math.ceil(megabytes / fileMegabytes); number++) {
    const file = createWriteStream(join(source, `${String(number).padStart(4, '0')}.warc`))
    for (let written = 0; written < fileMegabytes; written++)
      if (!file.write(Buffer.from(randomFillSync(piece)))) await once(file, 'drain')
    file.end()
    await once(file, 'close')
  }
  const loupe = [...loupeCommand, '--archive', archive, '--json']
  await measured([...loupe, 'init'], { cwd: folder, good: [0] })
  await measured([...loupe, 'upload', source], { cwd: folder, good: [0] })
  await rm(source, { recursive: true })
}

/** Prints the rates and their ratios; returns the exit code. */
function reportResults(times: ReadonlyMap<string, number[]>, megabytesRead: number): number {
  const rates = new Map([...times].map(([name, all]) => [name, spreadOf(all.map((one) => megabytesRead / one))]))
  const rate = (name: string) => rates.get(name)?.median ?? NaN
  for (const [name, { median, min, max }] of rates) console.log(`${name.padEnd(24)}${rateText({ median, min, max })}`)
  for (const on of cores === 1 ? ['one thread'] : ['one thread', `${cores} threads`]) {
    const ratio = rate(`Loupe, ${on}`) / rate(`sha256sum, ${on}`)
    const share = rate(`Loupe, ${on}`) / rate(`openssl, ${on}`)
    console.log(`${on}: ${ratio.toFixed(2)} × sha256sum, ${(share * 100).toFixed(0)} % of openssl`)
  }
  const all = cores === 1 ? 'one thread' : `${cores} threads`
  console.log(`${commandName}: ${(rate(commandName) / rate(`sha256sum, ${all}`)).toFixed(2)} × sha256sum, ${all}`)
  const theirs = { peer: 'sha256sum, one thread', theirs: rate('sha256sum, one thread'), unit: 'MB/s', least: ratioMin }
  const goals = { 'Loupe, one thread': 3.2, [`Loupe, ${all}`]: cores === 1 ? 3.2 : 5.5, [commandName]: 5.5 }
  for (const [name, aim] of Object.entries(goals)) {
    const work = `checksums of ${megabytesRead} MB, ${name.replace('Loupe, ', '')}`
    printRatio(ratioOf({ work, ...theirs, ours: rate(name), aim }, 'higher'))
  }
  const isEnough = rate('Loupe, one thread') >= ratioMin * rate('sha256sum, one thread')
  if (!isEnough) console.error(`On one thread it is not ${ratioMin} × sha256sum.`)
  return isEnough ? 0 : 1
}

function rateText({ median, min, max }: Spread): string {
  return `${median.toFixed(0).padStart(6)} MB/s (${min.toFixed(0)}–${max.toFixed(0)})`
}

process.exitCode = await main()
