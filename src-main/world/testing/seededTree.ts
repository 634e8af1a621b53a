/** Names and folders of the seeded disk, in two states: as a program sees them, and as a power cut would leave them. Changes
 *  of names wait in a list until their folder is synced; the cut keeps some of them and undoes others, but never half of a
 *  rename and never a change whose predecessor was undone. POSIX permits this, and journalling file systems behave so. The
 *  content of files is in `seededFile.ts`. */
import { sep } from 'node:path'
import type { SeededChance } from './seededChance.ts'
import { cutPower, newFile, type SeededFile } from './seededFile.ts'
import { fileModeIn, folderModeIn, isClosed, ownFileMode } from '../permissions.ts'
import { DiskFault, type NewMode } from '../world.ts'

/** A folder: names as seen by programs, and as held by the device. */
export interface SeededFolder {
  kind: 'folder'
  seen: Map<string, SeededNode>
  held: Map<string, SeededNode>
  modifiedAtMs: number
  /** Stored, but not enforced: a program here may do everything. */
  mode: number
}

export type SeededNode = SeededFile | SeededFolder

/** One name of one folder, before and after; a change is one edit, a rename two that are kept or undone together. */
interface Edit {
  folder: SeededFolder
  name: string
  before: SeededNode | undefined
  after: SeededNode | undefined
}
type Change = readonly Edit[]

/** The tree of one disk. */
export interface SeededTree {
  find(path: string): SeededNode | undefined
  /** Throws `DiskFault` absent. */
  folder(path: string): SeededFolder
  createFile(path: string, nowMs: number, mode?: NewMode): SeededFile
  /** Creates the missing folders of the path; returns the folders in which a name was added. */
  makeFolder(path: string, nowMs: number, mode?: number): string[]
  rename(from: string, to: string): void
  remove(path: string): void
  syncFolder(path: string): void
  cutPower(chance: SeededChance): void
}

/** Modes under the usual umask. */
const usualFileMode = 0o644
const usualFolderMode = 0o755

const newFolder = (modifiedAtMs: number, mode: number): SeededFolder => ({
  kind: 'folder',
  seen: new Map(),
  held: new Map(),
  modifiedAtMs,
  mode,
})

function modeOfFile(folder: SeededFolder, mode: NewMode | undefined): number {
  if (typeof mode === 'number') return mode
  if (isClosed(folder.mode)) return fileModeIn(folder.mode)
  return mode === 'closed' ? ownFileMode : usualFileMode
}

/** Returns an empty tree. */
export function seededTree(startMs: number): SeededTree {
  const root = newFolder(startMs, usualFolderMode)
  let waiting: Change[] = []

  function find(path: string): SeededNode | undefined {
    let node: SeededNode | undefined = root
    for (const name of namesOf(path)) node = node?.kind === 'folder' ? node.seen.get(name) : undefined
    return node
  }
  function folder(path: string): SeededFolder {
    const node = find(path)
    if (node?.kind !== 'folder') throw new DiskFault('absent', path)
    return node
  }
  function place(path: string): { folder: SeededFolder; name: string } {
    const names = namesOf(path)
    const name = names.pop()
    if (name === undefined) throw new DiskFault('failed', path)
    const parent = find(names.join(sep))
    if (parent?.kind !== 'folder') throw new DiskFault('absent', path)
    return { folder: parent, name }
  }
  function change(...places: { folder: SeededFolder; name: string; after: SeededNode | undefined }[]): void {
    waiting.push(places.map((place) => ({ ...place, before: place.folder.seen.get(place.name) })))
    for (const { folder, name, after } of places) put(folder.seen, name, after)
  }

  return {
    find,
    folder,
    createFile(path, nowMs, mode) {
      const placed = place(path)
      const file = newFile(nowMs, modeOfFile(placed.folder, mode))
      change({ ...placed, after: file })
      return file
    },
    makeFolder(path, nowMs, mode) {
      const names = namesOf(path)
      return names.flatMap((_, index) => {
        const way = names.slice(0, index + 1).join(sep)
        const found = find(way)
        if (found?.kind === 'folder') return []
        if (found) throw new DiskFault(index === names.length - 1 ? 'exists' : 'absent', path)
        const placed = place(way)
        const inherited = isClosed(placed.folder.mode) ? folderModeIn(placed.folder.mode) : usualFolderMode
        const own = index === names.length - 1 ? mode : undefined
        change({ ...placed, after: newFolder(nowMs, own ?? inherited) })
        return [names.slice(0, index).join(sep)]
      })
    },
    rename(from, to) {
      const [source, target] = [place(from), place(to)]
      const moved = source.folder.seen.get(source.name)
      if (!moved) throw new DiskFault('absent', from)
      const replaced = target.folder.seen.get(target.name)
      if (replaced === moved) return
      refuseReplacing(moved, replaced, from)
      change({ ...source, after: undefined }, { ...target, after: moved })
    },
    remove(path) {
      const found = place(path)
      const node = found.folder.seen.get(found.name)
      if (!node) throw new DiskFault('absent', path)
      // unlink(2): Linux reports EISDIR, others EPERM.
      if (node.kind === 'folder') throw new DiskFault('failed', path)
      change({ ...found, after: undefined })
    },
    syncFolder(path) {
      const synced = folder(path)
      const isNeeded = neededFor(synced)
      // In reverse order, so that a change is marked as needed before its own dependencies are checked.
      const needed = new Set(waiting.toReversed().filter(isNeeded))
      for (const change of waiting) if (needed.has(change)) hold(change)
      waiting = waiting.filter((change) => !needed.has(change))
    },
    cutPower(chance) {
      for (const change of waiting) if (standsOnHeld(change) && chance.happens(500)) hold(change)
      waiting = []
      forget(root, chance, new Set())
    },
  }
}

/** rename(2): a file does not replace a folder, nor a folder anything but an empty folder. */
function refuseReplacing(moved: SeededNode, replaced: SeededNode | undefined, path: string): void {
  if (replaced === undefined) return
  if (moved.kind === 'folder' && replaced.kind === 'file') throw new DiskFault('absent', path)
  if (replaced.kind === 'folder' && (moved.kind === 'file' || replaced.seen.size > 0))
    throw new DiskFault('failed', path)
}

function neededFor(folder: SeededFolder): (change: Change) => boolean {
  const names = new Map<SeededFolder, Set<string>>()
  return (change) => {
    const isNeeded = change.some((edit) => edit.folder === folder || names.get(edit.folder)?.has(edit.name))
    if (isNeeded) {
      for (const { folder, name } of change) names.set(folder, (names.get(folder) ?? new Set()).add(name))
    }
    return isNeeded
  }
}

function standsOnHeld(change: Change): boolean {
  return change.every(({ folder, name, before }) => folder.held.get(name) === before)
}

function hold(change: Change): void {
  for (const { folder, name, after } of change) put(folder.held, name, after)
}

function put(names: Map<string, SeededNode>, name: string, node: SeededNode | undefined): void {
  if (node) names.set(name, node)
  else names.delete(name)
}

/** Resets what programs see to the state of the device. */
function forget(node: SeededNode, chance: SeededChance, done: Set<SeededNode>): void {
  if (done.has(node)) return
  done.add(node)
  if (node.kind === 'file') return cutPower(node, chance)
  node.seen = new Map(node.held)
  for (const below of node.seen.values()) forget(below, chance, done)
}

function namesOf(path: string): string[] {
  const names: string[] = []
  for (const name of path.split(sep)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}
