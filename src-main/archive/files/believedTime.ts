/** Times that were written down while the clock of the machine was wrong. */
import { clockDoubtMs } from './limits.ts'

/** Null for a time that is still to come: taken for true, it would put off everything until then. */
export function believedTime(ms: number | null, nowMs: number): number | null {
  return ms === null || ms - nowMs > clockDoubtMs ? null : ms
}
