/** `npm run fuzz -- [--runs N] [--seed S]`: damaged inputs by the hundred thousand for what reads archive files, on all
 *  cores; nothing may crash it, hold it up, fill the memory or make it say what is not true (probe.ts). An input that does is
 *  written to `.cache/fuzz`, and `npm run fuzz -- --file PATH` meets it again; `--seed S --input N` makes it anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { realWorld } from '../../src-main/world/real.ts'
import { machineLine } from '../measure.ts'
import { Dice } from './dice.ts'
import type { FuzzGiven, FuzzSaid } from './fuzz.thread.ts'
import { mutated } from './mutate.ts'
import { heldBytesMax, probeAll } from './probe.ts'
import { bombs, seedFiles } from './seeds.ts'

const folder = join(import.meta.dirname, '../../.cache/fuzz')
/** Behind so many the same fault is met again and again. */
const failedMax = 40
/** By the clock. An input that takes so long will never end, also on a busy machine: its thread is ended. */
const hangMsMax = 30_000
/** Of one thread: what is more than this ends it, and is a fault like any other. */
const heapMbMax = 512
const threads = availableParallelism()
const { clock } = realWorld()

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
    if (failed.length >= failedMax) throw new Error(`${failedMax} inputs failed: that is enough to mend`)
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
    `at most ${megabytes(held)} held in a thread behind an input, garbage and all; bound while alive: ${megabytes(heldBytesMax)}`,
  )
  return failed.length > 0 ? 1 : 0
}

const progressMs = 10_000

/** One thread after another: where an input ends a thread, the next goes on behind it. */
async function fuzzFrom(given: FuzzGiven, onFailed: (number: number, text: string) => void): Promise<void> {
  for (let first = given.first; first < given.end;) {
    const death = await threadEnd({ ...given, first }, onFailed)
    if (death === undefined) return
    const [number = first] = given.at
    onFailed(number, death)
    first = number + given.step
  }
}

/** Undefined when all inputs were met; else what ended the thread. */
function threadEnd(given: FuzzGiven, onFailed: (number: number, text: string) => void): Promise<string | undefined> {
  given.at[0] = given.first
  given.at[1] = Infinity
  const worker = new Worker(new URL('./fuzz.thread.ts', import.meta.url), {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  })
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      if (clock.elapsed() - (given.at[1] ?? Infinity) < hangMsMax) return
      resolve(`it did not end within ${hangMsMax} ms`)
      void worker.terminate()
    }, 1_000)
    worker.on('message', (said: FuzzSaid) => {
      if (said.kind === 'ended') return resolve(undefined)
      try {
        onFailed(said.number, said.text)
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

/** Shows what becomes of one input, everything asked of it. */
async function again(input: Buffer, number: number): Promise<number> {
  const startMs = performance.now()
  // Windows and turns go by the number: of the next ones every kind is seen.
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
// Threads that are no longer needed, after too many faults, end with it.
process.exit()
