/** Restricts an archive to its own account or group: first the top folder, which makes all its contents inaccessible at once, then the
 *  contents, so that no file becomes readable when it is moved elsewhere. New files inherit from their folder
 *  (`world/permissions.ts`). Exports and other files outside the archive are not covered. */
import { join, relative } from 'node:path'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { ownFolderMode } from '../../world/permissions.ts'
import { DiskFault, type Disk, type Entry } from '../../world/world.ts'

/** Result of restricting one folder. */
export interface ClosedFolder {
  /** Previous permissions of the folder; undefined when they were right, or when the system has none. */
  was: number | undefined
  /** Why the permissions could not be set: the folder belongs to another account, or the file system keeps none. */
  refused: 'denied' | 'ignored' | undefined
}

export interface ClosedContents {
  changed: number
  /** Number of entries that belong to other accounts and stay unchanged. */
  refused: number
}

interface FolderToClose {
  disk: Disk
  folder: string
  sharedWith: SharedWith
}

/** Files with the secrets of one account: its passwords, and the address of its engine. They are never shared with a group. */
const ofOneAccount = /^(?:engine|credentials(?:\.\w+)?)\.json$/

/** Permissions of a new folder. */
export function folderModeFor(sharedWith: SharedWith): number {
  return modeFor({ kind: 'folder', mode: ownFolderMode }, sharedWith)
}

/** Restricts the folder and the files directly in it, such as the database. Called before they are opened. */
export async function closeFolder(of: FolderToClose): Promise<ClosedFolder> {
  const { disk, folder, sharedWith } = of
  const entry = await disk.stat(folder)
  if (entry?.mode === undefined) return { was: undefined, refused: undefined }
  const wanted = modeFor(entry, sharedWith)
  const closed = wanted === entry.mode ? undefined : await closedNow(disk, folder, wanted)
  await closing(of, new AbortController().signal).files()
  return { was: closed && entry.mode, refused: closed?.refused }
}

async function closedNow(disk: Disk, folder: string, mode: number): Promise<Pick<ClosedFolder, 'refused'>> {
  if (!(await isSet(disk, folder, mode))) return { refused: 'denied' }
  return { refused: (await disk.stat(folder))?.mode === mode ? undefined : 'ignored' }
}

/** Restricts all contents of the folder. Folders with the right permissions are skipped; a folder's own permissions are changed after
 *  those of its contents, so an interrupted run continues where it stopped and a repeated run reads only the top folder. */
export function closeContents(of: FolderToClose, signal: AbortSignal): Promise<ClosedContents> {
  return closing(of, signal).all()
}

function closing(
  of: FolderToClose,
  signal: AbortSignal,
): { files(): Promise<ClosedContents>; all(): Promise<ClosedContents> } {
  const done = { changed: 0, refused: 0 }
  let top = ''

  async function closeIn(folder: string, isWanted: (entry: Entry) => boolean): Promise<void> {
    for await (const page of of.disk.pages(folder)) {
      for (const entry of page) {
        if (signal.aborted) return
        if (isWanted(entry)) await closeOne(join(folder, entry.name), entry)
      }
    }
  }

  async function closeOne(path: string, entry: Entry): Promise<void> {
    const isOwn = ofOneAccount.test(relative(of.folder, path))
    const wanted = modeFor(entry, isOwn ? 'nobody' : of.sharedWith)
    if (entry.mode === undefined || wanted === entry.mode || !(await isInFolder(path))) return
    if (entry.kind === 'folder') await unlessGone(closeIn(path, () => true))
    if (signal.aborted) return
    const isDone = await unlessGone(isSet(of.disk, path, wanted))
    if (isDone === true) done.changed += 1
    if (isDone === false) done.refused += 1
  }

  /** Whether the path is inside the archive; false for a link to another place, whose target must not be changed. */
  async function isInFolder(path: string): Promise<boolean> {
    return (await unlessGone(of.disk.realPath(path))) === join(top, relative(of.folder, path))
  }

  const close = async (isWanted: (entry: Entry) => boolean) => {
    top = await of.disk.realPath(of.folder)
    await closeIn(of.folder, isWanted)
    return done
  }
  return { files: () => close(({ kind }) => kind === 'file'), all: () => close(() => true) }
}

/** Permissions for an entry. The owner's own permissions are kept, so write-protected copies stay protected. */
function modeFor({ kind, mode = 0 }: Pick<Entry, 'kind' | 'mode'>, sharedWith: SharedWith): number {
  const own = mode & 0o700
  if (sharedWith === 'nobody') return own
  // The set-group-ID bit makes new entries inherit the group of the folder.
  return own | (own >> 3) | (kind === 'folder' ? 0o2000 : 0)
}

/** Sets the permissions; false when the file belongs to another account. */
async function isSet(disk: Disk, path: string, mode: number): Promise<boolean> {
  try {
    await disk.setMode(path, mode)
    return true
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'denied') return false
    throw error
  }
}

/** Waits for an operation on an entry. Returns undefined when the entry was removed or renamed meanwhile, or is a folder that cannot be read. */
async function unlessGone<T>(act: Promise<T>): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (error instanceof DiskFault && (error.code === 'absent' || error.code === 'denied')) return undefined
    throw error
  }
}
