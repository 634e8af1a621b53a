/** Status and reports of the archive: combines checks, votes, ages and backups for the user, and evaluates the NDSA levels. Reads no
 *  files; whatever has not been checked is reported as such. `reportCsv.ts` and `reportHtml.ts` format reports. */
import type { ArchiveStatus, PreservationReport } from '../../contract/services/archiveStatus.ts'
import type { AuditProgress, AuditVerdict } from '../../contract/services/audit.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { AuditHead } from '../audit/auditHead.ts'
import { archiveStatus, type StatusParts, type StatusSettings } from './archiveStatus.ts'
import { verifyAuditLog } from './auditVerdict.ts'
import { reportChecksCountMax } from '../files/limits.ts'
import { levelsOf, type Facts } from './ndsa.ts'
import type { Preservation } from '../check/preservation.ts'
import { reportingStatements, type FactsRow } from './reporting.sql.ts'
import type { SpotChecks } from '../check/spotChecks.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface ReportSettings extends StatusSettings {
  /** Interval of scheduled checksum checks in days; 0: never. */
  checksumsEveryDays: number
  /** Number of files that a scheduled checksum check reads; 0: all files. */
  checksumsSample: number
  declared: readonly string[]
}

export interface ReportingParts extends StatusParts {
  archive: Archive
  preservation: Preservation
  spotChecks: SpotChecks
  auditLog: AuditLog
  auditHead: AuditHead
  store: Store
  world: World
  settings: () => ReportSettings
  /** Archive folder and software, as named in reports. */
  archiveFolder: string
  software: string
}

/** Status, reports and the verification of the audit log. */
export interface Reporting {
  status(): Promise<ArchiveStatus>
  report(): Promise<PreservationReport>
  verifyAudit(): Promise<AuditVerdict>
  /** Calls the listener from time to time while the audit log is verified. Returns a function that removes the listener. */
  onVerifying(listener: (how: AuditProgress) => void): () => void
}

export function openReporting(parts: ReportingParts): Reporting {
  const { archive, preservation, spotChecks, auditLog, auditHead, store, world, settings } = parts
  const statements = reportingStatements(store)
  const changes = emitter<AuditProgress>()

  const status = () => archiveStatus(parts, settings(), world.clock.now())
  const verifyAudit = () => verifyAuditLog({ auditLog, auditHead, clock: world.clock, onProgress: changes.emit })

  function counted(): FactsRow {
    const row = statements.facts.get({ replicas: JSON.stringify(archive.places.map(({ name }) => name)) })
    if (!row) throw new Error('a count gave no row')
    return row
  }

  return {
    status,
    verifyAudit,
    onVerifying: changes.on,
    async report() {
      const [now, audit] = [await status(), await verifyAudit()]
      const counts = counted()
      const facts = factsOf(now, audit, { counts, settings: settings() })
      return {
        ...now,
        // A report relies on the audit log, so a broken log means that action is needed.
        fine: now.fine && audit.whole,
        archive: parts.archiveFolder,
        software: parts.software,
        files: facts.files,
        bytes: counts.bytes,
        audit,
        lastSpotCheck: spotChecks.last() ?? null,
        checks: preservation.checks().slice(0, reportChecksCountMax),
        levels: levelsOf(facts, settings().declared),
      }
    },
  }
}

/** What the NDSA levels are judged by. */
function factsOf(
  { replicas, backup }: ArchiveStatus,
  audit: AuditVerdict,
  { counts, settings }: { counts: FactsRow; settings: ReportSettings },
): Facts {
  const { overdueDays, checksumsEveryDays, checksumsSample } = settings
  const known = replicas.map((row) => ({ ...row, place: row.place ?? undefined }))
  const sum = (of: (row: (typeof known)[number]) => number) => known.reduce((total, row) => total + of(row), 0)
  return {
    replicas: known,
    complete: known.filter(
      (row) => row.kind === 'files' && row.reachable && row.missing + row.corrupt + row.notStored === 0,
    ),
    files: counts.files,
    overdue: sum((row) => row.overdue),
    bad: sum((row) => row.missing + row.corrupt),
    isScheduled: checksumsEveryDays > 0 && checksumsSample === 0 && checksumsEveryDays <= overdueDays,
    isAuditLogWhole: audit.whole,
    hasChecks: counts.checks > 0,
    isCheckedSinceTrouble: counts.troubled === 0,
    jobsWithoutMetadata: counts.jobsWithoutMetadata,
    filesWithoutJob: counts.filesWithoutJob,
    hasMetadata: counts.metadataFiles > 0,
    isBackedUpApart: backup.last !== null && backup.reachable === true && backup.current && backup.apart === true,
  }
}
