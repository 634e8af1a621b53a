/** Runs one command line after another in one thread, for `loupeHere` of `loupeProcess.ts`. Each does what it does in a process of
 *  its own, except for the start and the end of the process. */
import { parentPort } from 'node:worker_threads'
import { runCommandLine } from '../src-main/shells/cli/program.ts'

let printed = { stdout: '', stderr: '' }
for (const where of ['stdout', 'stderr'] as const)
  process[where].write = (text: string | Uint8Array, ...more: unknown[]) => {
    printed[where] += typeof text === 'string' ? text : Buffer.from(text).toString()
    for (const done of more) if (typeof done === 'function') process.nextTick(done)
    return true
  }

parentPort?.on('message', (words: string[]) => {
  printed = { stdout: '', stderr: '' }
  process.exitCode = 0
  void runCommandLine(words).then(() => {
    parentPort?.postMessage({ code: process.exitCode, ...printed })
    // Each run installs its own listeners, as it takes the process to be its own.
    process.removeAllListeners('uncaughtException')
    process.stdout.removeAllListeners('error')
  })
})
