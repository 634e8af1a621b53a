/** What a command costs: its time, and the processor time of its whole process tree as the system counts it. Also medians,
 *  and the line that says on which machine. Node counts only itself, so bash's `time` is asked, which waits for the tree. */
import { spawn } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

export interface Measured {
  seconds: number
  /** User and system together. */
  cpuSeconds: number
  stdout: string
  stderr: string
}

/** Rejects when the command ends with another code than those of `good`. */
export async function measured(words: string[], { cwd, good }: { cwd: string; good: number[] }): Promise<Measured> {
  const script = `TIMEFORMAT='%R %U %S'; { time "$@" 2>&4; } 2>&3`
  const child = spawn('bash', ['-c', script, 'bash', ...words], {
    cwd,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  const [stdout, times, stderr] = [child.stdio[1], child.stdio[3], child.stdio[4]].map((stream) => {
    let text = ''
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return () => text
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (!good.includes(code ?? -1)) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr?.() ?? ''}`)
  const [seconds = NaN, user = NaN, system = NaN] = (times?.() ?? '').trim().split(' ').map(Number)
  return { seconds, cpuSeconds: user + system, stdout: stdout?.() ?? '', stderr: stderr?.() ?? '' }
}

export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN }
}

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  const load = loadavg()[0]?.toFixed(1) ?? '?'
  return `${availableParallelism()} × ${model}, ${memory}, ${type()} ${release()}, Node ${process.version}, load ${load}`
}
