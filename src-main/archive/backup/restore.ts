/** Restores a backup as the database of an archive that is not open. The present database may be damaged or missing. The backup is
 *  copied, checked, migrated to the newest schema and given its audit entry before anything is moved. The caller holds the lock of the
 *  archive. */
import { basename, join } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { checkDatabase, snapshotDatabase } from '../../storage/copies.ts'
import { newestSchemaVersion } from '../../storage/schema/migrations.ts'
import { openStore, StorageFault } from '../../storage/storage.ts'
import { ownFileMode } from '../../world/permissions.ts'
import type { Disk, World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { openAuditLog } from '../audit/audit.ts'
import { copyFile } from '../files/hashing.ts'
import { auditHeadBytesMax } from '../files/limits.ts'
import { temporaryName } from '../files/names.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import { backupStatements, contentStatement, type ContentRow } from './backup.sql.ts'
import { readManifest } from './backupFolder.ts'
import type { Manifest } from './manifest.ts'
import { removeSnapshot } from './makeBackup.ts'
import { asideEnding, asideName, finishPlacing, placeDatabase, preparedName, preparedPath } from './placeDatabase.ts'
import { readState, writeState } from './stateFile.ts'

export interface RestoreParts {
  world: World
  archiveFolder: string
  signal: AbortSignal
  /** Called with the current phase and its progress from 0 to 1. */
  onProgress: (doing: 'copying' | 'checking', share: number) => void
}

/** A backup that was copied and checked, before the archive is changed. */
export interface Candidate {
  path: string
  name: string
  bytes: number
  /** Manifest of the backup; undefined when there is none, so that only the check of the database itself shows that it is intact. */
  manifest: Manifest | undefined
  content: ContentRow
  /** Whether there is a database now, which will be renamed. */
  isReplacing: boolean
}

export interface RestoreOrder {
  path: string
  /** Whether a backup of another archive is accepted. */
  ofAnyArchive: boolean
  confirm: (candidate: Candidate) => Promise<boolean>
}

export interface Restored extends Candidate {
  /** New name of the previous database; null when there was none. */
  movedTo: string | null
  /** Whether loupe.toml was missing and was restored from the manifest. */
  isSettingsRestored: boolean
}

/** Restores a backup. Returns undefined, with nothing changed, when the user did not confirm. Rejects with `Fault`, `DiskFault` or
 *  `StorageFault`. */
export async function restoreDatabase(parts: RestoreParts, order: RestoreOrder): Promise<Restored | undefined> {
  const { world, archiveFolder } = parts
  const { disk } = world
  await finishPlacing(disk, archiveFolder)
  await removePrepared(disk, archiveFolder)
  const candidate = await prepareCandidate(parts, order).catch(async (error: unknown) => {
    await removePrepared(disk, archiveFolder)
    throw error
  })
  if (!candidate) {
    await removePrepared(disk, archiveFolder)
    return undefined
  }
  const isSettingsRestored = await restoreSettings(disk, archiveFolder, candidate.manifest)
  await placeDatabase(disk, archiveFolder, candidate.ending)
  await removeSnapshot(world, join(archiveFolder, 'loupe.db'))
  await noteRestored(disk, archiveFolder, candidate.identity)
  return { ...candidate, isSettingsRestored }
}

async function removePrepared(disk: Disk, archiveFolder: string): Promise<void> {
  const path = preparedPath(archiveFolder)
  const temporary = join(archiveFolder, temporaryName(preparedName))
  for (const each of [`${path}-wal`, `${path}-shm`, `${path}-journal`, path, temporary])
    await disk.remove(each).catch(undefinedWhenAbsent)
}

interface Ready extends Candidate {
  identity: string | undefined
  /** Suffix of the names under which the present files are kept. */
  ending: string
  movedTo: string | null
}

/** Prepares the restore up to the point where the archive itself is changed. Undefined when the user does not confirm. */
async function prepareCandidate(parts: RestoreParts, order: RestoreOrder): Promise<Ready | undefined> {
  const { world, archiveFolder } = parts
  const { disk } = world
  const { path } = order
  const bytes = await backupBytes(parts, path)
  const manifest = await readManifest(disk, path)
  await copyBackup(parts, path, manifest)
  await requireWhole(parts, path)
  const isReplacing = await disk.isTaken(join(archiveFolder, 'loupe.db'))
  const store = openStore(preparedPath(archiveFolder))
  try {
    const identity = backupStatements(store).identity.get({})?.id
    await requireSameArchive(parts, order, identity)
    const content = contentStatement(store).get({})
    if (!content) throw new Error('a count gave no row')
    const candidate: Candidate = { path, name: basename(path), bytes, manifest, content, isReplacing }
    if (!(await order.confirm(candidate))) return undefined
    const nowMs = world.clock.now()
    const ending = await asideEnding(disk, archiveFolder, nowMs)
    const movedTo = isReplacing ? asideName('loupe.db', ending) : null
    const change = await changeOf(parts, candidate, movedTo)
    const entry = { who: 'user', what: 'databaseRestored', subject: candidate.name, ...change } as const
    openAuditLog(store).append(entry, nowMs)
    store.close()
    await disk.syncFile(preparedPath(archiveFolder))
    return { ...candidate, identity, ending, movedTo }
  } finally {
    store.close()
  }
}

async function backupBytes({ world: { disk }, archiveFolder }: RestoreParts, path: string): Promise<number> {
  const found = await disk.stat(path)
  if (found?.kind !== 'file') throw new ArchiveFault('notFound', message('backup.file.absent', { path }))
  const free = await disk.freeBytes(archiveFolder)
  if (free < found.bytes)
    throw new ArchiveFault('noSpace', message('restore.noSpace', { folder: archiveFolder, bytes: found.bytes, free }))
  return found.bytes
}

/** Copies the backup to the prepared path. A backup with a manifest is copied byte by byte while its checksum is verified; another is
 *  copied through SQLite, since it may have a journal. */
async function copyBackup(
  { world, archiveFolder, signal, onProgress }: RestoreParts,
  path: string,
  manifest: Manifest | undefined,
): Promise<void> {
  const { disk } = world
  onProgress('copying', 0)
  if (!manifest) {
    const target = preparedPath(archiveFolder)
    await disk.write(target, new Uint8Array(), ownFileMode)
    const options = { signal, onProgress: (share: number) => onProgress('copying', share) }
    return snapshotDatabase({ source: path, target }, options).catch((error: unknown) => {
      if (error instanceof StorageFault && error.code === 'damaged') throw notWhole(path, message('restore.noDatabase'))
      throw error
    })
  }
  await disk.write(join(archiveFolder, temporaryName(preparedName)), new Uint8Array(), ownFileMode)
  const outcome = await copyFile(
    world,
    { source: path, folder: archiveFolder, name: preparedName, sha256: manifest.sha256, bytesPerSecondMax: 0 },
    { signal, onReport: (done) => onProgress('copying', Math.min(1, done / Math.max(1, manifest.bytes))) },
  )
  if (outcome !== 'copied') throw new Fault('damaged', message('restore.checksum', { path }))
}

async function requireWhole({ archiveFolder, signal, onProgress }: RestoreParts, path: string): Promise<void> {
  const { problems, schemaVersion } = await checkDatabase(preparedPath(archiveFolder), {
    signal,
    onProgress: (share) => onProgress('checking', share),
  })
  if (problems[0] !== undefined) throw notWhole(path, problems[0])
  if (schemaVersion > newestSchemaVersion)
    throw new ArchiveFault(
      'refused',
      message('restore.newer', { path, schema: schemaVersion, supported: newestSchemaVersion }),
    )
}

function notWhole(path: string, problem: Message): Fault {
  return new Fault('damaged', message('restore.notWhole', { path, problem }))
}

async function requireSameArchive(
  { world: { disk }, archiveFolder }: RestoreParts,
  { path, ofAnyArchive }: RestoreOrder,
  identity: string | undefined,
): Promise<void> {
  const own = (await readState(disk, archiveFolder))?.archive ?? undefined
  if (ofAnyArchive || own === undefined || identity === undefined || own === identity) return
  throw new ArchiveFault('refused', message('restore.otherArchive', { path, folder: archiveFolder }))
}

/** Values for the audit entry: the previous database, described by its last entry, and the restored one. */
async function changeOf(
  { world: { disk }, archiveFolder }: RestoreParts,
  { manifest, content, path }: Candidate,
  movedTo: string | null,
): Promise<{ was?: object; became: object }> {
  const head = await disk.read(join(archiveFolder, 'loupe.audit'), auditHeadBytesMax).catch(undefinedOnFault)
  const lastEntry = head && Buffer.from(head).toString('utf8').trim()
  return {
    ...(movedTo === null ? {} : { was: { movedTo, lastEntry: lastEntry ?? null } }),
    became: {
      ...{ path, sha256: manifest?.sha256 ?? null, made: manifest?.made ?? null },
      lastEntry: content.auditNumber,
    },
  }
}

async function restoreSettings(disk: Disk, archiveFolder: string, manifest: Manifest | undefined): Promise<boolean> {
  const path = join(archiveFolder, 'loupe.toml')
  const text = manifest?.settings ?? null
  if (text === null || (await disk.isTaken(path))) return false
  await disk.write(path, Buffer.from(text), ownFileMode)
  return true
}

/** Clears the failures recorded for the previous database. */
async function noteRestored(disk: Disk, archiveFolder: string, identity: string | undefined): Promise<void> {
  const before = await readState(disk, archiveFolder)
  const kept = before ?? { folder: null, last: null, archive: null }
  await writeState(disk, archiveFolder, { ...kept, archive: identity ?? kept.archive, failure: null, damage: null })
}
