/** Ages as the engine counts them (`archive/copies/copyStatus.ts`), for the times that it tells without saying what they mean. */
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { ReplicaStanding } from '../../../src-main/contract/services/replicas.ts'

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

/** True where "never checked" needs no attention: the replica is empty, or storing verified its copies and their first check is not due. */
export function awaitsFirstCheck(
  { files, overdue, firstCheckDue }: Pick<ReplicaStanding, 'files' | 'overdue' | 'firstCheckDue'>,
  { at }: Pick<ArchiveStatus, 'at'>,
): boolean {
  if (files === 0) return true
  return overdue === 0 && firstCheckDue !== null && Date.parse(firstCheckDue) >= Date.parse(at)
}
