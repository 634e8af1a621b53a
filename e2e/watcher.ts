/** Watches one run of tests, as a separate process started by `testRun.ts`. Ends with SIGKILL the programs of every test process
 *  that ended or was killed, and all programs when the run is over; then removes the run's temporary folder. */
import { rmSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, ownedProcesses } from './ownedProcesses.ts'

const [, , run = '', folder = ''] = process.argv
const checkEveryMs = 500

let isOver = false
process.stdin.on('close', () => (isOver = true)).resume()

for (;;) {
  const owned = ownedProcesses(run)
  if (isOver && owned.length === 0) break
  for (const { pid, owner } of owned) if (isOver || !isRunning(owner)) end(pid)
  await sleep(checkEveryMs)
}
rmSync(folder, { recursive: true, force: true })

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
