/** Compares the indexing and checking of archive files of real pages (`realFiles.ts`) by Loupe and by its peers (`npm run
 *  bench:formats -- [--runs N]`): whole processes in turn (A B A B …), under the same Node.js. Next to them, the time that the
 *  fastest tools of the machine need for the bare work on the same bytes: decompressing them and computing their SHA-1. The exit code
 *  is 1 when the two indexes do not point at the same records, apart from the exceptions documented here. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf } from './measure.ts'
import { realFiles, type RealFiles } from './realFiles.ts'
import { Missing, program } from './realSite.ts'

const peer = join(import.meta.dirname, '../node_modules/warcio/dist/cli.js')

/** The cost of one process. */
interface Run {
  seconds: number
  cpuSeconds: number
  /** Peak memory; undefined where it could not be measured. */
  peakBytes: number | undefined
}

/** A task that Loupe and a peer both perform. */
interface Contest {
  name: string
  peer: string
  /** How many times less time Loupe has to take, and the aim. */
  least: number
  aim: number
  ours: () => Promise<Run>
  /** Runs the peer; undefined when it is not installed. */
  theirs: (() => Promise<Run>) | undefined
}

/** The files that are processed, a folder for results, and the programs that were found. */
interface Bench {
  files: RealFiles
  folder: string
  tools: Tools
}

/** Programs of the machine; undefined when they are not available. */
interface Tools {
  /** GNU time, which reports the peak memory of a process. */
  time: string | undefined
  inflate: string[] | undefined
  digest: string[] | undefined
  pythonWarcio: string | undefined
}

/** Finds the programs, the fastest decompressor first. */
async function toolsHere(): Promise<Tools> {
  const [time, libdeflate, igzip, pigz, gzip, openssl] = await Promise.all([
    ...[program('time', 'time'), program('libdeflate-gunzip', 'libdeflate-tools'), program('igzip', 'isal')],
    ...[program('pigz', 'pigz'), program('gzip', 'gzip'), program('openssl', 'openssl')],
  ])
  const inflater = libdeflate ?? igzip ?? pigz ?? gzip
  return {
    time,
    inflate: inflater === undefined ? undefined : [inflater, ...(libdeflate === undefined ? ['-d'] : []), '-c'],
    digest: openssl === undefined ? undefined : [openssl, 'dgst', '-sha1'],
    pythonWarcio: await pythonWarcio(),
  }
}

/** The `warcio` of Python. Node's package has a command of the same name, so the command is accepted only when it can check. */
async function pythonWarcio(): Promise<string | undefined> {
  const path = await program('warcio', 'python3-warcio')
  if (path === undefined) return undefined
  const help = await promisify(execFile)(path, ['--help']).catch(() => undefined)
  return help?.stdout.includes('check') === true ? path : undefined
}

/** Runs a command with its standard output in the file `into`. */
async function run(words: string[], { folder, tools }: Bench, into = '/dev/null'): Promise<Run> {
  const script = ['bash', '-c', `out=$1; shift; exec "$@" > "$out"`, 'bash', into, ...words]
  // Exit code 1 means findings in the files, which is no failure here.
  const { seconds, cpuSeconds, peakBytes } = await measured(script, { cwd: folder, good: [0, 1], time: tools.time })
  return { seconds, cpuSeconds, peakBytes }
}

