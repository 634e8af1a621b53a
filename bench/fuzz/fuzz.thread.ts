/** Probes every `step`th input in one thread. The number of the current input is in shared memory, so that the main thread can name
 *  an input that does not end. */
import { parentPort, workerData } from 'node:worker_threads'
import { realWorld } from '../../src-main/world/real.ts'
import { mutated } from './mutate.ts'
import { Dice } from './dice.ts'
import { heldBytes, probe } from './probe.ts'
import { bombs, seedFiles } from './seeds.ts'

/** The inputs of one thread, and the memory that it shares with the main thread. */
export interface FuzzInputs {
  seed: number
  /** Numbers of the inputs: from `first`, every `step`th, up to but excluding `end`. */
  first: number
  step: number
  end: number
  /** The number of the current input, its starting time (by the monotonic clock, which all threads share), and the largest memory
   *  that was held after an input. */
  at: Float64Array
}

/** A message of the thread: an input that failed, or the end of all inputs. */
export type FuzzMessage = { kind: 'failed'; number: number; text: string } | { kind: 'ended' }

/** The limit of CPU time for one input, which holds also for inputs that decompress to megabytes. */
export const inputMsMax = 1_000

const { seed, first, step, end, at } = workerData as FuzzInputs
const { clock } = realWorld()
const post = (message: FuzzMessage) => parentPort?.postMessage(message)
const [seeds, bombFiles] = [await seedFiles(), bombs()]

for (let number = first; number < end; number += step) {
  const input = mutated(new Dice(seed, number), seeds, bombFiles)
  try {
    const tookMs = await timed(input, number)
    // A second attempt, since the first may include garbage collection caused by earlier inputs.
    if (tookMs > inputMsMax && (await timed(input, number)) > inputMsMax)
      post({ kind: 'failed', number, text: `it took ${Math.round(tookMs)} ms of CPU time` })
  } catch (error) {
    post({ kind: 'failed', number, text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  at[2] = Math.max(at[2] ?? 0, heldBytes())
}
post({ kind: 'ended' })

/** CPU time of this thread for one input, in milliseconds. Wall time would depend on the load of the machine. */
async function timed(input: Buffer, number: number): Promise<number> {
  at[0] = number
  at[1] = clock.elapsed()
  const { user, system } = process.threadCpuUsage()
  await probe(input, number)
  const end = process.threadCpuUsage()
  return (end.user + end.system - user - system) / 1000
}
