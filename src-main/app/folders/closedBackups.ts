/**
 * Backups of an archive whose database is not opened: lists and verifies them while it is in use or damaged, and restores one while no
 * process has it open. Making one needs the database and is part of the engine.
 */
import { isAbsolute, join, resolve, sep } from 'node:path'
import { listBackups, type Listed } from '../../archive/backup/backupFolder.ts'
import { unknownBackup } from '../../archive/backup/backups.ts'
import { databaseCopy } from '../../archive/backup/databaseCopy.ts'
import { restoreDatabase, type Restored, type RestoreOrder, type RestoreParts } from '../../archive/backup/restore.ts'
import { readState } from '../../archive/backup/stateFile.ts'
import { rowOf, verifyBackups } from '../../archive/backup/verifyBackups.ts'
import type { BackupRow, BackupState } from '../../contract/services/backups.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { holdLock } from '../../storage/lock.ts'
import { realWorld } from '../../world/real.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { contentOf, noArchive } from './archiveFolder.ts'
import { faultsTranslated } from '../signals/faultsTranslated.ts'
import { readSettings } from '../settings/settings.ts'
import { message } from '../../contract/words/message.ts'

export type { Candidate, Restored } from '../../archive/backup/restore.ts'

/** Where the backups of an archive are. */
interface Place {
  world: World
  folder: string
  /** Results of the last attempts; undefined when, as far as is known, no backup of this archive was made yet. */
  state: BackupState | undefined
}

async function placeOf(
  archiveFolder: string,
  requireFolder: (world: World, archiveFolder: string) => Promise<void>,
): Promise<Place> {
  const world = realWorld()
  await requireFolder(world, archiveFolder)
  // Errors in loupe.toml keep the archive from being opened, and must not keep its backups from being found.
  const { settings } = await readSettings(world, archiveFolder)
  const state = await readState(world.disk, archiveFolder)
  return { world, folder: settings.backup().folder, state }
}

/** Throws `Fault` where the folder is not an archive. */
async function requireArchive(world: World, archiveFolder: string): Promise<void> {
  const content = await contentOf(world, archiveFolder)
  if (content !== 'archive') throw noArchive(archiveFolder, content)
}

/**
 * Throws `Fault` where the folder is neither an archive nor empty. A restore into an empty folder brings back an archive that was lost with
 * its drive.
 */
async function requireArchiveOrEmpty(world: World, archiveFolder: string): Promise<void> {
  const content = await contentOf(world, archiveFolder)
  if (content === 'absent') throw new Fault('notFound', message('restore.noFolder', { folder: archiveFolder }))
  if (content === 'foreign') throw new Fault('refused', message('restore.foreign', { folder: archiveFolder }))
}

/** A folder of backups and its contents. */
export interface BackupFolder {
  folder: string
  backups: BackupRow[]
}

/** Lists the backups, newest first. Throws `Fault`. */
export function listClosedBackups(archiveFolder: string): Promise<BackupFolder> {
  return faultsTranslated(async () => {
    const place = await placeOf(archiveFolder, requireArchive)
    return { folder: place.folder, backups: (await listed(place)).map(rowOf) }
  })
}

/** Returns an empty list where the folder does not exist and never held a backup. */
async function listed({ world, folder, state }: Place): Promise<Listed[]> {
  try {
    return await listBackups(world.disk, folder, state?.archive ?? undefined)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    if (error.code === 'absent' && state?.folder !== folder) return []
    throw new Fault('unreachable', message('restore.unreadable', { folder, problem: diskMessage(error) }), {
      cause: error,
    })
  }
}

/** Parameters of a verification. */
export interface VerifyOrder {
  archiveFolder: string
  /** A name in the folder of backups, or a path; absent: all backups of this archive. */
  given?: string | undefined
  signal: AbortSignal
  onProgress: (share: number) => void
}

/** Verifies backups. Throws `Fault`. */
export function verifyClosedBackups({ archiveFolder, given, signal, onProgress }: VerifyOrder): Promise<BackupFolder> {
  return faultsTranslated(async () => {
    const place = await placeOf(archiveFolder, requireArchive)
    const path = given === undefined ? undefined : pathOf(given, place.folder)
    const folder = path === undefined ? place.folder : join(path, '..')
    const chosen = (await listed({ ...place, folder })).filter((each) =>
      path === undefined ? each.state !== 'otherArchive' : each.path === path,
    )
    if (given !== undefined && path !== undefined && chosen.length === 0) throw await unlisted(place.world, given, path)
    const copy = databaseCopy(place.world, { source: '', leftOut: [] })
    const parts = { world: place.world, copy, folder, bytesPerSecondMax: 0, signal, onProgress }
    return { folder, backups: await verifyBackups(parts, chosen) }
  })
}

/** Explains why a given backup is not in the list: it does not exist, or its folder has no manifest for it. */
async function unlisted({ disk }: World, given: string, path: string): Promise<Fault> {
  if ((await disk.stat(path))?.kind !== 'file') return unknownBackup(given, join(path, '..'))
  return new Fault('refused', message('restore.noManifest', { path }))
}

/** Resolves a name, or a path relative to the shell's current folder. */
function pathOf(given: string, folder: string): string {
  const isPath = isAbsolute(given) || given.includes('/') || given.includes(sep)
  return isPath ? resolve(given) : join(folder, given)
}

/** Parameters of a restore. `confirm` is asked with what would be replaced, before anything is changed. */
export interface RestoreRequest extends Omit<RestoreOrder, 'path'>, Pick<RestoreParts, 'signal' | 'onProgress'> {
  archiveFolder: string
  /** A name in the folder of backups, or a path. */
  given: string
}

/** Restores a backup. Resolves with undefined when the user did not confirm. Throws `Fault`: notFound, refused, inUse, damaged, noSpace. */
export function restoreClosedBackup(request: RestoreRequest): Promise<Restored | undefined> {
  return faultsTranslated(async () => {
    const { archiveFolder, given, signal, onProgress, ofAnyArchive, confirm } = request
    const { world, folder } = await placeOf(archiveFolder, requireArchiveOrEmpty)
    const path = pathOf(given, folder)
    if ((await world.disk.stat(path))?.kind !== 'file') throw unknownBackup(given, join(path, '..'))
    const lock = holdLock(join(archiveFolder, 'loupe.lock'))
    if (!lock) throw new Fault('inUse', message('folder.inUse.restore', { folder: archiveFolder }))
    try {
      return await restoreDatabase({ world, archiveFolder, signal, onProgress }, { path, ofAnyArchive, confirm })
    } finally {
      lock.release()
    }
  })
}