function contests(bench: Bench): Contest[] {
  const { files, folder, tools } = bench
  const loupe = (...words: string[]) => [...loupeCommand, ...words]
  const warcio = (...paths: string[]) => [process.execPath, peer, 'cdx-index', ...paths]
  const { pythonWarcio } = tools
  const cores = availableParallelism()
  return [
    {
      name: 'index one file',
      peer: 'warcio cdx-index',
      least: 3,
      aim: cores === 1 ? 5.5 : 9,
      ours: () => run(loupe('index', files.whole), bench, join(folder, 'ours')),
      theirs: () => run(warcio(files.whole), bench, join(folder, 'theirs')),
    },
    {
      name: `index ${files.parts.length} files, on ${cores} cores`,
      peer: 'warcio cdx-index (one core)',
      least: 3,
      aim: 9,
      ours: () => run(loupe('index', ...files.parts), bench),
      theirs: () => run(warcio(...files.parts), bench),
    },
    {
      name: 'check one file, all digests',
      peer: 'python warcio check',
      least: 3,
      aim: 6,
      ours: () => run(loupe('check', files.whole), bench),
      theirs: pythonWarcio === undefined ? undefined : () => run([pythonWarcio, 'check', files.whole], bench),
    },
    {
      name: `check ${files.parts.length} files, on ${cores} cores`,
      peer: 'python warcio check (one core)',
      least: 3,
      aim: 6,
      ours: () => run(loupe('check', ...files.parts), bench),
      theirs: pythonWarcio === undefined ? undefined : () => run([pythonWarcio, 'check', ...files.parts], bench),
    },
  ]
}

/** The work that every reader of such a file must do. */
interface Limit {
  inflate: Run
  digest: Run
  contentBytes: number
}

