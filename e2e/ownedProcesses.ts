/** Finds the programs that tests started, on Linux and macOS. They are identified by two environment variables, which child processes
 *  inherit: the run, and the test process that owns them. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Environment variable with the id of the run. */
export const runVariable = 'LOUPE_TEST_RUN'
/** Environment variable with the process id of the test process that owns a program. */
export const ownerVariable = 'LOUPE_TEST_OWNER'

export interface OwnedProcess {
  pid: number
  /** Process id of the test process that started it, directly or through another program. */
  owner: number
}

/** Marks the programs that this process starts from now on: they are ended when this process ends. */
export function ownChildren(): void {
  process.env[ownerVariable] = String(process.pid)
}

/** All running programs that belong to a run. */
export function ownedProcesses(run: string): OwnedProcess[] {
  return (process.platform === 'linux' ? linuxEnvironments() : otherEnvironments()).flatMap(({ pid, text }) => {
    if (variableIn(text, runVariable) !== run) return []
    return [{ pid, owner: Number(variableIn(text, ownerVariable)) }]
  })
}

/** Whether a process of this id exists and may be signalled by this user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false
    throw error
  }
}

function variableIn(environment: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\0 ])${name}=([^\\0 ]*)`).exec(environment)?.[1]
}

interface Environment {
  pid: number
  text: string
}

function linuxEnvironments(): Environment[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), text: readFileSync(`/proc/${pid}/environ`, 'latin1') }]
    } catch (error) {
      // It has ended in the meantime, or belongs to another user.
      if (error instanceof Error && 'syscall' in error) return []
      throw error
    }
  })
}

/** Reads the environments from `ps` on systems other than Linux. `-E` prints the environment after the command, for processes of the
 *  same user. */
function otherEnvironments(): Environment[] {
  const listed = execFileSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64e6 })
  return listed.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), text: line }))
}
