/** Keeps an archive closed to other accounts of the machine: the top folder first, which puts everything in it out of reach at once, and
 *  then what lies in it, so that no file becomes readable when it is moved elsewhere. What is made later takes after its folder
 *  (`world/permissions.ts`). Deliberately not here: folders of exports and other files that are written outside of the archive. */
import { join, relative } from 'node:path'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { ownFolderMode } from '../../world/permissions.ts'
import { DiskFault, type Disk, type Entry } from '../../world/world.ts'

export interface ClosedFolder {
  /** The permissions of the folder itself before; undefined: they were right, or there are none on this system. */
  was: number | undefined
  /** Why they are not as they should be: they belong to another account, or the file system keeps none. */
  refused: 'denied' | 'ignored' | undefined
}

export interface ClosedContents {
  changed: number
  /** Belong to other accounts, and stay as they are. */
  refused: number
}

interface FolderToClose {
  disk: Disk
  folder: string
  sharedWith: SharedWith
}

/** What holds a secret of one account: its passwords, and the way to the engine that it runs. A group does not share it. */
const ofOneAccount = /^(?:engine|credentials(?:\.\w+)?)\.json$/

export function folderModeFor(sharedWith: SharedWith): number {
  return modeFor({ kind: 'folder', mode: ownFolderMode }, sharedWith)
}

/** The folder itself and the files directly in it, the database among them: to be called before they are opened. */
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

/** Everything in the folder. A folder whose own permissions are right is not entered: they are changed after those of what it holds, so
 *  an interrupted run goes on where it was, and a run over an archive that is closed costs one look at its top folder. */
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
    if (entry.mode === undefined || wanted === entry.mode || !(await liesIn(path))) return
    if (entry.kind === 'folder') await unlessGone(closeIn(path, () => true))
    if (signal.aborted) return
    const isDone = await unlessGone(isSet(of.disk, path, wanted))
    if (isDone === true) done.changed += 1
    if (isDone === false) done.refused += 1
  }

  /** False for a link that leads elsewhere: what lies there is not the archive's to change. */
  async function liesIn(path: string): Promise<boolean> {
    return (await unlessGone(of.disk.realPath(path))) === join(top, relative(of.folder, path))
  }

  const close = async (isWanted: (entry: Entry) => boolean) => {
    top = await of.disk.realPath(of.folder)
    await closeIn(of.folder, isWanted)
    return done
  }
  return { files: () => close(({ kind }) => kind === 'file'), all: () => close(() => true) }
}

/** What the account itself may do stays as it is: a copy that somebody has protected against writing stays protected. */
function modeFor({ kind, mode = 0 }: Pick<Entry, 'kind' | 'mode'>, sharedWith: SharedWith): number {
  const own = mode & 0o700
  if (sharedWith === 'nobody') return own
  // The set-group-ID bit hands the group of a folder down to what is made in it.
  return own | (own >> 3) | (kind === 'folder' ? 0o2000 : 0)
}

/** False: it belongs to another account. */
async function isSet(disk: Disk, path: string, mode: number): Promise<boolean> {
  try {
    await disk.setMode(path, mode)
    return true
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'denied') return false
    throw error
  }
}

/** Undefined: it was removed or renamed meanwhile, or is a folder that may not be read. */
async function unlessGone<T>(act: Promise<T>): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (error instanceof DiskFault && (error.code === 'absent' || error.code === 'denied')) return undefined
    throw error
  }
}