/** Measures the bare work: decompressing the file, and SHA-1 of its content. Undefined when a tool is missing. */
async function limitRun(bench: Bench): Promise<Limit | undefined> {
  const { files, folder, tools } = bench
  if (!tools.inflate || !tools.digest) return undefined
  const content = join(folder, 'content')
  // Once into a file for the digest, and once to /dev/null, so that writing to the disk is not measured.
  if (!existsSync(content)) await run([...tools.inflate, files.whole], bench, content)
  const inflate = await run([...tools.inflate, files.whole], bench)
  const digest = await run([...tools.digest, content], bench)
  const { stdout } = await measured(['stat', '-c', '%s', content], { cwd: folder, good: [0] })
  return { inflate, digest, contentBytes: Number(stdout) }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

function spreadText(values: number[]): string {
  const { median, min, max } = spreadOf(values)
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`
}

/** One line of the report: median and range of both, and the ratio of the medians. */
function row(name: string, ours: number[], theirs: number[]): string {
  const ratio = theirs.length === 0 ? '' : (spreadOf(ours).median / spreadOf(theirs).median).toFixed(2)
  const them = theirs.length === 0 ? 'not here' : spreadText(theirs)
  return `  ${name.padEnd(10)} Loupe ${spreadText(ours).padEnd(22)} peer ${them.padEnd(22)} ratio ${ratio}`
}

function report({ name, peer, least, aim, theirs }: Contest, runs: { ours: Run[]; theirs: Run[] }): string {
  const memory = (list: Run[]) => list.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 1e6]))
  const lines = [
    `${name}, against ${peer} (at least ${least} times faster, aim ${aim})`,
    row('seconds', seconds(runs.ours), seconds(runs.theirs)),
    row('CPU s', cpuSeconds(runs.ours), cpuSeconds(runs.theirs)),
  ]
  if (memory(runs.ours).length > 0) lines.push(row('peak MB', memory(runs.ours), memory(runs.theirs)))
  if (!theirs) lines.push(`  ${peer} is not on this machine: pip install warcio`)
  return lines.join('\n')
}

/** Prints the ratios of a task: of time and of CPU time. The whole of the work on one core is what CPU time shows. */
function printRatios({ name, peer, least, aim }: Contest, runs: { ours: Run[]; theirs: Run[] }): void {
  if (runs.theirs.length === 0) return
  const both = (of: (list: Run[]) => number[]) => ({
    theirs: spreadOf(of(runs.theirs)).median,
    ours: spreadOf(of(runs.ours)).median,
  })
  printRatio(ratioOf({ work: name, peer, ...both(seconds), unit: 's', least, aim }, 'lower'))
  printRatio(ratioOf({ work: `${name}, CPU`, peer, ...both(cpuSeconds), unit: 'CPU s' }, 'lower'))
}

const seconds = (list: Run[]) => list.map((one) => one.seconds)
const cpuSeconds = (list: Run[]) => list.map((one) => one.cpuSeconds)

function limitReport(limits: Limit[], tools: Tools, ours: Record<'index' | 'check', Run[]>): string {
  const inflate = spreadOf(cpuSeconds(limits.map((limit) => limit.inflate))).median
  const digest = spreadOf(cpuSeconds(limits.map((limit) => limit.digest))).median
  const share = (limit: number, runs: Run[]) => ((limit / spreadOf(cpuSeconds(runs)).median) * 100).toFixed(0)
  const [inflater = '', digester = ''] = [tools.inflate?.[0], tools.digest?.[0]].map((path) => path?.split('/').at(-1))
  return [
    `the bare work: ${inflater} ${inflate.toFixed(2)} s, ${digester} dgst -sha1 ${digest.toFixed(2)} s of CPU for ${megabytes(limits[0]?.contentBytes ?? 0)}`,
    `  index: inflating alone is ${share(inflate, ours.index)} % of what Loupe takes`,
    `  check: inflating and one digest of all bytes are ${share(inflate + digest, ours.check)} %`,
  ].join('\n')
}

/** Compares both indexes of the whole file by the positions at which they point. */
async function comparison(folder: string): Promise<{ text: string; isGood: boolean }> {
  const [ours, theirs] = await Promise.all(['ours', 'theirs'].map((name) => placesIn(join(folder, name))))
  if (!ours || !theirs) throw new Error('there are no indexes')
  const onlyOurs = [...ours.keys()].filter((place) => !theirs.has(place))
  const onlyTheirs = [...theirs].filter(([place]) => !ours.has(place)).map(([, url]) => url)
  // wget ends a file with records about itself under metadata://. Those of the type `metadata` are no captures, so Loupe lists them
  // only with `--records metadata`; warcio lists every record except those of `application/warc-fields`.
  const others = onlyTheirs.filter((url) => !url.startsWith('metadata://'))
  const text = `captures: Loupe ${ours.size}, warcio ${theirs.size}; the same place and length ${ours.size - onlyOurs.length}, only in Loupe's ${onlyOurs.length}, only in warcio's ${onlyTheirs.length} (${onlyTheirs.length - others.length} of them metadata:// records of wget about itself, which answer for no address)`
  return { text, isGood: onlyOurs.length === 0 && others.length === 0 }
}

/** The address at each `offset length` of an index. */
async function placesIn(path: string): Promise<Map<string, string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('!meta'))
  return new Map(
    lines.map((line) => {
      const { offset, length, url } = JSON.parse(line.slice(line.indexOf(' {"'))) as Record<string, string>
      return [`${offset} ${length}`, url ?? '']
    }),
  )
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) {
    console.error('npm run bench:formats -- [--runs N]')
    return 2
  }
  const [files, tools] = [await realFiles(console.log), await toolsHere()]
  const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-'))
  const bench = { files, folder, tools }
  try {
    console.log(`${megabytes(files.bytes)} of WARC by ${files.writer} in ${files.parts.length} files, and in one`)
    console.log(machineLine())
    const taken = contests(bench).map((contest) => ({ contest, ours: [] as Run[], theirs: [] as Run[] }))
    const limits: Limit[] = []
    for (let number = 1; number <= runs; number += 1) {
      for (const { contest, ours, theirs } of taken) {
        ours.push(await contest.ours())
        if (contest.theirs) theirs.push(await contest.theirs())
      }
      const limit = await limitRun(bench)
      if (limit) limits.push(limit)
      console.log(`run ${number} of ${runs} done; ${machineLine().split(', ').at(-1)}`)
    }
    for (const { contest, ...both } of taken) {
      console.log(`\n${report(contest, both)}`)
      printRatios(contest, both)
    }
    const [index, , check] = taken
    if (limits.length > 0 && index && check)
      console.log(`\n${limitReport(limits, tools, { index: index.ours, check: check.ours })}`)
    const { text, isGood } = await comparison(folder)
    console.log(`\n${text}`)
    return isGood ? 0 : 1
  } finally {
    await rm(folder, { recursive: true })
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
