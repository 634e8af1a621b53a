/** Every so-manieth input, one behind the other. Which one it is at stands in memory that the main thread sees too, so that
 *  an input that never ends can be named. */
import { parentPort, workerData } from 'node:worker_threads'
import { realWorld } from '../../src-main/world/real.ts'
import { mutated } from './mutate.ts'
import { Dice } from './dice.ts'
import { heldBytes, probe } from './probe.ts'
import { bombs, seedFiles } from './seeds.ts'

export interface FuzzGiven {
  seed: number
  /** Numbers of inputs: from `first`, every `step`th, up to but without `end`. */
  first: number
  step: number
  end: number
  /** The number of the input, and when it was begun (by the monotonic clock, which all threads share); the largest memory held
   *  behind one. */
  at: Float64Array
}

export type FuzzSaid = { kind: 'failed'; number: number; text: string } | { kind: 'ended' }

/** Of processor. No input takes longer, those that unpack to megabytes neither. */
export const inputMsMax = 1_000

const { seed, first, step, end, at } = workerData as FuzzGiven
const { clock } = realWorld()
const say = (said: FuzzSaid) => parentPort?.postMessage(said)
const [seeds, bombFiles] = [await seedFiles(), bombs()]

for (let number = first; number < end; number += step) {
  const input = mutated(new Dice(seed, number), seeds, bombFiles)
  try {
    const tookMs = await timed(input, number)
    // Whatever the collector of garbage had to do before is not this input's doing.
    if (tookMs > inputMsMax && (await timed(input, number)) > inputMsMax)
      say({ kind: 'failed', number, text: `it took ${Math.round(tookMs)} ms of processor` })
  } catch (error) {
    say({ kind: 'failed', number, text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  at[2] = Math.max(at[2] ?? 0, heldBytes())
}
say({ kind: 'ended' })

/** Of this thread alone: on a busy machine anything may take long by the clock. */
async function timed(input: Buffer, number: number): Promise<number> {
  at[0] = number
  at[1] = clock.elapsed()
  const { user, system } = process.threadCpuUsage()
  await probe(input, number)
  const end = process.threadCpuUsage()
  return (end.user + end.system - user - system) / 1000
}
