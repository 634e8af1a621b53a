/** Status and reports of the archive: combines checks, votes, ages and backups for the user, and evaluates the NDSA levels. Reads no
 *  files; whatever has not been checked is reported as such. `reportCsv.ts` and `reportHtml.ts` format reports. */
import { textOf } from '../../contract/words/render.ts'
import type { ArchiveStatus, PreservationReport } from '../../contract/services/archiveStatus.ts'
import type { AuditProgress, AuditVerdict, AuditWitness } from '../../contract/services/audit.ts'
import type { FilesOutside } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import type { AuditTrail } from '../audit/audit.ts'
import type { Backups } from '../backup/backups.ts'
import type { AuditHead } from '../audit/auditHead.ts'
import { reportChecksCountMax } from '../files/limits.ts'
import { levelsOf, type Facts } from './ndsa.ts'
import type { Preservation } from '../check/preservation.ts'
import { reportingStatements, type FactsRow } from './reporting.sql.ts'
import type { SpotChecks } from '../check/spotChecks.ts'
import { believedAt, type CopyStatus } from '../copies/copyStatus.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface ReportSettings {
  overdueDays: number
  /** Interval of scheduled checksum checks in days; 0: never. */
  checksumsEveryDays: number
  /** Number of files that a scheduled checksum check reads; 0: all files. */
  checksumsSample: number
  /** Location of each replica, by its name. */
  places: Readonly<Record<string, string>>
  declared: readonly string[]
}

export interface ReportingParts {
  archive: Archive
  preservation: Preservation
  copyStatus: CopyStatus
  spotChecks: SpotChecks
  trail: AuditTrail
  auditHead: AuditHead
  store: Store
  world: World
  settings: () => ReportSettings
  /** Files that belong to the archive and are in no replica. */
  outside: () => Promise<FilesOutside>
  backups: Pick<Backups, 'status'>
  /** Archive folder and software, as named in reports. */
  archiveFolder: string
  software: string
}

/** Status, reports and the verification of the audit trail. */
export interface Reporting {
  status(): Promise<ArchiveStatus>
  report(): Promise<PreservationReport>
  verifyAudit(): Promise<AuditVerdict>
  /** Calls the listener from time to time while the audit trail is verified. Returns a function that removes the listener. */
  onVerifying(listener: (how: AuditProgress) => void): () => void
}

export function openReporting(parts: ReportingParts): Reporting {
  const { archive, preservation, copyStatus, spotChecks, trail, auditHead, store, world, settings, backups } = parts
  const statements = reportingStatements(store)
  const changes = emitter<AuditProgress>()

  async function status(): Promise<ArchiveStatus> {
    const { overdueDays, places } = settings()
    const nowMs = world.clock.now()
    const believed = believedAt(nowMs, overdueDays)
    const ages = copyStatus.ages(believed)
    const replicas = (await archive.replicas()).map((summary) => {
      const {
        overdue = 0,
        firstCheckDue = null,
        oldestVerified = null,
      } = ages.find(({ replica }) => replica === summary.replica) ?? {}
      return { ...summary, place: places[summary.replica] ?? null, overdue, firstCheckDue, oldestVerified }
    })
    const findings = preservation.findings()
    const spots = spotChecks.alarming()
    const lost = copyStatus.lost()
    const outside = await parts.outside()
    const backup = await backups.status()
    const alarms =
      findings.length + spots.length + lost.total + backup.findings.length + outside.waitingTotal + outside.unknownTotal
    const isFine = replicas.every(
      (row) => row.reachable && row.missing + row.corrupt + row.notStored + row.overdue === 0,
    )
    return {
      at: new Date(nowMs).toISOString(),
      fine: isFine && alarms === 0,
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

  async function verifyAudit(): Promise<AuditVerdict> {
    const entriesTotal = trail.head()?.number ?? 0
    const { entries, broken } = await trail.verifyChain((inOrder) => {
      changes.emit({ entries: inOrder, entriesTotal })
      return world.clock.sleep(0)
    })
    const witness = await auditHead.witness()
    const whole = broken === undefined && witness.state !== 'contradicts' && witness.state !== 'unreadable'
    const head = trail.head()?.hash ?? null
    const said = { whole, entries, broken: broken ?? null, head, witness }
    return { ...said, text: auditText(said) }
  }

  function counted(): FactsRow {
    const row = statements.facts.get({ replicas: JSON.stringify(archive.places.map(({ name }) => name)) })
    if (!row) throw new Error('a count gave no row')
    return row
  }

  function factsOf({ replicas, backup }: ArchiveStatus, audit: AuditVerdict, counts: FactsRow): Facts {
    const { overdueDays, checksumsEveryDays, checksumsSample } = settings()
    const told = replicas.map((row) => ({ ...row, place: row.place ?? undefined }))
    const sum = (of: (row: (typeof told)[number]) => number) => told.reduce((total, row) => total + of(row), 0)
    return {
      replicas: told,
      complete: told.filter(
        (row) => row.kind === 'files' && row.reachable && row.missing + row.corrupt + row.notStored === 0,
      ),
      files: counts.files,
      overdue: sum((row) => row.overdue),
      bad: sum((row) => row.missing + row.corrupt),
      isScheduled: checksumsEveryDays > 0 && checksumsSample === 0 && checksumsEveryDays <= overdueDays,
      isTrailWhole: audit.whole,
      hasChecks: counts.checks > 0,
      isCheckedSinceTrouble: counts.troubled === 0,
      jobsWithoutMetadata: counts.jobsWithoutMetadata,
      filesWithoutJob: counts.filesWithoutJob,
      hasMetadata: counts.metadataFiles > 0,
      isBackedUpApart: backup.last !== null && backup.reachable === true && backup.current && backup.apart === true,
    }
  }

  return {
    status,
    verifyAudit,
    onVerifying: changes.on,
    async report() {
      const [now, audit] = [await status(), await verifyAudit()]
      const counts = counted()
      const facts = factsOf(now, audit, counts)
      return {
        ...now,
        // A report relies on the audit trail, so a broken trail means that action is needed.
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

function auditText({ entries, broken, witness }: Omit<AuditVerdict, 'text'>): string {
  if (broken) return `The audit log was changed. ${textOf(broken.message)}`
  return `${entries} entries, each linked to the one before; ${witnessText(witness)}.`
}

function witnessText({ state, number }: AuditWitness): string {
  switch (state) {
    case 'agrees':
      return 'the file next to the database names the last one'
    case 'behind':
      return `the file next to the database names entry ${number}, which agrees`
    case 'absent':
      return 'the file next to the database is missing, so it is unknown whether entries at the end were removed'
    case 'unreadable':
      return 'the file next to the database cannot be read or is not valid: inspect it, then move it away'
    case 'contradicts':
      return `but the file next to the database names a different entry ${number}: entries at the end were removed, or the database is older. Find out which, then move the file away`
  }
}
