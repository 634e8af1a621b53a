/** What runs inside a worker of the pool: loads the task's module, runs it, says how it ended. */
import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './realThreads.ts'
import { realWorld } from './real.ts'
import { packThrown } from './thrown.ts'
import type { Task } from './world.ts'

const world = realWorld()
let running: { turn: number; stop: AbortController } | undefined

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'run') void run(message)
  else if (running?.turn === message.turn) running.stop.abort()
})

async function run({ turn, module, input }: ToWorker & { kind: 'run' }): Promise<void> {
  const say = (message: FromWorker) => parentPort?.postMessage(message)
  const stop = new AbortController()
  running = { turn, stop }
  try {
    const { task } = (await import(module)) as { task: Task<unknown, unknown, unknown> }
    const report = (report: unknown) => say({ kind: 'report', turn, report })
    const output = await task({ world, report, signal: stop.signal }, input)
    say({ kind: 'done', turn, output })
  } catch (error) {
    say({ kind: 'failed', turn, thrown: packThrown(error) })
  }
}
