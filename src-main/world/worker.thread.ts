/** What runs inside a worker of the pool: loads the task's module, runs it, says how it ended. */
import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './realThreads.ts'
import { realWorld } from './real.ts'
import type { Task } from './world.ts'

const world = realWorld()
let stop = new AbortController()

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'abort') stop.abort()
  else void run(message.module, message.input)
})

async function run(module: string, input: unknown): Promise<void> {
  const say = (message: FromWorker) => parentPort?.postMessage(message)
  stop = new AbortController()
  try {
    const { task } = (await import(module)) as { task: Task<unknown, unknown, unknown> }
    say({ kind: 'done', output: await task({ world, report: (report) => say({ kind: 'report', report }), signal: stop.signal }, input) })
  } catch (error) {
    say({ kind: 'failed', error })
  }
}
