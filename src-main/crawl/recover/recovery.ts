/** The recovery that was asked for: begun, told of, stopped. One at a time; how the last one ended is known until Loupe ends. */
import type { RecoverySummary } from '../../contract/services/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { AuditHead } from '../../archive/audit/auditHead.ts'
import { nowAndThen } from '../../archive/files/readThrough.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { nothingRecovered, recover, type RecoverParts } from './recover.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface Recovery {
  /** Throws `Fault` refused while one is running. */
  start(): RecoverySummary
  show(): RecoverySummary | null
  /** Throws `Fault` refused when none is running. */
  stop(): Promise<RecoverySummary>
  /** When it no longer runs. */
  ended(): Promise<void>
  /** A few times a second, and always at its start and end. Returns how to stop listening. */
  onChange(listener: (summary: RecoverySummary) => void): () => void
  close(): Promise<void>
}

export interface RecoveryParts extends RecoverParts {
  /** Resolves when what a kill interrupted was taken up: two must not see to the same copy. */
  ready: Promise<void>
  /** The file that names the last entry of the audit trail is that of the lost database. */
  auditHead: Pick<AuditHead, 'setAside'>
  /** Told of what should not have happened; the recovery is failed with it. */
  onBug: (error: unknown) => void
}

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
      const isOfWorld = error instanceof Fault || error instanceof DiskFault || error instanceof StorageFault
      if (!isOfWorld) onBug(error)
      const text = `The recovery failed: ${messageOf(error)}`
      last = { ...(last ?? summary), problems: [...(last?.problems ?? []), { name: '', text }] }
      end(summary, 'FAILED')
    }
  }

  return {
    start() {
      if (running) throw new Fault('refused', 'A recovery is already running. Wait for it to finish, or stop it.')
      const summary = note({ state: 'RUNNING', started: timeNow(), ended: null, ...nothingRecovered() })
      const stopper = new AbortController()
      running = { stopper, whole: run(summary, stopper.signal) }
      return summary
    },
    show: () => last,
    async stop() {
      if (!running) throw new Fault('refused', 'No recovery is running.')
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
