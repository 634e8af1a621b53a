/** The programs that tests started, told by two variables of their environment, which every program hands on to those that it starts:
 *  the run, and the process of the test that owns them. On Linux and macOS. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

export const runVariable = 'LOUPE_TEST_RUN'
export const ownerVariable = 'LOUPE_TEST_OWNER'

export interface OwnedProcess {
  pid: number
  /** Of the process of the test that started it, or that started what started it. */
  owner: number
}

/** From here on programs that this process starts end with it. */
export function ownChildren(): void {
  process.env[ownerVariable] = String(process.pid)
}

export function ownedProcesses(run: string): OwnedProcess[] {
  return (process.platform === 'linux' ? linuxEnvironments() : otherEnvironments()).flatMap(({ pid, text }) => {
    if (variableIn(text, runVariable) !== run) return []
    return [{ pid, owner: Number(variableIn(text, ownerVariable)) }]
  })
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
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
    } catch {
      return [] // ended meanwhile, or of another user
    }
  })
}

/** `-E` shows the environment after the command, of one's own processes. */
function otherEnvironments(): Environment[] {
  const listed = execFileSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64e6 })
  return listed.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), text: line }))
}
