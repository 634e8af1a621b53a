/** A pool of worker threads, created on demand and ended when they were not needed for a while, and separate threads outside the pool. A
 *  task's module is loaded inside the worker. Why no package does this: docs/decisions/few-packages.md. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { unpackThrown, type Thrown } from './thrown.ts'
import type { OwnThread, OwnThreadLimits, RunOptions, Threads } from './world.ts'

/** Workers of the pool: one per core, and at least two, so that a long check does not delay a short one on a small
 *  machine. */
const workersMax = Math.max(2, availableParallelism())

/** Size of V8's young generation. Most new objects are discarded at once; by default V8 would let it grow to 128 MB in each
 *  thread. */
const youngMegabytesMax = 16

/** Flag of V8: heaps of threads begin at V8's own size. The process may have been started with a larger one for the pages that it serves
 *  (`shells/launch/heap.ts`), and every thread would collect its garbage as late: a harvest of 3,000 pages took 75 MB more. */
const usualHeap = '--initial-old-space-size=0'

/** Time without a task after which a worker of the pool ends. It takes up to 40 MB, and starting a new one takes a tenth of a second, which
 *  someone who reads archived pages should not wait for at each of them. */
const idleMsMax = 60_000

/** Time in which a task has to end after it was asked to stop; then its thread is terminated, since it would block
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

/** A task, and what is called with its reports and its end. Either `done` or `failed` is called, once. */
interface Job {
  module: string
  input: unknown
  report(report: unknown): void
  done(output: unknown): void
  failed(error: unknown): void
}

/** Owner of a worker: the pool, one lasting task, or a caller that reserved it for its own tasks. */
type Owner = 'pool' | 'lasting' | 'own'

/** A worker thread. `turn` counts its tasks; `job` is the one that it runs. */
interface WorkerSlot {
  worker: Worker
  owner: Owner
  stopMsMax: number
  turn: number
  job: Job | undefined
  /** The error that ended an own thread between two tasks: the next task rejects with it. */
  endedBy: unknown
  /** Ends a worker of the pool that has no task. */
  idleTimer: NodeJS.Timeout | undefined
}

const slots = new Set<WorkerSlot>()
/** Jobs without a worker, oldest first. */
const waiting = new Set<Job>()

/** The threads of this process. */
export const realThreads: Threads = {
  count: workersMax,
  run(module, input, { lasting = false, ...options } = {}) {
    return ended(module, input, options, (job) => {
      if (lasting) return begin(newSlot('lasting'), job)
      waiting.add(job)
      next()
    })
  },
  own(limits) {
    return ownThread(limits)
  },
}

function ownThread({ heapBytesMax, stopMsMax }: OwnThreadLimits): OwnThread {
  const slot = newSlot('own', { maxOldGenerationSizeMb: Math.ceil(heapBytesMax / 2 ** 20) }, stopMsMax)
  return {
    get ended() {
      return !slots.has(slot)
    },
    run(module, input, options = {}) {
      return ended(module, input, options, (job) => {
        if (!slots.has(slot)) return job.failed(slot.endedBy ?? new Error('this thread has ended'))
        if (slot.job) throw new Error('a thread of its own does one task at a time')
        begin(slot, job)
      })
    },
    close() {
      slots.delete(slot)
      void slot.worker.terminate()
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
    let stopTimer: NodeJS.Timeout | undefined
    const onAbort = () => {
      if (waiting.delete(job)) return job.failed(signal?.reason)
      stopTimer = askToStop(job)
    }
    const settle = () => {
      clearTimeout(stopTimer)
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

/** Gives waiting jobs to free workers of the pool, oldest first. */
function next(): void {
  for (const job of waiting) {
    const slot = slotInPool()
    if (!slot) return
    waiting.delete(job)
    begin(slot, job)
  }
}

/** Returns a free worker of the pool, which may be a new one; undefined when all are busy. */
function slotInPool(): WorkerSlot | undefined {
  const pool = [...slots].filter(({ owner }) => owner === 'pool')
  return pool.find((slot) => !slot.job) ?? (pool.length < workersMax ? newSlot('pool') : undefined)
}

/** Sends a job to a free worker. Fails the job when its input cannot be cloned. */
function begin(slot: WorkerSlot, job: Job): void {
  const turn = slot.turn + 1
  try {
    slot.worker.postMessage({ kind: 'run', turn, module: job.module, input: job.input } satisfies ToWorker)
  } catch (error) {
    // The input cannot be cloned: the worker stays free.
    return job.failed(error)
  }
  clearTimeout(slot.idleTimer)
  slot.turn = turn
  slot.job = job
  slot.worker.ref()
}

/** Asks the worker of a job to stop. Returns the timer that terminates it otherwise. */
function askToStop(job: Job): NodeJS.Timeout | undefined {
  const slot = [...slots].find((slot) => slot.job === job)
  if (!slot) return undefined
  slot.worker.postMessage({ kind: 'abort', turn: slot.turn } satisfies ToWorker)
  return setTimeout(() => void slot.worker.terminate(), slot.stopMsMax)
}

/** Starts a worker thread and connects its messages to the job that it runs. */
function newSlot(owner: Owner, resourceLimits?: ResourceLimits, stopMsMax = workerStopMsMax): WorkerSlot {
  const workerData: WorkerSetting = { keepsPrinted: owner === 'own' }
  const options = { workerData, resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax, ...resourceLimits } }
  setFlagsFromString(usualHeap)
  const worker = new Worker(new URL(moduleFor(new URL('./worker.thread.ts', import.meta.url))), options)
  const slot: WorkerSlot = {
    worker,
    owner,
    stopMsMax,
    turn: 0,
    job: undefined,
    endedBy: undefined,
    idleTimer: undefined,
  }
  slots.add(slot)
  if (owner === 'own') worker.unref()
  worker.on('message', (message: FromWorker) => {
    const { job } = slot
    if (!job || message.turn !== slot.turn) return
    if (message.kind === 'report') return job.report(message.report)
    slot.job = undefined
    worker.unref() // an idle thread must not keep the process alive
    if (owner === 'lasting') void worker.terminate()
    if (message.kind === 'done') job.done(message.output)
    else job.failed(unpackThrown(message.thrown))
    next()
    if (owner === 'pool' && !slot.job) endWhenIdle(slot)
  })
  worker.on('error', (error) => {
    // An unhandled rejection outside a task would otherwise be lost.
    if (!slot.job && owner !== 'own') throw error
    slot.endedBy = error
  })
  worker.on('exit', (exitCode) => {
    slots.delete(slot)
    const reason =
      slot.endedBy ?? new Error(`a worker thread ended with code ${exitCode} while running ${slot.job?.module}`)
    slot.job?.failed(reason)
    next()
  })
  return slot
}

/** Ends a worker of the pool unless it gets a task in time. */
function endWhenIdle(slot: WorkerSlot): void {
  slot.idleTimer = setTimeout(() => {
    slots.delete(slot)
    void slot.worker.terminate()
  }, idleMsMax).unref()
}

/** Returns the address of a thread's module. In a checkout, threads are TypeScript files next to the file that starts them;
 *  in a build, .js files next to the engine. */
function moduleFor(module: URL): string {
  return import.meta.url.endsWith('.js') ? module.href.replace(/\.ts$/, '.js') : module.href
}
