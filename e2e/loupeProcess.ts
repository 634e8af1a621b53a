/** The command line as a process of its own, as a person starts it: to be watched, and to be killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const cli = join(import.meta.dirname, '../src-main/shells/cli/cli.ts')

export interface LoupeProcess {
  child: ChildProcess
  /** When it has ended: its exit code (null when a signal ended it) and all it printed. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Resolves with the first line that matches, of standard output unless said otherwise; rejects when the process ends
   *  before. */
  line(pattern: RegExp, where?: 'stdout' | 'stderr'): Promise<string>
}

export function startLoupe(words: string[]): LoupeProcess {
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const where of ['stdout', 'stderr'] as const) {
    child[where].setEncoding('utf8').on('data', (text: string) => {
      printed[where] += text
      for (const watch of watchers) watch()
    })
  }
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...printed }))
  })
  return {
    child,
    ended,
    line: (pattern, where = 'stdout') =>
      new Promise((resolve, reject) => {
        const watch = () => {
          const found = printed[where].split('\n').find((line) => pattern.test(line))
          if (found === undefined) return
          watchers.delete(watch)
          resolve(found)
        }
        watchers.add(watch)
        watch()
        void ended.then(({ code }) =>
          reject(new Error(`loupe ended with ${code} before printing ${pattern}: ${printed.stderr}`)),
        )
      }),
  }
}

/** Runs one command to its end. */
export function loupe(...words: string[]): LoupeProcess['ended'] {
  return startLoupe(words).ended
}
