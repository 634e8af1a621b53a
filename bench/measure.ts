/** Measures a command: its time and the CPU time of its whole process tree. Node.js counts only itself, so bash's `time` is used,
 *  which waits for the tree. Also medians, and a line that describes the machine. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'

/** Cost and output of a command. */
export interface Measured {
  seconds: number
  /** User and system time together. */
  cpuSeconds: number
  /** Peak memory of the largest process of the tree; undefined where it could not be measured. */
  peakBytes: number | undefined
  stdout: string
  stderr: string
}

/** Runs a command. `time` is the path of GNU time, which reports peak memory. Rejects when the exit code is not in `good`. */
export async function measured(
  command: string[],
  { cwd, good, time }: { cwd: string; good: number[]; time?: string | undefined },
): Promise<Measured> {
  const peakFile = join(tmpdir(), `loupe-peak-${randomUUID()}`)
  const words = time === undefined ? command : [time, '-q', '-f', '%M', '-o', peakFile, ...command]
  const script = `TIMEFORMAT='%R %U %S'; { time "$@" 2>&4; } 2>&3`
  const child = spawn('bash', ['-c', script, 'bash', ...words], {
    cwd,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  const [stdout, times, stderr] = [1, 3, 4].map((at) => {
    const stream = child.stdio[at]
    let text = ''
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return () => text
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (!good.includes(code ?? -1)) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr?.() ?? ''}`)
  const [seconds = NaN, user = NaN, system = NaN] = (times?.() ?? '').trim().split(' ').map(Number)
  const peakBytes = time === undefined ? undefined : await numberIn(peakFile)
  return { seconds, cpuSeconds: user + system, peakBytes, stdout: stdout?.() ?? '', stderr: stderr?.() ?? '' }
}

/** Reads and removes the output of GNU time, which is in kilobytes. */
async function numberIn(file: string): Promise<number> {
  const text = await readFile(file, 'utf8')
  await rm(file)
  return Number(text) * 1024
}

/** CPU time of a process and its running children so far; undefined where the system does not report it (other than Linux). */
export async function cpuSecondsOf(pid: number | undefined): Promise<number | undefined> {
  const place = `/proc/${pid}`
  if (pid === undefined || !existsSync(place)) return undefined
  // proc(5): the name is in parentheses and may contain any character; user and system time are the 12th and 13th fields after it.
  const words = (await readFile(`${place}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  const children = (await readFile(`${place}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter((word) => word !== '')
  const below = await Promise.all(children.map((child) => cpuSecondsOf(Number(child))))
  return (
    (Number(words[11]) + Number(words[12])) / ticksOfSecond + below.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  )
}

/** Linux reports times to programs in hundredths of a second, independent of its own tick. */
const ticksOfSecond = 100

/** Median and range of some measurements. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** Median, minimum and maximum of the values; NaN when there are none. */
export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN }
}

/** The value below which `percent` of the values are; NaN when there are none. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)] ?? NaN
}

/** Peak memory of this process so far, in bytes (proc_pid_status(5)). */
export async function ownPeakBytes(): Promise<number> {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) * 1024
}

/** Describes the machine for a report: cores, processor, memory, system, version of Node.js and load. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  const load = loadavg()[0]?.toFixed(1) ?? '?'
  return `${availableParallelism()} × ${model}, ${memory}, ${type()} ${release()}, Node ${process.version}, load ${load}`
}

/** One comparison of Loupe with a peer in the same run. `npm run bench` prints all of them in one table. */
export interface Ratio {
  work: string
  peer: string
  /** Medians in `unit`. */
  theirs: number
  ours: number
  unit: string
  /** How many times better Loupe is: `ours / theirs` where higher values are better, otherwise `theirs / ours`. */
  ratio: number
  /** The ratio that must be reached, and the one that is aimed for; undefined where there is no goal. */
  least?: number | undefined
  aim?: number | undefined
}

/** Computes the ratio of two medians, rounded to two digits after the point. */
export function ratioOf(values: Omit<Ratio, 'ratio'>, better: 'higher' | 'lower'): Ratio {
  const { theirs, ours } = values
  const ratio = better === 'higher' ? ours / theirs : theirs / ours
  return { ...values, ratio: Math.round(ratio * 100) / 100 }
}

/** Prints a ratio as one line of JSON, which `npm run bench` collects from the output of each benchmark. */
export function printRatio(ratio: Ratio): void {
  console.log(JSON.stringify({ ratio }))
}
