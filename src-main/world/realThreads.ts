/** A pool of worker threads, made on demand and kept while they are useful. A task's module is loaded inside the worker. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { unpackThrown, type Thrown } from './thrown.ts'
import type { Threads } from './world.ts'

/** One worker a core, and never fewer than two, so that a long check does not hold up a short one on a small machine. */
const workersMax = Math.max(2, availableParallelism())

/** A task that has not ended this long after it was told to stop loses its thread: it would hold up the others for ever. */
const stopMsMax = 10_000

/** Turns are numbered because a word about the last one may still be under way when the next has begun. */
export type ToWorker = { kind: 'run'; turn: number; module: string; input: unknown } | { kind: 'abort'; turn: number }
export type FromWorker = { turn: number } & (
  { kind: 'report'; report: unknown } | { kind: 'done'; output: unknown } | { kind: 'failed'; thrown: Thrown }
)

interface Job {
  module: string
  input: unknown
  /** Has a worker of its own beside the pool. */
  lasting: boolean
  report(report: unknown): void
  done(output: unknown): void
  failed(error: unknown): void
}

interface Seat {
  worker: Worker
  lasting: boolean
  turn: number
  job: Job | undefined
}

const seats = new Set<Seat>()
/** Jobs without a seat, the oldest first. */
const waiting = new Set<Job>()

export const realThreads: Threads = {
  run<Input, Output, Report>(
    module: URL,
    input: Input,
    {
      onReport,
      signal,
      lasting = false,
    }: { onReport?: (report: Report) => void; signal?: AbortSignal; lasting?: boolean } = {},
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
        lasting,
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
      waiting.add(job)
      next()
    })
  },
}

function next(): void {
  for (const job of waiting) {
    const seat = job.lasting ? newSeat(true) : seatInPool()
    if (!seat) continue
    waiting.delete(job)
    begin(seat, job)
  }
}

function seatInPool(): Seat | undefined {
  const pool = [...seats].filter(({ lasting }) => !lasting)
  return pool.find((seat) => !seat.job) ?? (pool.length < workersMax ? newSeat(false) : undefined)
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
  return setTimeout(() => void seat.worker.terminate(), stopMsMax)
}

function newSeat(lasting: boolean): Seat {
  const worker = new Worker(new URL(moduleFor(new URL('./worker.thread.ts', import.meta.url))))
  const seat: Seat = { worker, lasting, turn: 0, job: undefined }
  seats.add(seat)
  let death: unknown
  worker.on('message', (message: FromWorker) => {
    const { job } = seat
    if (!job || message.turn !== seat.turn) return
    if (message.kind === 'report') return job.report(message.report)
    seat.job = undefined
    worker.unref() // an idle thread must not keep the process alive
    if (lasting) void worker.terminate()
    if (message.kind === 'done') job.done(message.output)
    else job.failed(unpackThrown(message.thrown))
    next()
  })
  worker.on('error', (error) => {
    // Something that no task awaited: nobody else would hear of it.
    if (!seat.job) throw error
    death = error
  })
  worker.on('exit', (exitCode) => {
    seats.delete(seat)
    seat.job?.failed(death ?? new Error(`a worker thread ended with code ${exitCode} while running ${seat.job.module}`))
    next()
  })
  return seat
}

/** In a checkout threads are TypeScript files beside their floor; in a bundle they lie as .js beside the engine. */
function moduleFor(module: URL): string {
  return import.meta.url.endsWith('.js') ? module.href.replace(/\.ts$/, '.js') : module.href
}
