/** Runs a recovery on request: start, progress, stop. At most one runs at a time; the result of the last one is kept until
 *  Loupe ends. */
import { message, type Message } from '../../contract/words/message.ts'
import type { RecoverySummary } from '../../contract/services/recovery.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { reasonIn } from '../../archive/files/archiveFault.ts'
import type { AuditHead } from '../../archive/audit/auditHead.ts'
import { nowAndThen } from '../../archive/files/readThrough.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { recover, type RecoverParts } from './recover.ts'
import { nothingRecovered } from './recoveryProgress.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'

/** Control of the recovery. */
export interface Recovery {
  /** Starts a recovery. Throws `Fault` refused while one is running. */
  start(): RecoverySummary
  show(): RecoverySummary | null
  /** Stops the recovery. Throws `Fault` refused when none is running. */
  stop(): Promise<RecoverySummary>
  /** Resolves when no recovery is running. */
  ended(): Promise<void>
  /** Calls the listener a few times per second while a recovery runs, and always at its start and end. Returns a function that
   *  removes the listener. */
  onChange(listener: (summary: RecoverySummary) => void): () => void
  close(): Promise<void>
}

/** Parts of a recovery that runs while the engine works. */
export interface RecoveryParts extends RecoverParts {
  /** Resolves when work interrupted by a kill has been resumed: the same copy must not be processed twice at once. */
  ready: Promise<void>
  /** The file that names the last entry of the audit log belongs to the lost database and is set aside. */
  auditHead: Pick<AuditHead, 'setAside'>
  /** Receives unexpected errors; the recovery fails with them. */
  onBug: (error: unknown) => void
}

/** Opens the recovery. One runs at a time; `close` stops it. */
export function openRecovery(parts: RecoveryParts): Recovery {
  const { world, ready, auditHead, onBug } = parts
  const changes = emitter<RecoverySummary>()
  const timeNow = () => new Date(world.clock.now()).toISOString()
  let last: RecoverySummary | null = null
  let running: { stopper: AbortController; whole: Promise<void> } | undefined

  function note(summary: RecoverySummary): RecoverySummary {
    last = summary
    changes.emit(summary)
    return summary
  }

  function end(summary: RecoverySummary, state: RecoverySummary['state']): void {
    running = undefined
    note({ ...(last ?? summary), state, ended: timeNow() })
  }

  async function run(summary: RecoverySummary, signal: AbortSignal): Promise<void> {
    const announce = nowAndThen(world.clock, () => last && note(last))
    try {
      await ready
      signal.throwIfAborted()
      const onProgress = (progress: object) => {
        last = structuredClone({ ...summary, ...progress })
        announce(undefined)
      }
      const recovered = await recover(parts, { signal, onProgress })
      onProgress(recovered)
      if (recovered.registered > 0) await auditHead.setAside()
      end(summary, 'DONE')
    } catch (error) {
      if (signal.aborted && error === signal.reason) return end(summary, 'STOPPED')
      const fault = faultIn(error)
      if (!fault) onBug(error)
      const reason = fault ?? message('text', { text: messageOf(error) })
      const failed = { name: '', message: message('recover.failed', { reason }) }
      last = { ...(last ?? summary), problems: [...(last?.problems ?? []), failed] }
      end(summary, 'FAILED')
    }
  }

  return {
    start() {
      if (running) throw new Fault('refused', message('recover.running'))
      const summary = note({ state: 'RUNNING', started: timeNow(), ended: null, ...nothingRecovered() })
      const stopper = new AbortController()
      running = { stopper, whole: run(summary, stopper.signal) }
      return summary
    },
    show: () => last,
    async stop() {
      if (!running) throw new Fault('refused', message('recover.notRunning'))
      running.stopper.abort()
      await running.whole
      if (!last) throw new Error('a recovery that was stopped has no summary')
      return last
    },
    ended: async () => running?.whole,
    onChange: changes.on,
    async close() {
      running?.stopper.abort()
      await running?.whole
    },
  }
}

/** What a fault says to users; undefined for a bug. */
function faultIn(error: unknown): Message | undefined {
  if (error instanceof StorageFault) return error.userMessage
  return error instanceof Fault || error instanceof DiskFault ? reasonIn(error) : undefined
}
