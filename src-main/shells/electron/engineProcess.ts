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
  viewer: { host: string; port: number }
  spkiSha256: string
  call(name: string, input: unknown): Promise<Reply>
  close(): Promise<void>
}

/** Handlers of what the engine's process reports. */
export interface EngineEars {
  onEvent(name: string, payload: unknown): void
  /** Called when the process died without being asked to. */
  onDeath(code: number): void
}

/** Starts the engine. Rejects with `Fault` when the archive cannot be opened. */
export function startEngine(
  module: string,
  start: EngineStart,
  sealingKey: string | undefined,
  ears: EngineEars,
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
      const patience = setTimeout(() => engine.kill(), closeMsMax)
      closing = () => {
        clearTimeout(patience)
        resolve()
      }
      send({ kind: 'close' })
    })

  return new Promise((resolve, reject) => {
    engine.on('message', (message: FromEngine) => {
      if (message.kind === 'reply') {
        waiting.get(message.id)?.(message.reply)
        waiting.delete(message.id)
      } else if (message.kind === 'event') ears.onEvent(message.name, message.payload)
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
      else ears.onDeath(code)
    })
  })
}

const engineIsGone: Reply = {
  fault: sentFault(new Fault('unreachable', message('shell.engineGone'))),
}
