/** When the next backup is due. Pure: decided from what the last attempts wrote down, so the schedule needs no memory of its own. */
import { believedTime } from '../files/believedTime.ts'
import { backupGraceMsMin, backupRetryMs, backupRetryMsMax } from './limits.ts'

export interface Attempts {
  /** Something was harvested, imported or stored: an empty archive needs no backup. */
  hasContent: boolean
  /** When the database was last known to be what a backup holds. */
  confirmedMs: number | null
  /** Of the last attempt, where it failed, and how many failed in a row. */
  failure: { atMs: number; tries: number } | null
}

const hourMs = 3_600_000

/** Undefined: none is planned. A moment in the past: now. */
export function nextBackupMs(everyHours: number, attempts: Attempts, nowMs: number): number | undefined {
  const { hasContent, failure } = attempts
  if (everyHours === 0 || !hasContent) return undefined
  const failedMs = failure && believedTime(failure.atMs, nowMs)
  if (failure && failedMs !== null) return failedMs + retryMs(failure.tries)
  const confirmedMs = believedTime(attempts.confirmedMs, nowMs)
  return confirmedMs === null ? nowMs : confirmedMs + everyHours * hourMs
}

/** Older than this, a backup is no longer what the schedule promises. */
export function graceMs(everyHours: number): number {
  return Math.max(2 * everyHours * hourMs, backupGraceMsMin)
}

function retryMs(tries: number): number {
  return Math.min(backupRetryMs * 2 ** Math.min(tries - 1, 20), backupRetryMsMax)
}
