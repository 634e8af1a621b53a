/** Ages of checks, computed as the engine does (`archive/copies/copyStatus.ts`), for times that it sends without a verdict. */
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { ReplicaState } from '../../../src-main/contract/services/replicas.ts'

const dayMs = 86_400_000
/** How far the clock may have been ahead in an earlier session. A time further in the future is no proof of a check. */
const clockDoubtMs = dayMs

export function isOverdue(
  time: string | null,
  { at, overdueDays }: Pick<ArchiveStatus, 'at' | 'overdueDays'>,
): boolean {
  if (time === null) return false
  const ageMs = Date.parse(at) - Date.parse(time)
  return ageMs > overdueDays * dayMs || ageMs < -clockDoubtMs
}

/** True where "never checked" needs no action: the replica is empty, or its copies were verified when they were stored and their first
 *  check is not due. */
export function awaitsFirstCheck(
  { files, overdue, firstCheckDue }: Pick<ReplicaState, 'files' | 'overdue' | 'firstCheckDue'>,
  { at }: Pick<ArchiveStatus, 'at'>,
): boolean {
  if (files === 0) return true
  return overdue === 0 && firstCheckDue !== null && Date.parse(firstCheckDue) >= Date.parse(at)
}
