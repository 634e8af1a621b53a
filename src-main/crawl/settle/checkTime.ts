/** When a continuous job looks at a document again, and whether it then looks or removes: pure arithmetic, in milliseconds. */
import type { Recheck } from '../../contract/shapes/recrawl.ts'

/** The history of a document as far as its next check depends on it. */
export interface CheckHistory {
  /** When it was first captured; null: never. */
  firstMs: number | null
  /** When it was last looked at, changed or not. */
  lastMs: number | null
  /** How often it was another than before; the first capture is one. */
  changeCount: number
  /** When it came into being as its server says; null: not said. */
  originMs: number | null
}

/** Times that a connector gives for one document. An upper bound gives a time even where the settings say never. */
export interface CheckBounds {
  rescanMsMin?: number
  rescanMsMax?: number
  removeMsMin?: number
  removeMsMax?: number
}

export interface NextCheck {
  /** Null: never again. */
  checkMs: number | null
  action: 'rescan' | 'remove'
}

export type CheckSettings = Pick<Recheck, 'intervalSeconds' | 'intervalSecondsMax' | 'expirySeconds'>

/** The average time between two changes is added to the interval: what changes often is looked at often. */
export function nextCheck(
  nowMs: number,
  previous: CheckHistory,
  settings: CheckSettings,
  bounds: CheckBounds = {},
): NextCheck {
  const rescanMs = within(rescanAt(nowMs, previous, settings), bounds.rescanMsMin, bounds.rescanMsMax)
  const removeMs = within(removeAt(nowMs, previous, settings), bounds.removeMsMin, bounds.removeMsMax)
  // Expiry and check fall together: only a check can tell that the document may go.
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
  // A clock that was set back must not bring the next look before the interval.
  return Math.max(0, Math.floor((lastMs - firstMs) / changeCount))
}

function removeAt(nowMs: number, { originMs }: CheckHistory, { expirySeconds }: CheckSettings): number | null {
  return expirySeconds === null ? null : (originMs ?? nowMs) + expirySeconds * 1000
}

/** Null stands for never: a lower bound leaves it so. */
function within(ms: number | null, msMin = -Infinity, msMax = Infinity): number | null {
  const bounded = Math.min(Math.max(ms ?? Infinity, msMin), msMax)
  return bounded === Infinity ? null : bounded
}
