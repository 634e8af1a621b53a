/** Status of the archive: replicas with the ages of their copies, findings, votes, lost files and backups. Reads no archived files. */
import type { FilesOutside } from '../../contract/services/archivedFiles.ts'
import type { ArchiveStatus } from '../../contract/services/archiveStatus.ts'
import type { Backups } from '../backup/backups.ts'
import type { Preservation } from '../check/preservation.ts'
import type { SpotChecks } from '../check/spotChecks.ts'
import { believedAt, type CopyStatus } from '../copies/copyStatus.ts'
import type { Archive } from '../store/archive.ts'

export interface StatusParts {
  archive: Pick<Archive, 'replicas'>
  preservation: Pick<Preservation, 'findings'>
  copyStatus: CopyStatus
  spotChecks: Pick<SpotChecks, 'alarming'>
  backups: Pick<Backups, 'status'>
  /** Files that belong to the archive and are in no replica. */
  outside: () => Promise<FilesOutside>
}

export interface StatusSettings {
  overdueDays: number
  /** Location of each replica, by its name. */
  places: Readonly<Record<string, string>>
}

/** Returns the status at a time. It is fine when nothing needs an action. */
export async function archiveStatus(
  { archive, preservation, copyStatus, spotChecks, backups, ...parts }: StatusParts,
  { overdueDays, places }: StatusSettings,
  nowMs: number,
): Promise<ArchiveStatus> {
  const believed = believedAt(nowMs, overdueDays)
  const ages = new Map(copyStatus.ages(believed).map((age) => [age.replica, age]))
  const replicas = (await archive.replicas()).map((summary) => {
    const { overdue = 0, firstCheckDue = null, oldestVerified = null } = ages.get(summary.replica) ?? {}
    return { ...summary, place: places[summary.replica] ?? null, overdue, firstCheckDue, oldestVerified }
  })
  const findings = preservation.findings()
  const spots = spotChecks.alarming()
  const lost = copyStatus.lost()
  const outside = await parts.outside()
  const backup = await backups.status()
  const alarms =
    findings.length + spots.length + lost.total + backup.findings.length + outside.waitingTotal + outside.unknownTotal
  const areReplicasFine = replicas.every(
    (row) => row.reachable && row.missing + row.corrupt + row.notStored + row.overdue === 0,
  )
  return {
    at: new Date(nowMs).toISOString(),
    fine: areReplicasFine && alarms === 0,
    overdueDays,
    lost: lost.files,
    lostTotal: lost.total,
    replicas,
    findings,
    aging: copyStatus.aging(believed),
    votes: copyStatus.votes(),
    spots,
    outside,
    backup,
  }
}
