/** Makes one backup: checks the folder, copies the database, and names the file with its manifest. A crash at any moment leaves a
 *  complete backup, or unfinished parts that the next attempt removes. Schedule and retention are decided elsewhere (`due.ts`,
 *  `retention.ts`). */
import { join } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import type { BackupProgress } from '../../contract/services/backups.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { ownFileMode } from '../../world/permissions.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault, reasonIn } from '../files/archiveFault.ts'
import { hashFile } from '../files/hashing.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import {
  folderProblem,
  goodOf,
  listBackups,
  nameBackup,
  removeUnfinished,
  temporaryPath,
  unfinishedIn,
  writeManifest,
  type ArchiveFolders,
} from './backupFolder.ts'
import type { CheckedCopy } from './checkCopy.thread.ts'
import type { DatabaseCopy } from './databaseCopy.ts'
import { settingsBytesMax } from './limits.ts'
import { backupName, type Manifest } from './manifest.ts'

export interface MakeParts {
  world: World
  copy: DatabaseCopy
  databasePath: string
  folders: ArchiveFolders
  software: string
  /** Bytes that must stay free on a disk after a backup was written to it. */
  freeBytesMin: number
}

export interface MakeOrder {
  archive: string
  folder: string
  /** Whether backups of this archive were made in the folder before: if none is there now, its drive is disconnected. */
  isExpected: boolean
  /** Maximum rate of reading a backup again, in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
  signal: AbortSignal
  onProgress: (progress: BackupProgress) => void
}

/** Result of an attempt. `unchanged`: the newest backup has the same content and was confirmed instead. */
export interface Made {
  outcome: 'made' | 'unchanged'
  manifest: Manifest
}

/** Reports that the live database is damaged; the text contains the first finding of `integrity_check`. */
export class DatabaseDamaged extends Fault {
  constructor(databasePath: string, problem: Message) {
    super('damaged', message('backup.database.damaged', { path: databasePath, problem }))
  }
}

/** Makes a backup. Rejects with `Fault`, `DiskFault`, `StorageFault`, or the signal's reason. */
export async function makeBackup(parts: MakeParts, order: MakeOrder): Promise<Made> {
  const { world, databasePath } = parts
  const { disk } = world
  const { archive, folder } = order
  await useFolder(parts, order)
  const snapshot = snapshotPath(databasePath)
  for (const name of await unfinishedIn(disk, folder, archive)) await removeUnfinished(disk, folder, name)
  await removeSnapshot(world, databasePath)
  await requireRoom(parts, folder)
  const name = await freeName(parts, order)
  const target = temporaryPath(folder, name)
  try {
    // SQLite keeps the mode of a file that it finds empty.
    for (const path of [snapshot, target]) await disk.write(path, new Uint8Array(), ownFileMode)
    return await writeBackup(parts, order, { name, snapshot, target })
  } catch (error) {
    await removeUnfinished(disk, folder, name).catch(keptForNextTime)
    throw error
  } finally {
    await removeSnapshot(world, databasePath).catch(keptForNextTime)
  }
}

/** Path of the snapshot of the live database: next to it, because the snapshot still contains the sessions of running jobs, which must
 *  not reach the backup folder. */
function snapshotPath(databasePath: string): string {
  return `${databasePath}-snapshot`
}

/** Removes the snapshot. Also called at start, because a snapshot left by a crash contains sessions. */
export async function removeSnapshot({ disk }: World, databasePath: string): Promise<void> {
  const snapshot = snapshotPath(databasePath)
  for (const path of [`${snapshot}-wal`, `${snapshot}-shm`, `${snapshot}-journal`, snapshot])
    await disk.remove(path).catch(undefinedWhenAbsent)
}

/** Ignores disk faults: files that cannot be removed now are removed by the next attempt. */
function keptForNextTime(error: unknown): void {
  if (!(error instanceof DiskFault)) throw error
}

async function useFolder({ world, folders }: MakeParts, order: MakeOrder): Promise<void> {
  const { disk } = world
  const { folder, archive, isExpected } = order
  const refuse = async () => {
    const problem = await folderProblem(disk, folder, folders)
    if (problem !== undefined) throw new ArchiveFault('refused', message('backup.refused', { problem }))
  }
  await refuse()
  if (isExpected) {
    const listed = await listBackups(disk, folder, archive).catch(noneWhenAbsent)
    if (!listed.some(({ state }) => state !== 'otherArchive'))
      throw new ArchiveFault('unreachable', message('backup.folder.empty', { folder }))
    return
  }
  await disk.makeFolder(folder)
  // The targets of links are known only once the folder exists.
  await refuse()
}

function noneWhenAbsent(error: unknown): never[] {
  undefinedWhenAbsent(error)
  return []
}

async function requireRoom({ world, databasePath, freeBytesMin }: MakeParts, folder: string): Promise<void> {
  const { disk } = world
  const archiveFolder = join(databasePath, '..')
  const journal = await disk.stat(`${databasePath}-wal`)
  const bytes = ((await disk.stat(databasePath))?.bytes ?? 0) + (journal?.bytes ?? 0)
  const isSame = (await disk.deviceOf(folder)) === (await disk.deviceOf(archiveFolder))
  // The snapshot is next to the database, the backup in its folder.
  const needs = isSame ? [{ at: folder, bytes: 2 * bytes }] : [folder, archiveFolder].map((at) => ({ at, bytes }))
  for (const need of needs) {
    const free = await disk.freeBytes(need.at)
    if (free - need.bytes < freeBytesMin)
      throw new ArchiveFault(
        'noSpace',
        message('backup.noSpace', { folder: need.at, bytes: need.bytes, kept: freeBytesMin, free }),
      )
  }
}

async function freeName({ world }: MakeParts, { archive, folder }: MakeOrder): Promise<string> {
  const nowMs = world.clock.now()
  for (let number = 1; ; number += 1) {
    const name = backupName(archive, nowMs, number)
    if (!(await world.disk.isTaken(join(folder, name)))) return name
  }
}

interface Paths {
  name: string
  snapshot: string
  target: string
}

async function writeBackup(parts: MakeParts, order: MakeOrder, { name, snapshot, target }: Paths): Promise<Made> {
  const { world, copy, databasePath } = parts
  const { folder, signal, onProgress } = order
  const madeMs = world.clock.now()
  const { problems } = await copy.write({ snapshot, target }, { signal, onReport: onProgress })
  if (problems[0]) throw new DatabaseDamaged(databasePath, problems[0])
  await world.disk.syncFile(target)
  const { sha256, bytes } = await hashFile(world, { path: target, bytesPerSecondMax: 0 }, { signal })
  const unchanged = await unchangedSince(parts, order, sha256)
  if (unchanged) {
    await removeUnfinished(world.disk, folder, name)
    return { outcome: 'unchanged', manifest: unchanged }
  }
  const onReport = (share: number) => onProgress({ phase: 'verifying', share })
  const checked = await copy.check(target, { signal, onReport })
  const problem = checked.problems[0]
  if (problem !== undefined) throw new ArchiveFault('unreachable', message('backup.notWhole', { folder, problem }))
  const manifest = await manifestFor(parts, order, { name, sha256, bytes, madeMs, checked })
  await nameBackup(world.disk, folder, manifest)
  return { outcome: 'made', manifest }
}

/** Confirms the newest backup if it has the same content and is still intact when read again; otherwise undefined. */
async function unchangedSince(
  { world, folders }: MakeParts,
  order: MakeOrder,
  sha256: string,
): Promise<Manifest | undefined> {
  const { archive, folder, signal, bytesPerSecondMax, onProgress } = order
  const [newest] = goodOf(await listBackups(world.disk, folder, archive))
  if (newest?.sha256 !== sha256) return undefined
  onProgress({ phase: 'verifying', share: 0 })
  const manifest = await verifyByReading(world, { folder, manifest: newest, bytesPerSecondMax, signal })
  if (manifest.problem !== null) return undefined
  // The settings are not part of the database and may have changed.
  const settings = await settingsText(world, folders.archiveFolder)
  const confirmed = { ...manifest, confirmed: manifest.verified, settings }
  await writeManifest(world.disk, folder, confirmed)
  return confirmed
}

export interface Reading {
  folder: string
  manifest: Manifest
  bytesPerSecondMax: number
  signal: AbortSignal
}

/** Reads a backup, compares its checksum and writes the result to its manifest. */
export async function verifyByReading(world: World, reading: Reading): Promise<Manifest> {
  const { folder, manifest, bytesPerSecondMax, signal } = reading
  const path = join(folder, manifest.name)
  const problem = await hashFile(world, { path, bytesPerSecondMax }, { signal }).then(
    ({ sha256 }) => (sha256 === manifest.sha256 ? null : message('backup.file.checksum', { path })),
    unreadable,
  )
  const verified = { ...manifest, verified: new Date(world.clock.now()).toISOString(), problem }
  await writeManifest(world.disk, folder, verified)
  return verified
}

/** Problem of a file that cannot be read. An unavailable folder shows when the manifest is written. */
function unreadable(error: unknown): Message {
  if (!(error instanceof DiskFault)) throw error
  return message('backup.file.unreadable', { problem: reasonIn(error) })
}

interface Written {
  name: string
  sha256: string
  bytes: number
  madeMs: number
  checked: CheckedCopy
}

async function manifestFor(
  { world, folders, software }: MakeParts,
  { archive }: MakeOrder,
  { name, sha256, bytes, madeMs, checked }: Written,
): Promise<Manifest> {
  const { content, schemaVersion } = checked
  if (!content) throw new Error('a copy without problems has content')
  const { auditNumber, auditHash, jobs, files } = content
  const made = new Date(madeMs).toISOString()
  return {
    ...{ name, sha256, bytes, archive, software, schemaVersion, jobs, files, made },
    folder: folders.archiveFolder,
    confirmed: made,
    verified: new Date(world.clock.now()).toISOString(),
    problem: null,
    audit: auditNumber === null || auditHash === null ? null : { number: auditNumber, hash: auditHash },
    settings: await settingsText(world, folders.archiveFolder),
  }
}

async function settingsText({ disk }: World, archiveFolder: string): Promise<string | null> {
  const path = join(archiveFolder, 'loupe.toml')
  const found = await disk.stat(path)
  if (!found || found.bytes > settingsBytesMax) return null
  return Buffer.from(await disk.read(path, settingsBytesMax)).toString('utf8')
}
