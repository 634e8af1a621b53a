/** The schedule of backups. It is separate from that of checks (`../check/schedule.ts`), because a checksum check may take days. Due
 *  times follow from the recorded attempts, so a crash loses nothing. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import { scheduleFirstCheckMs, scheduleCheckMs } from '../files/limits.ts'
import type { Backups } from './backups.ts'
import { nextBackupMs } from './due.ts'

export interface BackupScheduleParts {
  backups: Pick<Backups, 'attempts' | 'make'>
  clock: Clock
  everyHours: () => number
  /** Called with the reason when a backup fails; it is retried later. */
  onFailure: (error: unknown) => void
}

export interface BackupSchedule {
  /** Stops the schedule. A backup in progress is stopped by closing the backups. */
  close(): Promise<void>
}

export function openBackupSchedule({ backups, clock, everyHours, onFailure }: BackupScheduleParts): BackupSchedule {
  const stopper = new AbortController()
  const { signal } = stopper

  async function backUpIfDue(): Promise<void> {
    try {
      const nowMs = clock.now()
      const dueMs = nextBackupMs(everyHours(), backups.attempts(), nowMs)
      if (dueMs !== undefined && dueMs <= nowMs) await backups.make({ by: 'schedule' })
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
  }

  async function runAtIntervals(): Promise<void> {
    for (let waitMs = scheduleFirstCheckMs; !signal.aborted; waitMs = scheduleCheckMs) {
      await sleepUnlessAborted(clock, waitMs, signal)
      if (!signal.aborted) await backUpIfDue()
    }
  }

  const whole = runAtIntervals()
  return {
    async close() {
      stopper.abort()
      await whole
    },
  }
}
