/**
 * The parts of a running engine around bit preservation: ages and votes, spot checks, the schedule, the audit log with its witness, and
 * the reports on all of them, as the settings of the archive configure them.
 */
import { isCheckKind } from '../../contract/shapes/taskKinds.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { openArchiveParts } from '../../archive/archiveParts.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { openAuditLog, type AuditLog } from '../../archive/audit/audit.ts'
import type { AuditHead } from '../../archive/audit/auditHead.ts'
import type { Preservation } from '../../archive/check/preservation.ts'
import type { Repairs } from '../../archive/repair/repair.ts'
import type { Backups } from '../../archive/backup/backups.ts'
import { openBackupSchedule } from '../../archive/backup/backupSchedule.ts'
import type { Reporting } from '../../archive/report/reporting.ts'
import { replicaEvents, type ReplicaEvents } from '../../archive/copies/replicaEvents.ts'
import { openSchedule } from '../../archive/check/schedule.ts'
import { openObservations, type Observations } from '../../archive/copies/observations.ts'
import type { SpotChecks } from '../../archive/check/spotChecks.ts'
import type { FilesOutside } from '../../contract/services/archivedFiles.ts'
import { believedAt, type CopyStatus } from '../../archive/copies/copyStatus.ts'
import type { Believed } from '../../archive/copies/copyStatus.sql.ts'
import { leftOutOfBackups } from './leftOutOfBackups.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { awaitedActions, type AwaitedActions } from './awaitedActions.ts'
import type { ClosedFolders } from '../folders/closedFolders.ts'
import { problemOf } from '../signals/faultsTranslated.ts'
import type { Settings } from '../settings/settings.ts'
import { noteSettings } from '../settings/settingsAudit.ts'
import type { Signals } from '../signals/signals.ts'

/** What these parts need from the engine. */
export interface PreservationParts {
  archive: Archive
  preservation: Preservation
  store: Store
  tasks: Tasks
  world: World
  settings: Settings
  signals: Signals
  folders: ClosedFolders
  onNotice: ((sentence: string) => void) | undefined
  archiveFolder: string
  databasePath: string
  software: string
  /** Whether scheduled checks run: not in a read-only command. */
  run: boolean
  /** Resolves when interrupted stores have been resumed. Interrupted repairs are resumed after it. */
  ready: Promise<void>
  /** Files that belong to the archive and are in no replica. */
  outside: () => Promise<FilesOutside>
}

/** The opened parts of bit preservation. */
export interface PreservationServices {
  auditLog: AuditLog
  auditHead: Pick<AuditHead, 'setAside'>
  copyStatus: CopyStatus
  observations: Observations
  events: ReplicaEvents
  /** Returns the limits, from the present settings, after which a copy is overdue. */
  believed(): Believed
  spotChecks: SpotChecks
  reporting: Reporting
  repairs: Repairs
  backups: Backups
  /** Records changed settings that concern the copies. A full disk is reported as a problem, and the next opening records them. */
  noteSettings(): void
  close(): Promise<void>
}

/** Opens the parts, records changed settings and permissions, and starts what runs by itself: schedules,
 *  interrupted repairs and the correction of permissions. */
