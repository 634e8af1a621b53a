/** Prepares a run of tests, of vitest and of Playwright: places temporary folders in memory where there is room, and starts a watcher
 *  that ends every program a test left running, also when the test or the whole run was killed. Prints which sample the run covers. */
import { spawn } from 'node:child_process'
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { chosenSample } from './chosenSample.ts'
import { ownerVariable, runVariable } from './ownedProcesses.ts'

const memoryFolder = '/dev/shm'
/** The memory that must be available: about ten times what the largest tests write, so that other programs keep theirs. */
const memoryBytesMin = 4 * 1024 ** 3

export default function beginTestRun(): void {
  console.log(`Sample ${chosenSample()}; LOUPE_SAMPLE=${chosenSample()} repeats it.`)
  // Windows has no folder in memory, and ends the programs that a process started together with it.
  if (process.platform === 'win32') return
  const folder = mkdtempSync(join(temporaryFolder(), 'loupe-run-'))
  process.env['TMPDIR'] = folder
  const run = `${process.pid}-${Date.now()}`
  // The watcher's standard input closes when this process ends, in whatever way.
  const watcher = spawn(process.execPath, [join(import.meta.dirname, 'watcher.ts'), run, folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  watcher.unref()
  process.env[runVariable] = run
  process.env[ownerVariable] = String(process.pid)
}

function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    if (Math.min(bavail * bsize, process.availableMemory()) >= memoryBytesMin) return memoryFolder
  } catch (error) {
    // Only Linux has this folder.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return tmpdir()
}
