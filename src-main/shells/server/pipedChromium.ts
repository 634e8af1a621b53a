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

/** Time within which Chromium closes its profile after its pipe was closed. */
const endMsMax = 5_000
/** Chromium prints many complaints; the last ones concern the reason for its end. */
const lastWordsCharactersMax = 4_000

/** A running Chromium and the pipes that control it. */
export interface PipedChromium {
  pipes: Pipes
  /** Resolves with a sentence about the end; the profile has been removed by then. */
  ended: Promise<string>
  /** Ends the browser. Resolves when it has ended. */
  end(): Promise<void>
}

interface PipedStart {
  /** The beginning of the profile folder's path. */
  profilePrefix: string
  argumentsFor: (profile: Pick<ChromiumProfile, 'profileFolder' | 'asRoot'>) => string[]
}

export async function startPiped(path: string, { profilePrefix, argumentsFor }: PipedStart): Promise<PipedChromium> {
  const profileFolder = await mkdtemp(profilePrefix)
  const asRoot = process.getuid?.() === 0
  const chromium = spawn(path, argumentsFor({ profileFolder, asRoot }), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, , , toBrowser, fromBrowser] = chromium.stdio as [null, null, Readable, Writable, Readable]
  let lastWords = ''
  chromium.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsCharactersMax)
  })
  const gone = new Promise<string>((resolve) => {
    chromium.on('error', (error) => resolve(`${path} cannot be started: ${error.message}.`))
    chromium.on('exit', (code) =>
      resolve(code ? `${path} ended with code ${code}: ${lastWords.trim()}` : `${path} ended.`),
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

interface Talk<Result> {
  talk: (pipes: Pipes) => Promise<Result>
  msMax: number
  /** The error text when it takes longer. */
  late: string
}

/** Runs `talk` over the pipes. Rejects with `Fault` unreachable when the browser ends before the result is there, or is late. */
export async function spoken<Result>(
  { pipes, ended }: PipedChromium,
  { talk, msMax, late }: Talk<Result>,
): Promise<Result> {
  const patience = Promise.withResolvers<string>()
  const timer = setTimeout(() => patience.resolve(late), msMax)
  const failing = Promise.race([ended, patience.promise]).then((why) => Promise.reject(new Fault('unreachable', why)))
  // The pipe ends before the process does, and gives no reason.
  const talking = talk(pipes).catch((error: unknown) => {
    if (error instanceof BrowserEnded) return failing
    throw error
  })
  try {
    return await Promise.race([talking, failing])
  } finally {
    clearTimeout(timer)
  }
}
