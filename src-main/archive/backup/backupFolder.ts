/** The backup folder: whether it can be used, its contents, and how one backup is added and removed. Only files named by a manifest of
 *  this archive, and unfinished parts with names of this archive, are ever removed. */
import { basename, join, resolve } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import type { BackupRow } from '../../contract/services/backups.ts'
import { ownFileMode } from '../../world/permissions.ts'
import type { Disk } from '../../world/world.ts'
import { isInside } from '../../world/isInside.ts'
import { temporaryName } from '../files/names.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import { backupsListedMax, manifestBytesMax } from './limits.ts'
import {
  isNameOf,
  manifestName,
  manifestOf,
  manifestText,
  nameOfManifest,
  nameOfUnfinished,
  type Manifest,
} from './manifest.ts'

/** A backup in the folder, with its state. */
export interface Listed {
  name: string
  path: string
  state: BackupRow['state']
  problem: Message | null
  /** Manifest of the backup; undefined when it cannot be read. */
  manifest: Manifest | undefined
}

/** Lists the finished backups with a manifest, newest first. `archive`: identity of this archive; undefined when unknown. Rejects with
 *  `DiskFault` when the folder cannot be read. */
export async function listBackups(disk: Disk, folder: string, archive: string | undefined): Promise<Listed[]> {
  const names: string[] = []
  for await (const entries of disk.pages(folder))
    names.push(...entries.flatMap(({ name }) => nameOfManifest(name) ?? []))
  const isOwn = (name: string) => archive !== undefined && isNameOf(archive, name)
  // Names contain the time: where there are too many, the newest of this archive are listed.
  names.sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || (one < other ? 1 : -1))
  const listed: Listed[] = []
  for (const name of names.slice(0, backupsListedMax)) {
    const one = await listedOne(disk, { folder, name, archive })
    // A manifest next to an unfinished part belongs to it and is removed with it.
    if (one.state !== 'missing' || !(await disk.isTaken(temporaryPath(folder, name)))) listed.push(one)
  }
  const orderOf = ({ manifest }: Listed) => manifest?.confirmed ?? ''
  return listed.sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1))
}

/** Manifests of the good backups, in the order of the list. */
export function goodOf(listed: readonly Listed[]): Manifest[] {
  return listed.flatMap(({ state, manifest }) => (state === 'good' && manifest ? [manifest] : []))
}

async function listedOne(
  disk: Disk,
  { folder, name, archive }: { folder: string; name: string; archive: string | undefined },
): Promise<Listed> {
  const path = join(folder, name)
  const manifest = await readManifest(disk, path)
  const is = (state: Listed['state'], problem: Message | null): Listed => ({ name, path, state, problem, manifest })
  if (!manifest) return is('unreadable', message('backup.manifest.unreadable', { manifest: manifestName(name) }))
  if (archive !== undefined && manifest.archive !== archive) return is('otherArchive', null)
  const file = await disk.stat(path)
  if (file?.kind !== 'file') return is('missing', message('backup.file.missing', { path }))
  if (manifest.problem !== null) return is('damaged', manifest.problem)
  if (file.bytes !== manifest.bytes)
    return is('damaged', message('backup.file.length', { path, found: file.bytes, expected: manifest.bytes }))
  return is('good', null)
}

/** Manifest of the backup at `path`; undefined when there is none or it cannot be read. */
export async function readManifest(disk: Disk, path: string): Promise<Manifest | undefined> {
  const bytes = await disk.read(manifestName(path), manifestBytesMax).catch(undefinedOnFault)
  return bytes && manifestOf(basename(path), Buffer.from(bytes).toString('utf8'))
}

/** Writes the manifest next to its backup, readable for the owner only. */
export async function writeManifest(disk: Disk, folder: string, manifest: Manifest): Promise<void> {
  await disk.write(join(folder, manifestName(manifest.name)), Buffer.from(manifestText(manifest)), ownFileMode)
}

/** Path of a backup while it is unfinished. */
export function temporaryPath(folder: string, name: string): string {
  return join(folder, temporaryName(name))
}

