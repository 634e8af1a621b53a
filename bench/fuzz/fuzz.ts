/** Feeds damaged inputs to the readers of archive files, on all cores (`npm run fuzz -- [--runs N] [--seed S]`). No input may crash
 *  them, block them, exhaust the memory or produce wrong results (`probe.ts`). An input that does is written to `.cache/fuzz`; `npm
 *  run fuzz -- --file PATH` repeats it, and `--seed S --input N` generates it again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { realWorld } from '../../src-main/world/real.ts'
import { machineLine } from '../measure.ts'
import { Dice } from './dice.ts'
import type { FuzzInputs, FuzzMessage } from './fuzz.thread.ts'
import { mutated } from './mutate.ts'
import { heldBytesMax, probeAll } from './probe.ts'
import { bombs, seedFiles } from './seeds.ts'

const folder = join(import.meta.dirname, '../../.cache/fuzz')
/** After this many failures the run stops, since the same faults are found repeatedly. */
const failedMax = 40
/** Limit of wall time. An input that exceeds it is considered endless, even on a busy machine, and its thread is terminated. */
const hangMsMax = 30_000
/** Heap of one thread. Exceeding it ends the thread and counts as a failure. */
const heapMegabytesMax = 512
const threads = availableParallelism()
const { clock } = realWorld()

/** Probes `runs` inputs of a seed; returns the exit code. */
async function fuzz(seed: number, runs: number): Promise<number> {
  console.log(`seed ${seed}, ${runs} inputs on ${threads} threads; ${machineLine()}`)
  const startMs = performance.now()
  const failed: number[] = []
  const states = Array.from({ length: threads }, () => new Float64Array(new SharedArrayBuffer(24)))
  const inputs = { seeds: await seedFiles(), bombs: bombs() }
  const onFailed = (number: number, text: string) => {
    failed.push(number)
    const path = join(folder, `${seed}-${number}.bin`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, mutated(new Dice(seed, number), inputs.seeds, inputs.bombs))
    console.log(`input ${number}: ${text}\n  again: npm run fuzz -- --file ${path}`)
    if (failed.length >= failedMax) throw new Error(`stopped after ${failedMax} failed inputs`)
  }
  const progress = setInterval(() => {
    const done = states.reduce((sum, [number = 0], first) => sum + Math.max(0, number - first) / threads, 0)
    console.log(`${Math.round(done)} inputs, ${failed.length} failed`)
  }, progressMs)
  try {
    await Promise.all(states.map((at, first) => fuzzFrom({ seed, first, step: threads, end: runs, at }, onFailed)))
  } finally {
    clearInterval(progress)
  }
  const seconds = (performance.now() - startMs) / 1000
  const held = Math.max(...states.map(([, , bytes = 0]) => bytes))
  console.log(
    `${runs} inputs in ${seconds.toFixed(0)} s, ${(runs / seconds).toFixed(0)} a second; ${failed.length} failed`,
  )
  console.log(
    `at most ${megabytes(held)} held by a thread after an input, including garbage; limit without garbage: ${megabytes(heldBytesMax)}`,
  )
  return failed.length > 0 ? 1 : 0
}

/** Interval of progress lines. */
const progressMs = 10_000

/** Runs one thread after another: when an input ends a thread, the next thread continues after it. */
async function fuzzFrom(given: FuzzInputs, onFailed: (number: number, text: string) => void): Promise<void> {
  for (let first = given.first; first < given.end;) {
    const death = await threadEnd({ ...given, first }, onFailed)
    if (death === undefined) return
    const [number = first] = given.at
    onFailed(number, death)
    first = number + given.step
  }
}

/** Runs one thread. Returns why it ended early; undefined when it processed all inputs. */
function threadEnd(given: FuzzInputs, onFailed: (number: number, text: string) => void): Promise<string | undefined> {
  given.at[0] = given.first
  given.at[1] = Infinity
  const worker = new Worker(new URL('./fuzz.thread.ts', import.meta.url), {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  })
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      if (clock.elapsed() - (given.at[1] ?? Infinity) < hangMsMax) return
      resolve(`it did not end within ${hangMsMax} ms`)
      void worker.terminate()
    }, 1_000)
    worker.on('message', (message: FuzzMessage) => {
      if (message.kind === 'ended') return resolve(undefined)
      try {
        onFailed(message.number, message.text)
      } catch (error) {
        reject(error)
      }
    })
    worker.on('error', (error) => resolve(`its thread ended: ${error instanceof Error ? error.stack : String(error)}`))
    worker.on('exit', (code) => {
      clearInterval(watch)
      resolve(`its thread ended with ${code}`)
    })
  })
}

/** Probes a single input with everything. */
async function again(input: Buffer, number: number): Promise<number> {
  const startMs = performance.now()
  // Windows and turns depend on the number; sixteen consecutive ones cover all kinds.
  for (let turn = 0; turn < 16; turn++) await probeAll(input, number + turn)
  console.log(`${input.length} bytes, nothing is wrong; ${((performance.now() - startMs) / 16).toFixed(1)} ms`)
  return 0
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { runs: text, seed: text, input: text, file: text } })
  const [seed, runs] = [Number(values.seed ?? 1), Number(values.runs ?? 100_000)]
  if (values.file !== undefined) {
    return again(readFileSync(values.file), Number(/-(\d+)\.bin$/.exec(basename(values.file))?.[1] ?? 0))
  }
  if (values.input !== undefined) {
    const number = Number(values.input)
    return again(mutated(new Dice(seed, number), await seedFiles(), bombs()), number)
  }
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1) {
    console.error('npm run fuzz -- [--runs N] [--seed S]  |  --seed S --input N  |  --file PATH')
    return 2
  }
  return fuzz(seed, runs)
}

process.exitCode = await main()
// Also ends threads that are no longer needed after too many failures.
process.exit()
