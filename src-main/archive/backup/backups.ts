/** The backups of an archive's database: makes, lists and verifies them, and removes outdated ones. One action runs at a time; a
 *  request for a backup during another one gets the result of that one. `backupSchedule.ts` decides when backups are made;
 *  `restore.ts` restores one, with the archive closed. */
import { message } from '../../contract/words/message.ts'
import type { BackupMade, BackupProgress, BackupRow, BackupStatus } from '../../contract/services/backups.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault, reasonIn } from '../files/archiveFault.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { attempt, type AttemptParts, type MakeRequest } from './backupAttempt.ts'
import { goodOf, isApart, listBackups, type Listed, type ArchiveFolders } from './backupFolder.ts'
import { openRecord } from './backupRecord.ts'
import { attemptsOf, backupStatusOf, type BackupSettings } from './backupStatus.ts'
import { openTurns } from './backupTurns.ts'
import { databaseCopy, type DatabaseCopy } from './databaseCopy.ts'
import type { Attempts } from './due.ts'
import { removeSnapshot, type MakeParts } from './makeBackup.ts'
import { quietReading } from './quietReading.ts'
import { rowOf, verifyBackups } from './verifyBackups.ts'

export interface BackupsParts {
  world: World
  store: Store
  databasePath: string
  archiveFolder: string
  software: string
  replicas: ArchiveFolders['replicas']
  /** Called for each action, so that changed settings take effect. */
  settings: () => BackupSettings
  limits: ArchiveLimits
  /** Tables with secrets, whose rows are left out of backups. */
  leftOut: readonly string[]
  /** Whether a schedule makes backups in this process. */
  isScheduled: boolean
  /** Called with problems that occurred outside of a call. */
  onProblem: (error: unknown) => void
  /** Another way to copy the database, for tests in a world without a real disk. */
  copy?: DatabaseCopy
}

export interface Backups {
  status(): Promise<BackupStatus>
  /** Backups, newest first. Rejects with `Fault` when the folder cannot be read. */
  list(): Promise<BackupRow[]>
  /** Makes a backup. Rejects with `Fault`, `DiskFault` or `StorageFault` after recording the failure. */
  make(request: MakeRequest): Promise<BackupMade>
  /** Verifies one backup, or all of this archive. */
  verify(name?: string): Promise<BackupRow[]>
  /** Recorded attempts, the input of the schedule. */
  attempts(): Attempts
  onChange(listener: (change: { running: BackupProgress | null }) => void): () => void
  /** Stops the running action. */
  close(): Promise<void>
}

/** Opens the backups. In a process with a schedule, removes a snapshot left by a crash. */
export async function openBackups(parts: BackupsParts): Promise<Backups> {
  const { world, store, databasePath, archiveFolder, software, limits, settings } = parts
  const { disk } = world
  const stopper = new AbortController()
  const { signal } = stopper
  const copy = parts.copy ?? databaseCopy(world, { source: databasePath, leftOut: parts.leftOut })
  const folders: ArchiveFolders = { archiveFolder, replicas: parts.replicas }
  const makeParts: MakeParts = { world, copy, databasePath, folders, software, freeBytesMin: limits.freeBytesMin }
  const turns = openTurns(world.clock, signal)
  const { onProgress } = turns
  const record = await openRecord(world, { store, archiveFolder, onFault })
  const attempting: AttemptParts = { world, makeParts, record, limits, signal, onProgress, onFault }
  const quiet = quietReading({ world, record, turns, limits, signal, onProblem: parts.onProblem })
  let making: Promise<BackupMade> | undefined
  // A snapshot left by a crash contains the sessions of that moment.
  if (parts.isScheduled) await removeSnapshot(world, databasePath).catch(onFault)

  function onFault(error: unknown): void {
    if (!(error instanceof DiskFault)) throw error
    parts.onProblem(error)
  }

  /** Lists the backups of this archive. Throws `Fault` unreachable when a folder that held some cannot be read. */
  async function listed(folder: string): Promise<Listed[]> {
    try {
      return await listBackups(disk, folder, record.identityOfBackups())
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      if (error.code === 'absent' && record.state().folder !== folder) return []
      const problem = message('backup.folder.unreadable', { folder, problem: reasonIn(error) })
      throw new ArchiveFault('unreachable', problem, { cause: error })
    }
  }

  async function verifyNow(name: string | undefined): Promise<BackupRow[]> {
    const { folder } = settings()
    const chosen = (await listed(folder)).filter((each) =>
      name === undefined ? each.state !== 'otherArchive' : each.name === name,
    )
    if (name !== undefined && chosen.length === 0) throw unknownBackup(name, folder)
    const onShare = (share: number) => onProgress({ phase: 'verifying', share })
    const rows = await verifyBackups({ world, copy, folder, bytesPerSecondMax: 0, signal, onProgress: onShare }, chosen)
    if (record.state().folder === folder) {
      const [newest] = goodOf(await listBackups(disk, folder, record.identityOfBackups()))
      await record.noteNewest(folder, newest)
    }
    return rows
  }

  async function status(): Promise<BackupStatus> {
    const now = settings()
    const { folder } = now
    const found = await listBackups(disk, folder, record.identityOfBackups()).catch(undefinedOnFault)
    const apartFrom = [archiveFolder, ...parts.replicas.map((replica) => replica.folder)]
    return backupStatusOf({
      nowMs: world.clock.now(),
      settings: now,
      listed: found,
      state: { ...record.state(), archive: record.identityOfBackups() ?? null },
      isApart: found && (await isApart(disk, folder, apartFrom)),
      hasContent: record.hasContent(),
      stored: record.stored(),
      isScheduled: parts.isScheduled,
      running: turns.running(),
    })
  }

  return {
    status,
    list: async () => (await listed(settings().folder)).map(rowOf),
    make(request) {
      if (making) return making
      if (request.by === 'user') quiet.stop()
      making = turns.inTurn(() => attempt(attempting, settings(), request)).finally(() => (making = undefined))
      // The failure of the backup is reported to its caller.
      if (request.by === 'schedule')
        void making.then(
          () => quiet.readOne(settings().folder),
          () => undefined,
        )
      return making
    },
    verify(name) {
      quiet.stop()
      return turns.inTurn(() => verifyNow(name))
    },
    attempts: () => attemptsOf({ settings: settings(), state: record.state(), hasContent: record.hasContent() }),
    onChange: turns.onChange,
    async close() {
      stopper.abort(new Fault('stopped', message('backup.closed')))
      await turns.ended()
    },
  }
}

/** Fault for a backup that does not exist. */
export function unknownBackup(name: string, folder: string): ArchiveFault {
  return new ArchiveFault('notFound', message('backup.absent', { name, folder }))
}
