/** Actions on backups, one at a time, and the progress of the present one. */
import type { BackupProgress } from '../../contract/services/backups.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import type { Clock } from '../../world/world.ts'
import { nowAndThen } from '../files/readThrough.ts'

export interface BackupTurns {
  /** Progress of the present action; undefined when there is none. */
  running(): BackupProgress | undefined
  /** Runs an action when those before it have ended. Rejects with the reason of the signal when it is aborted by then. */
  inTurn<T>(action: () => Promise<T>): Promise<T>
  /** Reports progress: a new phase at once, and the share of a phase a few times a second. */
  onProgress(progress: BackupProgress): void
  /** Subscribes to progress, and to the end of each action (null). Returns a function that removes the listener. */
  onChange(listener: (change: { running: BackupProgress | null }) => void): () => void
  /** Resolves when no action runs or waits. */
  ended(): Promise<void>
}

export function openTurns(clock: Clock, signal: AbortSignal): BackupTurns {
  const changes = emitter<{ running: BackupProgress | null }>()
  let running: BackupProgress | undefined
  const inTurn = oneAtATime()

  function announce(progress: BackupProgress | undefined): void {
    running = progress
    changes.emit({ running: progress ?? null })
  }
  const announceNowAndThen = nowAndThen(clock, announce)

  return {
    running: () => running,
    inTurn: (action) =>
      inTurn(() => {
        signal.throwIfAborted()
        return action()
      }).finally(() => announce(undefined)),
    onProgress: (progress) => (progress.phase === running?.phase ? announceNowAndThen : announce)(progress),
    onChange: changes.on,
    ended: () => inTurn(() => undefined),
  }
}
