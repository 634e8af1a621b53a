/** Runs Loupe's command line for tests: in a separate process, as a user starts it, which can be observed and killed; or in a
 *  thread, for tests that run many commands and do not depend on how a process starts and ends. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const cli = join(import.meta.dirname, '../src-main/shells/cli/loupe.cjs')

/** How a command ended: its exit code (null when a signal ended it) and its complete output. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** A running command: its process, its end, and a way to wait for its output. */
export interface LoupeProcess {
  child: ChildProcess
  ended: Promise<Ended>
  /** Resolves with the first matching line, of standard output unless `where` names the other; rejects when the process ends before
   *  that. */
  line(pattern: RegExp, where?: 'stdout' | 'stderr'): Promise<string>
}

/** Starts a command without waiting for its end. */
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
  const ended = new Promise<Ended>((resolve, reject) => {
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

/** Runs one command to its end in a separate process. */
export function loupe(...words: string[]): Promise<Ended> {
  return startLoupe(words).ended
}

/** Runs one command in a thread with `--json` and returns what it printed. Rejects when it fails, and for anything on standard error. */
export async function loupeJson(...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await loupeHere('--json', ...words)
  if (code !== 0 || stderr !== '') throw new Error(`loupe ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as unknown
}

/** Creates an archive with `loupe init` and returns its folder. */
export async function initArchive(archive: string): Promise<string> {
  const { code, stderr } = await loupeHere('--archive', archive, 'init')
  if (code !== 0) throw new Error(`loupe init ended with ${code}: ${stderr}`)
  return archive
}

let here: Worker | undefined
let before: Promise<unknown> = Promise.resolve()

/** Runs one command in a thread that is kept, with the same result as `loupe`: starting a process takes longer than most commands.
 *  Commands run one at a time. A command that reads standard input or is to be interrupted needs a process. */
export function loupeHere(...words: string[]): Promise<Ended> {
  const ended = before.then(() => runHere(words))
  // The caller receives a failure; the next command only waits for the end.
  before = ended.catch(() => undefined)
  return ended
}

async function runHere(words: string[]): Promise<Ended> {
  const worker = (here ??= new Worker(new URL('./commandLine.thread.ts', import.meta.url)))
  worker.ref()
  const over = new AbortController()
  const died = once(worker, 'exit', over).then(([code]) => {
    here = undefined
    throw new Error(`loupe ${words.join(' ')} ended its thread with ${String(code)}`)
  })
  try {
    worker.postMessage(words)
    const [ended] = (await Promise.race([once(worker, 'message', over), died])) as [Ended]
    return ended
  } finally {
    // Aborting `over` rejects `died` although the thread did not end.
    died.catch(() => undefined)
    over.abort()
    worker.unref()
  }
}
