/**
 * The main process's side of the engine: starts the utility process and pairs replies with calls. When the process dies, every open call
 * ends as `unreachable`, and the starter is notified.
 */
import { utilityProcess } from 'electron'
import { heapFlag } from '../launch/heap.ts'
import { Fault, sentFault } from '../../contract/calls/faults.ts'
import type { Reply } from '../../contract/calls/service.ts'
import type { EngineStart, FromEngine, ToEngine } from './engineWire.ts'
import { sealingKeyVariable } from './sealingKey.ts'
import { message } from '../../contract/words/message.ts'

/** Time for finishing a batch and closing the database. After it the process is killed, and the next start recovers. */
const closeMsMax = 10_000

/** The engine as the main process sees it. */
export interface EngineProcess {
  /** Where the viewer's proxy listens. */
  viewer: { host: string; port: number }
  /** SHA-256 of the certificate authority's public key, in base64. */
  spkiSha256: string
  /** Calls a method of the contract. A fault is a reply; the promise never rejects. */
  call(name: string, input: unknown): Promise<Reply>
  /** Closes the engine. Resolves when its process has ended, after at most `closeMsMax`. */
  close(): Promise<void>
}

/** Called with what the engine's process reports. */
export interface EngineHandlers {
  /** Called with every event of the contract. */
  onEvent(name: string, payload: unknown): void
  /** Called when the process died without being asked to. */
  onDeath(code: number): void
}

/** Starts the engine from the bundled `module`. Rejects with `Fault` when the archive cannot be opened.
 *  `sealingKey` is passed in the environment, because every account can read the arguments of a process. */
export function startEngine(
  module: string,
  start: EngineStart,
  sealingKey: string | undefined,
  handlers: EngineHandlers,
): Promise<EngineProcess> {
  const engine = utilityProcess.fork(module, [JSON.stringify(start)], {
    execArgv: [heapFlag],
    serviceName: 'Loupe engine',
    stdio: 'inherit',
    env: { ...process.env, ...(sealingKey === undefined ? {} : { [sealingKeyVariable]: sealingKey }) },
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  let alive = true
  let closing: (() => void) | undefined
  const send = (message: ToEngine) => engine.postMessage(message)

  const call = (name: string, input: unknown) =>
    new Promise<Reply>((resolve) => {
      if (!alive) return resolve(engineIsGone)
      lastId += 1
      waiting.set(lastId, resolve)
      send({ kind: 'call', id: lastId, name, input })
    })

  const close = () =>
    new Promise<void>((resolve) => {
      if (!alive) return resolve()
      const timeout = setTimeout(() => engine.kill(), closeMsMax)
      closing = () => {
        clearTimeout(timeout)
        resolve()
      }
      send({ kind: 'close' })
    })

  return new Promise((resolve, reject) => {
    engine.on('message', (message: FromEngine) => {
      if (message.kind === 'reply') {
        waiting.get(message.id)?.(message.reply)
        waiting.delete(message.id)
      } else if (message.kind === 'event') handlers.onEvent(message.name, message.payload)
      else if (message.kind === 'ready')
        resolve({ viewer: message.viewer, spkiSha256: message.spkiSha256, call, close })
      else if (message.kind === 'failed') reject(new Fault('damaged', message.text))
      else engine.kill() // the archive is closed: nothing can be lost
    })
    engine.on('exit', (code) => {
      alive = false
      for (const answer of waiting.values()) answer(engineIsGone)
      waiting.clear()
      reject(new Fault('unreachable', message('shell.engineEnded', { exitCode: code }))) // has no effect once the promise is settled
      if (closing) closing()
      else handlers.onDeath(code)
    })
  })
}

/** Reply to every call that a dead engine leaves open. */
const engineIsGone: Reply = {
  fault: sentFault(new Fault('unreachable', message('shell.engineGone'))),
}
