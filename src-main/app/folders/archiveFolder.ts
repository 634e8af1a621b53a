/**
 * Recognition of archive folders, before anything is opened or written in one, so that a mistyped folder neither becomes an archive nor
 * passes for one without problems.
 */
import { join } from 'node:path'
import { noteName } from '../../archive/backup/placeDatabase.ts'
import { Fault, type FaultCode } from '../../contract/calls/faults.ts'
import { shellWord } from '../../contract/text/shellWord.ts'
import { ownFolderMode } from '../../world/permissions.ts'
import { realWorld } from '../../world/real.ts'
import { DiskFault, type DiskFaultCode, type World } from '../../world/world.ts'
import type { FolderAccepted } from '../given/engineSetting.ts'
import { faultsTranslated } from '../signals/faultsTranslated.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** Content of a folder. `archive` includes one whose database is lost. */
export type FolderContent = 'absent' | 'empty' | 'archive' | 'foreign'

/** The database of an archive. It may be lost, so its absence proves nothing. */
const databaseName = 'loupe.db'

/** Any one of these files shows that a folder is an archive, since the others may be lost. */
const filesOfArchive = [
  databaseName,
  ...['loupe.toml', 'loupe.lock', 'loupe.audit', 'loupe.backup', noteName],
  join('jobs', '.sequence'),
]

/**
 * Folders that identify an archive where none of the files is left, if only an archive's folders are next to them: other programs use such
 * names too (/var/backups).
 */
const foldersOfArchive = ['replicas', 'jobs', 'quarantine', 'backups']
const furtherFolders = ['attic', 'batch', 'ca', 'incoming', 'indexes', 'pageAudits', 'pictures', 'quality']

/** Names that systems create in folders by themselves, in addition to hidden files. */
const namesOfSystems = ['lost+found', 'System Volume Information', '$RECYCLE.BIN', 'desktop.ini', 'Thumbs.db']

/** Classifies a folder. A file in its place counts as foreign. Rejects with `DiskFault`. */
export async function contentOf({ disk }: World, folder: string): Promise<FolderContent> {
  const found = await disk.stat(folder)
  if (!found) return 'absent'
  if (found.kind !== 'folder') return 'foreign'
  for (const name of filesOfArchive) if (await disk.stat(join(folder, name))) return 'archive'
  const names = new Set<string>()
  for await (const page of disk.pages(folder)) {
    for (const { name, kind } of page) {
      if (name.startsWith('.') || namesOfSystems.includes(name)) continue
      if (kind !== 'folder' || ![...foldersOfArchive, ...furtherFolders].includes(name)) return 'foreign'
      names.add(name)
    }
  }
  if (names.size === 0) return 'empty'
  return foldersOfArchive.some((name) => names.has(name)) ? 'archive' : 'foreign'
}

/** Throws `Fault` where the folder may not be opened; creates it where a new archive may begin there. */
export async function admitFolder(world: World, folder: string, accepted: FolderAccepted): Promise<void> {
  const content = await contentOf(world, folder)
  if (content === 'archive') return
  if (accepted !== 'newArchive') throw noArchive(folder, content)
  if (content === 'foreign' && (await world.disk.stat(folder))?.kind === 'folder')
    throw new Fault('refused', message('folder.foreign', { folder }))
  await makeArchiveFolder(world, folder)
}

/** Applies `admitFolder` for a new archive, for a shell with long work to do before it opens the engine. Throws `Fault`. */
export function admitNewArchive(folder: string): Promise<void> {
  return faultsTranslated(() => admitFolder(realWorld(), folder, 'newArchive'))
}

/** Refusal of a command that needs an existing archive. */
export function noArchive(folder: string, content: Exclude<FolderContent, 'archive'>): Fault {
  const command = `loupe --archive ${content === 'foreign' ? 'DIR' : shellWord(folder)} init`
  return new Fault(
    'notFound',
    message(content === 'foreign' ? 'folder.notArchive' : 'folder.absent', { folder, command }),
  )
}

async function makeArchiveFolder(world: World, folder: string): Promise<void> {
  try {
    await world.disk.makeFolder(folder, ownFolderMode)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    const { code, problem } = whyNot[error.code]
    throw new Fault(code, message('folder.unusable', { folder, problem }), { cause: error })
  }
}

/** Why a folder cannot be created, with the fault of the contract for it. */
const whyNot: Record<DiskFaultCode, { code: FaultCode; problem: Message }> = {
  absent: { code: 'notAllowed', problem: message('folder.unusable.partIsFile') },
  exists: { code: 'notAllowed', problem: message('folder.unusable.isFile') },
  denied: { code: 'notAllowed', problem: message('folder.unusable.denied') },
  full: { code: 'noSpace', problem: message('folder.unusable.full') },
  tooLarge: { code: 'notAllowed', problem: message('folder.unusable.tooLong') },
  failed: { code: 'notAllowed', problem: message('folder.unusable.failed') },
}

/** An archive whose database may be lost. */
interface DatabasePlace {
  databasePath: string
  replicas: readonly { folder: string }[]
  accepted: FolderAccepted
}

/**
 * Refuses to replace a lost database silently by an empty one: that would pass for an archive in which nothing is missing. Must be called
 * after an interrupted restore has been finished. Throws `Fault` damaged.
 */
export async function refuseLostDatabase(world: World, place: DatabasePlace): Promise<void> {
  const { databasePath, accepted } = place
  if (accepted === 'lostDatabase') return
  const found = await world.disk.stat(databasePath)
  if (!found && accepted === 'archive')
    throw new Fault('damaged', message('database.missing', { path: databasePath, waysBack }))
  // SQLite treats an empty file as a new database.
  const filled = found?.bytes === 0 ? await filledReplica(world, place.replicas) : undefined
  if (filled !== undefined)
    throw new Fault('damaged', message('database.empty', { path: databasePath, replica: filled, waysBack }))
}

const waysBack = message('database.waysBack')

/** Returns the first replica folder that holds any file, which shows that the archive was in use. */
async function filledReplica({ disk }: World, replicas: DatabasePlace['replicas']): Promise<string | undefined> {
  for (const { folder } of replicas) {
    if (!(await disk.stat(folder))) continue
    const entries = await disk.list(folder)
    if (entries.some(({ name }) => !name.startsWith('.'))) return folder
  }
  return undefined
}
