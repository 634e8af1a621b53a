/** Handles times recorded while the system clock was wrong. */
import { clockDoubtMs } from './limits.ts'

/** Returns null for a time more than `clockDoubtMs` in the future, which would otherwise postpone everything until then. */
export function believedTime(ms: number | null, nowMs: number): number | null {
  return ms === null || ms - nowMs > clockDoubtMs ? null : ms
}
