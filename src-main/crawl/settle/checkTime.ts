/** Computes when a continuous job processes a document again, and whether it then checks or removes it. Pure arithmetic, in
 *  milliseconds. */
import type { Recheck } from '../../contract/shapes/recheck.ts'

/** The history of a document as far as its next check depends on it. */
export interface CheckHistory {
  /** Time of the first capture; null: never captured. */
  firstMs: number | null
  /** Time of the last check, whether the document had changed or not. */
  lastMs: number | null
  /** Number of changes; the first capture counts as one. */
  changeCount: number
  /** Time of creation as reported by the server; null: not reported. */
  originMs: number | null
}

/** Bounds that a connector gives for one document. An upper bound gives a time even if the settings say never. */
export interface CheckBounds {
  rescanMsMin?: number
  rescanMsMax?: number
  removeMsMin?: number
  removeMsMax?: number
}

/** The next time a document is processed. */
export interface NextCheck {
  /** When it is processed; null: never again. */
  checkMs: number | null
  action: 'rescan' | 'remove'
}

/** The settings of a definition that determine the checks. */
export type CheckSettings = Pick<Recheck, 'intervalSeconds' | 'intervalSecondsMax' | 'expirySeconds'>

/** Computes the next check. The average time between two changes is added to the interval, so documents that change often are
 *  checked often. */
export function nextCheck(
  nowMs: number,
  previous: CheckHistory,
  settings: CheckSettings,
  bounds: CheckBounds = {},
): NextCheck {
  const rescanMs = within(rescanAt(nowMs, previous, settings), bounds.rescanMsMin, bounds.rescanMsMax)
  const removeMs = within(removeAt(nowMs, previous, settings), bounds.removeMsMin, bounds.removeMsMax)
  // If expiry and check fall together, the check takes precedence: only a check can tell that the document may be removed.
  if (removeMs !== null && (rescanMs === null || removeMs < rescanMs)) return { checkMs: removeMs, action: 'remove' }
  return { checkMs: rescanMs, action: 'rescan' }
}

function rescanAt(nowMs: number, previous: CheckHistory, { intervalSeconds, intervalSecondsMax }: CheckSettings) {
  if (intervalSeconds === null) return null
  const waitMs = intervalSeconds * 1000 + averageMs(previous)
  return nowMs + Math.min(intervalSecondsMax === null ? Infinity : intervalSecondsMax * 1000, waitMs)
}

function averageMs({ firstMs, lastMs, changeCount }: CheckHistory): number {
  if (firstMs === null || lastMs === null || changeCount === 0) return 0
  // A clock that was set back must not bring the next check before the interval.
  return Math.max(0, Math.floor((lastMs - firstMs) / changeCount))
}

function removeAt(nowMs: number, { originMs }: CheckHistory, { expirySeconds }: CheckSettings): number | null {
  return expirySeconds === null ? null : (originMs ?? nowMs) + expirySeconds * 1000
}

/** Applies bounds. Null means never: a lower bound leaves it so. */
function within(ms: number | null, msMin = -Infinity, msMax = Infinity): number | null {
  const bounded = Math.min(Math.max(ms ?? Infinity, msMin), msMax)
  return bounded === Infinity ? null : bounded
}
