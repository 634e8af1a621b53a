/** Before the first and after the last test of a run, of vitest and of Playwright: temporary folders lie in memory where there is room,
 *  and a watcher ends every program that a test left running, also when the test or the whole run was killed. Sets the seed of the
 *  sample that this run covers (`src-main/world/testing/sample.ts`). */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ownerVariable, runVariable } from './ownedProcesses.ts'

const memoryFolder = '/dev/shm'
/** The largest tests write about a tenth of it. Memory that other programs need is not taken. */
const memoryBytesMin = 4 * 1024 ** 3

export default function beginTestRun(): void {
  const folder = mkdtempSync(join(temporaryFolder(), 'loupe-run-'))
  process.env['TMPDIR'] = folder
  process.env['LOUPE_SAMPLE'] ??= seedOfCommit()
  console.log(`Sample ${process.env['LOUPE_SAMPLE']}; LOUPE_SAMPLE=${process.env['LOUPE_SAMPLE']} repeats it.`)
  // On Windows the system ends the programs that a process started together with it.
  if (process.platform === 'win32') return
  const run = `${process.pid}-${Date.now()}`
  // Standard input of the watcher ends when this process does, however it ends.
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

/** Where there is no repository, as in an archive of the sources: always the same. */
function seedOfCommit(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return String(Number.parseInt(commit.slice(0, 8), 16))
  } catch {
    return '1'
  }
}