export async function openPreservationParts(parts: PreservationParts): Promise<PreservationServices> {
  const { archive, preservation, store, tasks, world, settings, signals, archiveFolder, databasePath, software } = parts
  const auditLog = openAuditLog(store)
  const onProblem = (error: unknown, doing: Message) =>
    signals.problem(problemOf(error, 'archive', (problem) => message('problem.while', { doing, problem })))
  const noted = (write: () => void) => unlessFull(write, (error) => onProblem(error, doingAudit))
  noted(() => {
    noteSettings(auditLog, settings, world.clock.now())
    for (const sentence of parts.folders.note(auditLog, world.clock.now())) parts.onNotice?.(sentence)
  })
  const opened = await openArchiveParts({
    ...{ archive, preservation, auditLog, store, tasks, world, archiveFolder, databasePath, software, onProblem },
    backups: {
      ...{ replicas: settings.replicas(), settings: settings.backup },
      ...{ leftOut: leftOutOfBackups, isScheduled: parts.run },
    },
    report: () => settings.preservation().report,
    outside: parts.outside,
  })
  const { auditHead, copyStatus, spotChecks, backups, repairs, reporting } = opened
  const schedules = parts.run ? openSchedules({ ...parts, ...opened, onProblem }) : undefined
  // Every addition to the audit log is announced by one of these, also from the threads of jobs.
  const ends = [
    archive.onChange(() => auditHead.note()),
    tasks.onChange(({ kind }) => (isCheckKind(kind) || kind === 'spot' ? auditHead.note() : undefined)),
    signals.onJob(() => auditHead.note()),
    repairs.onChange(() => auditHead.note()),
  ]
  const actions = awaitedActions(() => auditHead.note())
  const stop = new AbortController()
  if (parts.run) resumeRepairs(actions, repairs, { ready: parts.ready, signal: stop.signal, onProblem })
  actions
    .add(parts.folders.contents(stop.signal))
    .catch((error: unknown) => onProblem(error, message('doing.permissions')))
  return {
    ...{ auditLog, auditHead, copyStatus, reporting, backups },
    observations: openObservations(store),
    events: replicaEvents(store),
    believed: () => believedAt(world.clock.now(), settings.preservation().report.overdueDays),
    spotChecks,
    repairs: awaitedRepairs(actions, repairs),
    noteSettings() {
      noted(() => noteSettings(auditLog, settings, world.clock.now()))
      auditHead.note()
    },
    async close() {
      stop.abort()
      await Promise.all([schedules?.close(), backups.close()])
      ends.forEach((end) => end())
      await actions.ended()
      await auditHead.close()
    },
  }
}

const doingAudit = message('doing.audit')

/** Runs `write`. An archive on a full disk can still be read: the next opening records the settings. */
function unlessFull(write: () => void, onFull: (error: StorageFault) => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof StorageFault && error.code === 'full')) throw error
    onFull(error)
  }
}

interface SchedulesParts extends PreservationParts {
  spotChecks: SpotChecks
  backups: Backups
  onProblem: (error: unknown, doing: Message) => void
}

/** Opens the schedules of checks and of backups. */
function openSchedules({
  archive,
  preservation,
  spotChecks,
  backups,
  store,
  tasks,
  world,
  settings,
  ...parts
}: SchedulesParts) {
  const { onProblem } = parts
  const checks = openSchedule({
    ...{ preservation, spotChecks, store, tasks, world },
    replicas: archive.places.map(({ name }) => name),
    rhythm: () => settings.preservation().rhythm,
    onBug: (error) => onProblem(error, message('doing.schedule')),
  })
  const ofBackups = openBackupSchedule({
    backups,
    clock: world.clock,
    everyHours: () => settings.backup().everyHours,
    onFailure: (error) => onProblem(error, message('doing.backup')),
  })
  return {
    async close(): Promise<void> {
      await Promise.all([checks.close(), ofBackups.close()])
    },
  }
}

/** Repairs whose actions the end of the engine waits for. */
function awaitedRepairs(actions: AwaitedActions, repairs: Repairs): Repairs {
  return {
    ...repairs,
    plan: (copy, signal) => actions.add(repairs.plan(copy, signal)),
    repair: (order, signal) => actions.add(repairs.repair(order, signal)),
    attic: { ...repairs.attic, restore: (order, signal) => actions.add(repairs.attic.restore(order, signal)) },
  }
}

/** Resumes interrupted repairs once `ready` has resolved. */
function resumeRepairs(
  actions: AwaitedActions,
  repairs: Repairs,
  { ready, signal, onProblem }: Pick<SchedulesParts, 'ready' | 'onProblem'> & { signal: AbortSignal },
): void {
  const resumed = ready.then(() => (signal.aborted ? undefined : repairs.resume(signal)))
  actions.add(resumed).catch((error: unknown) => {
    if (!signal.aborted) onProblem(error, message('doing.repairs'))
  })
}
