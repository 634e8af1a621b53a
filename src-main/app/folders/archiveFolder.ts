/** Which folders are archives: decided before anything is opened or written in one, so that a mistyped folder neither becomes an archive
 *  nor passes for one in which all is well. */
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

/** `archive`: also one whose database is lost. */
export type FolderContent = 'absent' | 'empty' | 'archive' | 'foreign'

const databaseName = 'loupe.db'

/** Each of these files shows that a folder is an archive, since any of the others may be what is lost. */
const filesOfArchive = [
  databaseName,
  ...['loupe.toml', 'loupe.lock', 'loupe.audit', 'loupe.backup', noteName],
  join('jobs', '.sequence'),
]

/** Where none of the files is left, one of these folders shows it if nothing but an archive's folders lies next to it: other
 *  programs name their folders so too (/var/backups). */
const foldersOfArchive = ['replicas', 'jobs', 'quarantine', 'backups']
const furtherFolders = ['attic', 'batch', 'ca', 'incoming', 'indexes', 'pictures']

/** What systems put into folders by themselves, besides hidden files. */
const namesOfSystems = ['lost+found', 'System Volume Information', '$RECYCLE.BIN', 'desktop.ini', 'Thumbs.db']

/** A file in the place of the folder counts as foreign. Rejects with `DiskFault`. */
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

/** Throws `Fault` where the folder may not be opened; makes it where a new archive may begin there. */
export async function admitFolder(world: World, folder: string, accepted: FolderAccepted): Promise<void> {
  const content = await contentOf(world, folder)
  if (content === 'archive') return
  if (accepted !== 'newArchive') throw noArchive(folder, content)
  if (content === 'foreign' && (await world.disk.stat(folder))?.kind === 'folder')
    throw new Fault('refused', message('folder.foreign', { folder }))
  await makeArchiveFolder(world, folder)
}

/** As `admitFolder` for a new archive, for a shell that has much to do before it opens the engine. Throws `Fault`. */
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

const whyNot: Record<DiskFaultCode, { code: FaultCode; problem: Message }> = {
  absent: { code: 'notAllowed', problem: message('folder.unusable.partIsFile') },
  exists: { code: 'notAllowed', problem: message('folder.unusable.isFile') },
  denied: { code: 'notAllowed', problem: message('folder.unusable.denied') },
  full: { code: 'noSpace', problem: message('folder.unusable.full') },
  tooLarge: { code: 'notAllowed', problem: message('folder.unusable.tooLong') },
  failed: { code: 'notAllowed', problem: message('folder.unusable.failed') },
}

interface DatabasePlace {
  databasePath: string
  replicas: readonly { folder: string }[]
  accepted: FolderAccepted
}

/** A lost database must not be replaced by an empty one without a word: that would pass for an archive in which nothing is missing. To be
 *  called once a restore that was interrupted has been finished. Throws `Fault` damaged. */
export async function refuseLostDatabase(world: World, place: DatabasePlace): Promise<void> {
  const { databasePath, accepted } = place
  if (accepted === 'lostDatabase') return
  const found = await world.disk.stat(databasePath)
  if (!found && accepted === 'archive')
    throw new Fault('damaged', message('database.missing', { path: databasePath, waysBack }))
  // To SQLite a file without a byte is a new database.
  const filled = found?.bytes === 0 ? await filledReplica(world, place.replicas) : undefined
  if (filled !== undefined)
    throw new Fault('damaged', message('database.empty', { path: databasePath, replica: filled, waysBack }))
}

const waysBack = message('database.waysBack')

async function filledReplica({ disk }: World, replicas: DatabasePlace['replicas']): Promise<string | undefined> {
  for (const { folder } of replicas) {
    if (!(await disk.stat(folder))) continue
    const entries = await disk.list(folder)
    if (entries.some(({ name }) => !name.startsWith('.'))) return folder
  }
  return undefined
}
