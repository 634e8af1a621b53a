/**
 * A Chromium that is controlled over a pipe, with a new profile that is removed after it. It ends when its pipe closes, and so with Loupe,
 * however that ends.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '../../contract/calls/faults.ts'
import type { ChromiumProfile } from './chromiumArguments.ts'
import { BrowserEnded, type Pipes } from './devToolsPipe.ts'
import { lastOutputOf } from './lastOutput.ts'
import { textFor } from '../../contract/words/render.ts'

/** Time within which Chromium closes its profile after its pipe was closed. */
const endMsMax = 5_000

/** A running Chromium and the pipes that control it. */
export interface PipedChromium {
  pipes: Pipes
  /** Resolves with a sentence about the end; the profile has been removed by then. */
  ended: Promise<string>
  /** Ends the browser. Resolves when it has ended. */
  end(): Promise<void>
}

interface PipedStart {
  /** Beginning of the path of the profile's folder. */
  profilePrefix: string
  /** Makes the command line for the new profile. */
  argumentsFor: (profile: Pick<ChromiumProfile, 'profileFolder' | 'asRoot'>) => string[]
}

/** Starts a Chromium with a new profile. A program that cannot be started is reported by `ended`. */
export async function startPiped(path: string, { profilePrefix, argumentsFor }: PipedStart): Promise<PipedChromium> {
  const profileFolder = await mkdtemp(profilePrefix)
  const asRoot = process.getuid?.() === 0
  const chromium = spawn(path, argumentsFor({ profileFolder, asRoot }), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, , errors, toBrowser, fromBrowser] = chromium.stdio as [null, null, Readable, Writable, Readable]
  const lastOutput = lastOutputOf(errors)
  const gone = new Promise<string>((resolve) => {
    chromium.on('error', (error) => resolve(textFor('browser.unstartable', { path, problem: error.message })))
    chromium.on('exit', (code) =>
      resolve(
        code
          ? textFor('browser.ended', { path, exitCode: code, output: lastOutput() })
          : textFor('browser.closed', { path }),
      ),
    )
  })
  const ended = gone.then(async (why) => {
    await rm(profileFolder, { recursive: true, force: true, maxRetries: 5 })
    return why
  })
  return {
    pipes: { toBrowser, fromBrowser },
    ended,
    async end() {
      const timer = setTimeout(() => chromium.kill('SIGKILL'), endMsMax)
      toBrowser.end()
      await ended
      clearTimeout(timer)
    },
  }
}

/** Control of a browser over its pipes, with a time limit. */
interface Control<Result> {
  run: (pipes: Pipes) => Promise<Result>
  msMax: number
  /** The error text when it takes longer. */
  late: string
}

/** Calls `run` with the pipes. Rejects with `Fault` unreachable when the browser ends before the result is there, or is late. */
export async function controlled<Result>(
  { pipes, ended }: PipedChromium,
  { run, msMax, late }: Control<Result>,
): Promise<Result> {
  const timeout = Promise.withResolvers<string>()
  const timer = setTimeout(() => timeout.resolve(late), msMax)
  const failing = Promise.race([ended, timeout.promise]).then((why) => Promise.reject(new Fault('unreachable', why)))
  // The pipe ends before the process does, and gives no reason.
  const talking = run(pipes).catch((error: unknown) => {
    if (error instanceof BrowserEnded) return failing
    throw error
  })
  try {
    return await Promise.race([talking, failing])
  } finally {
    clearTimeout(timer)
  }
}