/** Renames a verified and synced temporary file to its final name. The manifest is written first, so a file with the name of a backup
 *  always has one. */
export async function nameBackup(disk: Disk, folder: string, manifest: Manifest): Promise<void> {
  const { name } = manifest
  await writeManifest(disk, folder, manifest)
  await disk.rename(temporaryPath(folder, name), join(folder, name))
  await disk.syncFolder(folder)
}

/** Removes an unfinished backup. The manifest is removed first, so that a crash or power failure never leaves one alone. */
export async function removeUnfinished(disk: Disk, folder: string, name: string): Promise<void> {
  const isNamed = (await disk.stat(join(folder, name))) !== undefined
  const temporary = temporaryPath(folder, name)
  if (!isNamed) {
    await disk.remove(join(folder, manifestName(name))).catch(undefinedWhenAbsent)
    await disk.syncFolder(folder)
  }
  for (const path of [temporaryPath(folder, manifestName(name)), `${temporary}-journal`, temporary])
    await disk.remove(path).catch(undefinedWhenAbsent)
}

/** Removes a backup. The file is first renamed to an unfinished one, so that after a crash the next attempt removes the rest. */
export async function removeBackup(disk: Disk, folder: string, name: string): Promise<void> {
  await disk.rename(join(folder, name), temporaryPath(folder, name))
  await disk.syncFolder(folder)
  await removeUnfinished(disk, folder, name)
}

/** Names of backups of this archive that were left unfinished by a crash. */
export async function unfinishedIn(disk: Disk, folder: string, archive: string): Promise<string[]> {
  const names = new Set<string>()
  for await (const entries of disk.pages(folder))
    for (const { name } of entries) names.add(nameOfUnfinished(name, archive) ?? '')
  names.delete('')
  return [...names]
}

/** Folders from which backups must be kept apart. */
export interface ArchiveFolders {
  archiveFolder: string
  replicas: readonly { name: string; folder: string }[]
}

/** Folders of the archive whose contents Loupe removes or treats as its own. */
const ownFolders = ['jobs', 'incoming', 'indexes', 'batch', 'pageAudits', 'quality']

/** Reason why backups cannot be kept in this folder; undefined when they can. Compares names and the targets of links. */
export async function folderProblem(
  disk: Disk,
  folder: string,
  { archiveFolder, replicas }: ArchiveFolders,
): Promise<Message | undefined> {
  const others = [
    ...replicas.map((replica) => ({
      folder: replica.folder,
      problem: message('backup.folder.inReplica', { folder, replica: replica.name }),
    })),
    ...ownFolders.map((name) => ({
      folder: join(archiveFolder, name),
      problem: message('backup.folder.inOwn', { folder, name }),
    })),
  ]
  const problemOf = (at: string, archiveAt: string, where: (path: string) => string): Message | undefined => {
    if (at === archiveAt) return message('backup.folder.own', { folder })
    return others.find((other) => where(other.folder) === at || isInside(where(other.folder), at))?.problem
  }
  const named = problemOf(resolve(folder), resolve(archiveFolder), resolve)
  if (named !== undefined) return named
  const leads = new Map<string, string>()
  for (const path of [folder, archiveFolder, ...others.map((other) => other.folder)])
    leads.set(path, (await disk.realPath(path).catch(undefinedOnFault)) ?? resolve(path))
  const real = (path: string) => leads.get(path) ?? resolve(path)
  return problemOf(real(folder), real(archiveFolder), real)
}

/** Whether a folder is on a different file system than all of `others`. Folders that do not exist now are ignored, since a
 *  disconnected drive is not the one in use. Undefined when it cannot be determined. */
export async function isApart(disk: Disk, folder: string, others: readonly string[]): Promise<boolean | undefined> {
  const own = await disk.deviceOf(folder).catch(undefinedOnFault)
  if (own === undefined) return undefined
  for (const other of others) if ((await disk.deviceOf(other).catch(undefinedOnFault)) === own) return false
  return true
}
