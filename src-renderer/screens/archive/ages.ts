/** Ages as the engine counts them (`archive/copies/standing.ts`), for the times that it tells without saying what they mean. */
import type { ArchiveStatus } from '../../../src-main/contract/archive.ts'

const dayMs = 86_400_000
/** As far as a clock may have been ahead of the one that is asked now; a time beyond that is no proof of a comparison. */
const clockDoubtMs = dayMs

export function isOverdue(
  time: string | null,
  { at, overdueDays }: Pick<ArchiveStatus, 'at' | 'overdueDays'>,
): boolean {
  if (time === null) return false
  const ageMs = Date.parse(at) - Date.parse(time)
  return ageMs > overdueDays * dayMs || ageMs < -clockDoubtMs
}
