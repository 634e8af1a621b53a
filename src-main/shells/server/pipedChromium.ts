/** A Chromium that is spoken to over a pipe, with a new profile that goes away with it. It ends when its pipe does, and so with Loupe,
 *  however that ends. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '../../contract/calls/faults.ts'
import type { ChromiumProfile } from './chromiumArguments.ts'
import { BrowserEnded, type Pipes } from './devToolsPipe.ts'

/** Chromium closes its profile within this time when its pipe ends. */
const endMsMax = 5_000
/** Chromium's complaints are many; the last ones are about what ended it. */
const lastWordsCharactersMax = 4_000

export interface PipedChromium {
  pipes: Pipes
  /** In a sentence; its profile is gone then. */
  ended: Promise<string>
  /** Resolves when it has. */
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
  /** What is said of one that takes longer. */
  late: string
}

/** Rejects with `Fault` unreachable when it ends before it has answered, or is late. */
export async function spoken<Result>(
  { pipes, ended }: PipedChromium,
  { talk, msMax, late }: Talk<Result>,
): Promise<Result> {
  const patience = Promise.withResolvers<string>()
  const timer = setTimeout(() => patience.resolve(late), msMax)
  const failing = Promise.race([ended, patience.promise]).then((why) => Promise.reject(new Fault('unreachable', why)))
  // Its pipe ends before it does, and does not say why.
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
