/** A pool of worker threads, made on demand and kept while they are useful, and threads of their own outside the pool. A task's
 *  module is loaded inside the worker. */
import { availableParallelism } from 'node:os'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { unpackThrown, type Thrown } from './thrown.ts'
import type { OwnThread, OwnThreadLimits, RunOptions, Threads } from './world.ts'

/** One worker a core, and never fewer than two, so that a long check does not hold up a short one on a small machine. */
const workersMax = Math.max(2, availableParallelism())

/** Of what a thread has just made, most of which is thrown away at once: V8 would let it grow to 128 MB in each of them. */
const youngMegabytesMax = 48

/** A task that has not ended this long after it was told to stop loses its thread: it would hold up the others for ever. */
const workerStopMsMax = 10_000

/** Turns are numbered because a word about the last one may still be under way when the next has begun. */
export type ToWorker = { kind: 'run'; turn: number; module: string; input: unknown } | { kind: 'abort'; turn: number }
export type FromWorker = { turn: number } & (
  | { kind: 'report'; report: unknown }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; thrown: Thrown }
)

/** What a worker knows from its start. */
export interface WorkerSetting {
  keepsPrinted: boolean
}

interface Job {
  module: string
  input: unknown
  report(report: unknown): void
  done(output: unknown): void
  failed(error: unknown): void
}

/** Whose a worker is: the pool's, that of one lasting task, or one reserved by a caller for its own tasks. */
type Owner = 'pool' | 'lasting' | 'own'

interface Seat {
  worker: Worker
  owner: Owner
  stopMsMax: number
  turn: number
  job: Job | undefined
  /** An own thread that went down between two tasks: the next one hears of it. */
  death: unknown
}

const seats = new Set<Seat>()
/** Jobs without a seat, the oldest first. */
const waiting = new Set<Job>()

export const realThreads: Threads = {
  count: workersMax,
  run(module, input, { lasting = false, ...options } = {}) {
    return ended(module, input, options, (job) => {
      if (lasting) return begin(newSeat('lasting'), job)
      waiting.add(job)
      next()
    })
  },
  own(limits) {
    return ownThread(limits)
  },
}

function ownThread({ heapBytesMax, stopMsMax }: OwnThreadLimits): OwnThread {
  const seat = newSeat('own', { maxOldGenerationSizeMb: Math.ceil(heapBytesMax / 2 ** 20) }, stopMsMax)
  return {
    get ended() {
      return !seats.has(seat)
    },
    run(module, input, options = {}) {
      return ended(module, input, options, (job) => {
        if (!seats.has(seat)) return job.failed(seat.death ?? new Error('this thread has ended'))
        if (seat.job) throw new Error('a thread of its own does one task at a time')
        begin(seat, job)
      })
    },
    close() {
      seats.delete(seat)
      void seat.worker.terminate()
    },
  }
}

/** How the task ended; `give` finds it a seat. */
function ended<Input, Output, Report>(
  module: URL,
  input: Input,
  { onReport, signal }: RunOptions<Report>,
  give: (job: Job) => void,
): Promise<Output> {
  return new Promise<Output>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let killer: NodeJS.Timeout | undefined
    const onAbort = () => {
      if (waiting.delete(job)) return job.failed(signal?.reason)
      killer = askToStop(job)
    }
    const settle = () => {
      clearTimeout(killer)
      signal?.removeEventListener('abort', onAbort)
    }
    const job: Job = {
      module: moduleFor(module),
      input,
      report: (report) => onReport?.(report as Report),
      done(output) {
        settle()
        resolve(output as Output)
      },
      failed(error) {
        settle()
        reject(signal?.aborted ? signal.reason : error)
      },
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    give(job)
  })
}

function next(): void {
  for (const job of waiting) {
    const seat = seatInPool()
    if (!seat) return
    waiting.delete(job)
    begin(seat, job)
  }
}

function seatInPool(): Seat | undefined {
  const pool = [...seats].filter(({ owner }) => owner === 'pool')
  return pool.find((seat) => !seat.job) ?? (pool.length < workersMax ? newSeat('pool') : undefined)
}

function begin(seat: Seat, job: Job): void {
  const turn = seat.turn + 1
  try {
    seat.worker.postMessage({ kind: 'run', turn, module: job.module, input: job.input } satisfies ToWorker)
  } catch (error) {
    // The input cannot be cloned: the seat is as free as before.
    return job.failed(error)
  }
  seat.turn = turn
  seat.job = job
  seat.worker.ref()
}

function askToStop(job: Job): NodeJS.Timeout | undefined {
  const seat = [...seats].find((seat) => seat.job === job)
  if (!seat) return undefined
  seat.worker.postMessage({ kind: 'abort', turn: seat.turn } satisfies ToWorker)
  return setTimeout(() => void seat.worker.terminate(), seat.stopMsMax)
}

function newSeat(owner: Owner, resourceLimits?: ResourceLimits, stopMsMax = workerStopMsMax): Seat {
  const workerData: WorkerSetting = { keepsPrinted: owner === 'own' }
  const options = { workerData, resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax, ...resourceLimits } }
  const worker = new Worker(new URL(moduleFor(new URL('./worker.thread.ts', import.meta.url))), options)
  const seat: Seat = { worker, owner, stopMsMax, turn: 0, job: undefined, death: undefined }
  seats.add(seat)
  if (owner === 'own') worker.unref()
  worker.on('message', (message: FromWorker) => {
    const { job } = seat
    if (!job || message.turn !== seat.turn) return
    if (message.kind === 'report') return job.report(message.report)
    seat.job = undefined
    worker.unref() // an idle thread must not keep the process alive
    if (owner === 'lasting') void worker.terminate()
    if (message.kind === 'done') job.done(message.output)
    else job.failed(unpackThrown(message.thrown))
    next()
  })
  worker.on('error', (error) => {
    // A rejection that no task awaited would otherwise be lost.
    if (!seat.job && owner !== 'own') throw error
    seat.death = error
  })
  worker.on('exit', (exitCode) => {
    seats.delete(seat)
    const death =
      seat.death ?? new Error(`a worker thread ended with code ${exitCode} while running ${seat.job?.module}`)
    seat.job?.failed(death)
    next()
  })
  return seat
}

/** In a checkout, threads are TypeScript files next to the file that starts them; in a build, .js files next to the engine. */
function moduleFor(module: URL): string {
  return import.meta.url.endsWith('.js') ? module.href.replace(/\.ts$/, '.js') : module.href
}
