/** A pool of worker threads, created on demand and kept while they are useful, and separate threads outside the pool. A
 *  task's module is loaded inside the worker. */
import { availableParallelism } from 'node:os'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { unpackThrown, type Thrown } from './thrown.ts'
import type { OwnThread, OwnThreadLimits, RunOptions, Threads } from './world.ts'

/** One worker per core, and at least two, so that a long check does not delay a short one on a small machine. */
const workersMax = Math.max(2, availableParallelism())

/** Size of V8's young generation. Most new objects are discarded at once; by default V8 would let it grow to 128 MB in each
 *  thread. */
const youngMegabytesMax = 48

/** Longest time that a task may take to end after it was asked to stop; then its thread is terminated, since it would block
 *  others forever. */
const workerStopMsMax = 10_000

/** Messages to a worker. Turns are numbered because a message about the last one may still be in transit when the next has
 *  begun. */
export type ToWorker = { kind: 'run'; turn: number; module: string; input: unknown } | { kind: 'abort'; turn: number }
/** Messages from a worker. */
export type FromWorker = { turn: number } & (
  | { kind: 'report'; report: unknown }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; thrown: Thrown }
)

/** Settings that a worker gets at its start. */
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

/** Owner of a worker: the pool, one lasting task, or a caller that reserved it for its own tasks. */
type Owner = 'pool' | 'lasting' | 'own'

interface Seat {
  worker: Worker
  owner: Owner
  stopMsMax: number
  turn: number
  job: Job | undefined
  /** The error that ended an own thread between two tasks: the next task rejects with it. */
  death: unknown
}

const seats = new Set<Seat>()
/** Jobs without a worker, oldest first. */
const waiting = new Set<Job>()

/** The threads of this process. */
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

/** Resolves or rejects when the task ends; `give` assigns it a worker. */
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
    // The input cannot be cloned: the worker stays free.
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
    // An unhandled rejection outside a task would otherwise be lost.
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

/** Returns the address of a thread's module. In a checkout, threads are TypeScript files next to the file that starts them;
 *  in a build, .js files next to the engine. */
function moduleFor(module: URL): string {
  return import.meta.url.endsWith('.js') ? module.href.replace(/\.ts$/, '.js') : module.href
}
