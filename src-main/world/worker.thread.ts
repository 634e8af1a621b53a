/** Code of a worker of the pool: loads the task's module, runs it, reports the result. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerSetting } from './realThreads.ts'
import { realWorld } from './real.ts'
import { packThrown } from './thrown.ts'
import type { Task } from './world.ts'

const world = realWorld()
const takePrinted = (workerData as WorkerSetting).keepsPrinted ? keptPrinted() : () => ''
/** The task that runs now. */
let running: { turn: number; stop: AbortController } | undefined

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'run') void run(message)
  else if (running?.turn === message.turn) running.stop.abort()
})

/** Runs a task and sends its result, or the error that it threw. */
async function run({ turn, module, input }: ToWorker & { kind: 'run' }): Promise<void> {
  const send = (message: FromWorker) => parentPort?.postMessage(message)
  const stop = new AbortController()
  running = { turn, stop }
  try {
    const { task } = (await import(module)) as { task: Task<unknown, unknown, unknown> }
    const report = (progress: unknown) => send({ kind: 'report', turn, report: progress })
    const output = await task({ world, report, signal: stop.signal, takePrinted }, input)
    send({ kind: 'done', turn, output })
  } catch (error) {
    send({ kind: 'failed', turn, thrown: packThrown(error) })
  }
}

/** Printed characters kept between two calls: enough to find an error. */
const printedCharactersMax = 65_536

/** Replaces this thread's standard output and standard error, since those of the process are used by others. Returns a
 *  function that takes the printed text. */
function keptPrinted(): () => string {
  let kept = ''
  const write: typeof process.stdout.write = (text: string | Uint8Array, ...more: unknown[]) => {
    const room = printedCharactersMax - kept.length
    if (room > 0) kept += (typeof text === 'string' ? text : Buffer.from(text).toString()).slice(0, room)
    for (const done of more) if (typeof done === 'function') process.nextTick(done)
    return true
  }
  process.stdout.write = write
  process.stderr.write = write
  return () => {
    const taken = kept
    kept = ''
    return taken
  }
}
