/** Computes when the next backup is due. Pure function of the recorded attempts, so the schedule keeps no state of its own. */
import { believedTime } from '../files/believedTime.ts'
import { backupGraceMsMin, backupRetryMs, backupRetryMsMax } from './limits.ts'

/** Recorded attempts from which the next backup is computed. */
export interface Attempts {
  /** Whether anything was harvested, imported or stored: an empty archive needs no backup. */
  hasContent: boolean
  /** When the database was last known to equal a backup. */
  confirmedMs: number | null
  /** Time of the last attempt, if it failed, and the number of consecutive failures. */
  failure: { atMs: number; tries: number } | null
}

const hourMs = 3_600_000

/** Time of the next backup in milliseconds; a time in the past means now. Undefined when none is planned. */
export function nextBackupMs(everyHours: number, attempts: Attempts, nowMs: number): number | undefined {
  const { hasContent, failure } = attempts
  if (everyHours === 0 || !hasContent) return undefined
  const failedMs = failure && believedTime(failure.atMs, nowMs)
  if (failure && failedMs !== null) return failedMs + retryMs(failure.tries)
  const confirmedMs = believedTime(attempts.confirmedMs, nowMs)
  return confirmedMs === null ? nowMs : confirmedMs + everyHours * hourMs
}

/** Age in milliseconds from which a backup is overdue. */
export function graceMs(everyHours: number): number {
  return Math.max(2 * everyHours * hourMs, backupGraceMsMin)
}

function retryMs(tries: number): number {
  return Math.min(backupRetryMs * 2 ** Math.min(tries - 1, 20), backupRetryMsMax)
}
