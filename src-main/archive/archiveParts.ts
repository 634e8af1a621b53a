/** Opens the parts of an archive that look after its copies, in the order that the product uses. Called by the engine, the fault suite
 *  and the simulation. Schedules and `loupe.toml` are excluded: they belong to the process that opens the archive. */
import { message, type Message } from '../contract/words/message.ts'
import { join } from 'node:path'
import type { FilesOutside } from '../contract/services/archivedFiles.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import type { AuditLog } from './audit/audit.ts'
import { openAuditHead } from './audit/auditHead.ts'
import { openBackups, type BackupsParts } from './backup/backups.ts'
import type { Preservation } from './check/preservation.ts'
import { openSpotChecks } from './check/spotChecks.ts'
import { openCopyStatus } from './copies/copyStatus.ts'
import { openRepairs } from './repair/repair.ts'
import { openReporting, type ReportSettings } from './report/reporting.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Archive } from './store/archive.ts'

/** What the parts of an archive need from the process that opens it. */
export interface ArchivePartsGiven {
  archive: Archive
  preservation: Preservation
  auditLog: AuditLog
  store: Store
  tasks: Tasks
  world: World
  archiveFolder: string
  databasePath: string
  /** Name and version of the software, for reports and backups. */
  software: string
  backups: Pick<BackupsParts, 'replicas' | 'settings' | 'leftOut' | 'isScheduled'>
  /** Called for each report, so that changed settings take effect. */
  report: () => ReportSettings
  /** Files that belong to the archive and are in no replica. */
  outside: () => Promise<FilesOutside>
  /** Receives failures that no caller waits for. `doing`: the action that failed. */
  onProblem: (error: unknown, doing: Message) => void
}

/** Opens the parts; the caller closes `auditHead` and `backups`. */
export async function openArchiveParts(given: ArchivePartsGiven) {
  const { archive, preservation, auditLog, store, tasks, world, archiveFolder, databasePath, software, onProblem } =
    given
  const auditHead = await openAuditHead({
    ...{ world, auditLog, path: join(archiveFolder, 'loupe.audit') },
    onFault: (fault) => onProblem(fault, message('doing.auditHead')),
  })
  const copyStatus = openCopyStatus(store, archive.places)
  const spotChecks = await openSpotChecks({
    ...{ replicas: archive.places, limits: archive.limits, store, tasks, world },
  })
  const backups = await openBackups({
    ...{ world, store, databasePath, archiveFolder, software, limits: archive.limits, ...given.backups },
    onProblem: (error) => onProblem(error, message('doing.backups')),
  })
  const repairs = openRepairs({ archive, store, world, auditLog })
  const reporting = openReporting({
    ...{ archive, preservation, copyStatus, spotChecks, auditLog, auditHead, backups },
    ...{ store, world, archiveFolder, software, settings: given.report, outside: given.outside },
  })
  return { auditHead, copyStatus, spotChecks, backups, repairs, reporting }
}
