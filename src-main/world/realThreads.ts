/** A pool of worker threads, made on demand and kept while they are useful. A task's module is loaded inside the worker. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Threads } from './world.ts'

/** One worker a core, and never fewer than two, so that a long check does not hold up a short one on a small machine. */
const workersMax = Math.max(2, availableParallelism())

export type ToWorker = { kind: 'run'; module: string; input: unknown } | { kind: 'abort' }
export type FromWorker =
  | { kind: 'report'; report: unknown }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; error: unknown }

interface Turn {
  start(worker: Worker): void
}

const idle: Worker[] = []
const waiting: Turn[] = []
let workers = 0

export const realThreads: Threads = {
  run<Input, Output, Report>(
    module: URL,
    input: Input,
    { onReport, signal }: { onReport?: (report: Report) => void; signal?: AbortSignal } = {},
  ): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const turn: Turn = {
        start(worker) {
          if (signal?.aborted) {
            release(worker)
            return reject(signal.reason)
          }
          const onAbort = () => worker.postMessage({ kind: 'abort' } satisfies ToWorker)
          const settle = () => {
            signal?.removeEventListener('abort', onAbort)
            worker.off('message', onMessage).off('error', onDeath).off('exit', onDeath)
          }
          const onMessage = (message: FromWorker) => {
            if (message.kind === 'report') return onReport?.(message.report as Report)
            settle()
            release(worker)
            if (message.kind === 'done') resolve(message.output as Output)
            else reject(message.error)
          }
          const onDeath = (cause: unknown) => {
            settle()
            workers -= 1
            next()
            reject(cause instanceof Error ? cause : new Error(`a worker thread ended while running ${module}`))
          }
          worker.on('message', onMessage).on('error', onDeath).on('exit', onDeath)
          worker.ref()
          signal?.addEventListener('abort', onAbort, { once: true })
          worker.postMessage({ kind: 'run', module: moduleFor(module), input } satisfies ToWorker)
        },
      }
      waiting.push(turn)
      next()
    })
  },
}

function next(): void {
  if (waiting.length === 0) return
  const worker = idle.pop() ?? (workers < workersMax ? spawn() : undefined)
  if (worker) waiting.shift()?.start(worker)
}

function spawn(): Worker {
  workers += 1
  const worker = new Worker(new URL(moduleFor(new URL('./worker.thread.ts', import.meta.url))))
  worker.setMaxListeners(0)
  return worker
}

function release(worker: Worker): void {
  worker.unref() // an idle thread must not keep the process alive
  idle.push(worker)
  next()
}

/** In a checkout threads are TypeScript files beside their floor; in a bundle they lie as .js beside the engine. */
function moduleFor(module: URL): string {
  return import.meta.url.endsWith('.js') ? module.href.replace(/\.ts$/, '.js') : module.href
}
