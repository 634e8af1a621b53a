/** A disk in memory with the promises of `Disk`, a size, faults on demand and power cuts. Its power cut is `cutPower`: see
 *  `seededFile.ts` and `seededTree.ts` for what survives. Permissions are kept and
 *  not enforced: `denied` comes from `fail` only. */
import { basename, dirname, join, sep } from 'node:path'
import type { SeededChance } from './seededChance.ts'
import { syncFile, truncateTo, turnBit, writeAt, type SeededFile } from './seededFile.ts'
import { seededTree, type SeededNode, type SeededTree } from './seededTree.ts'
import { DiskFault, type Disk, type DiskFaultCode, type Entry, type ReadableFile, type WritableFile } from '../world.ts'

export type DiskDeed = keyof Disk | 'readAt' | 'append' | 'truncate' | 'sync'

export interface DiskFailure {
  /** Which paths it strikes. */
  path: RegExp
  code: DiskFaultCode
  /** Which deeds; all when absent. */
  deeds?: readonly DiskDeed[]
  /** How many of them come through first; none when absent. */
  after?: number
  /** How often before it is over; for ever when absent. */
  times?: number
}

export interface DiskControls {
  /** What may still be written before `append` and `write` reject with code `full`; an append then leaves a torn tail. */
  freeBytesLeft: number
  /** From now on these deeds reject; the returned function ends it, and tells how often it struck. */
  fail(failure: DiskFailure): () => number
  /** Turns over one bit of the byte at `offset`, on the device, in silence. */
  corrupt(path: string, offset: number): void
  /** From now on this folder, with all that is in it, counts as a file system of its own. */
  mount(folder: string): void
}

/** What lies in the cupboard: it outlives the machine that uses it. */
export interface Device extends DiskControls {
  tree: SeededTree
  mounts: Set<string>
  /** Throws the failure that strikes this deed, if one does. */
  strike(deed: DiskDeed, path: string): void
}

/** So few that an ordinary test meets more than one page. */
const pageCount = 2

/** Plenty, so that only a test that wants a full disk meets one. */
const freeBytesAtFirst = 2 ** 40

export function seededDevice(chance: SeededChance, startMs: number): Device {
  const tree = seededTree(startMs)
  const failures = new Set<{ failure: DiskFailure; spared: number; left: number; struck: number }>()
  const mounts = new Set<string>()
  return {
    tree,
    mounts,
    mount: (folder) => void mounts.add(folder),
    freeBytesLeft: freeBytesAtFirst,
    fail(failure) {
      const entry = { failure, spared: failure.after ?? 0, left: failure.times ?? Infinity, struck: 0 }
      failures.add(entry)
      return () => {
        failures.delete(entry)
        return entry.struck
      }
    },
    strike(deed, path) {
      for (const entry of failures) {
        const { failure } = entry
        if (!failure.path.test(path) || (failure.deeds && !failure.deeds.includes(deed))) continue
        if (entry.spared > 0) {
          entry.spared -= 1
          continue
        }
        entry.left -= 1
        entry.struck += 1
        if (entry.left === 0) failures.delete(entry)
        throw new DiskFault(failure.code, path)
      }
    },
    corrupt(path, offset) {
      const file = fileAt(tree, path)
      if (offset < 0 || offset >= file.bytes) throw new Error(`there is no byte ${offset} in ${path}`)
      turnBit(file, offset, chance.below(8))
    },
  }
}

/** Does something to the world and comes back after a while, or never when the machine has stopped. */
export type Step = <T>(act: () => T) => Promise<T>

export function seededDisk(device: Device, step: Step, now: () => number): Disk {
  const { tree } = device
  const deed = <T>(name: DiskDeed, path: string, act: () => T) =>
    step(() => {
      device.strike(name, path)
      return act()
    })

  return {
    read: (path, bytesMax) =>
      deed('read', path, () => {
        const file = fileAt(tree, path)
        if (file.bytes > bytesMax) throw new DiskFault('tooLarge', path)
        return file.seen.slice(0, file.bytes)
      }),
    async write(path, bytes, mode) {
      const temporary = join(dirname(path), `.${basename(path)}.part`)
      // Each of these is a moment at which the power may go.
      const file = await deed('write', path, () => {
        if (tree.find(temporary)) tree.remove(temporary)
        return tree.createFile(temporary, now(), mode)
      })
      await step(() => {
        const written = spend(device, bytes.length)
        writeAt(file, bytes.subarray(0, written), 0)
        if (written === bytes.length) return
        tree.remove(temporary)
        device.freeBytesLeft += written
        throw new DiskFault('full', path)
      })
      await step(() => syncFile(file))
      await step(() => {
        // A folder of this name is in the way, as rename(2) would say.
        const replaced = tree.find(path)
        if (replaced?.kind === 'folder') {
          tree.remove(temporary)
          giveBack(file)
          throw new DiskFault('failed', path)
        }
        tree.rename(temporary, path)
        giveBack(replaced)
      })
      await step(() => tree.syncFolder(dirname(path)))
    },
    openRead: (path) => deed('openRead', path, () => readable(path)),
    openWrite: (path, how) => deed('openWrite', path, () => writable(path, how)),
    list: (folder) => deed('list', folder, () => entriesOf(folder)),
    async *pages(folder) {
      const entries = await deed('pages', folder, () => entriesOf(folder))
      for (let from = 0; from < entries.length; from += pageCount)
        yield await deed('pages', folder, () => entries.slice(from, from + pageCount))
    },
    stat: (path) =>
      deed('stat', path, () => {
        const node = tree.find(path)
        return node && entryOf(basename(path), node)
      }),
    isTaken: (path) => deed('isTaken', path, () => tree.find(path) !== undefined),
    // It has no links.
    realPath: (path) =>
      deed('realPath', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        return join(path)
      }),
    rename: (from, to) =>
      deed('rename', from, () => {
        const replaced = from === to ? undefined : tree.find(to)
        tree.rename(from, to)
        giveBack(replaced)
      }),
    remove: (path) =>
      deed('remove', path, () => {
        const removed = tree.find(path)
        tree.remove(path)
        giveBack(removed)
      }),
    async makeFolder(path, mode) {
      const above = await deed('makeFolder', path, () => tree.makeFolder(path, now(), mode))
      for (const folder of above) await step(() => tree.syncFolder(folder))
    },
    setMode: (path, mode) =>
      deed('setMode', path, () => {
        const node = tree.find(path)
        if (!node) throw new DiskFault('absent', path)
        node.mode = mode
      }),
    syncFile: (path) => deed('syncFile', path, () => syncFile(fileAt(tree, path))),
    syncFolder: (path) => deed('syncFolder', path, () => tree.syncFolder(path)),
    freeBytes: (path) =>
      deed('freeBytes', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        return device.freeBytesLeft
      }),
    deviceOf: (path) =>
      deed('deviceOf', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        const holding = [...device.mounts].filter((folder) => join(path, sep).startsWith(join(folder, sep)))
        return holding.sort((one, other) => other.length - one.length)[0] ?? sep
      }),
  }

  function entriesOf(folder: string): Entry[] {
    const names = [...tree.folder(folder).seen].sort(([a], [b]) => (a < b ? -1 : 1))
    return names.map(([name, node]) => entryOf(name, node))
  }

  function giveBack(node: SeededNode | undefined): void {
    if (node?.kind === 'file') device.freeBytesLeft += node.bytes
  }

  function readable(path: string): ReadableFile {
    const file = fileAt(tree, path)
    const open = whileOpen(path)
    return {
      read: (into, position) =>
        deed('readAt', path, () => {
          open.check()
          const found = file.seen.subarray(position, Math.min(file.bytes, position + into.length))
          into.set(found)
          return found.length
        }),
      bytes: () => deed('readAt', path, () => file.bytes),
      close: () => step(open.end),
    }
  }

  function writable(path: string, how: 'create' | 'append'): WritableFile {
    const found = tree.find(path)
    if (found && how === 'create') throw new DiskFault('exists', path)
    const file = found ? fileAt(tree, path) : tree.createFile(path, now())
    const open = whileOpen(path)
    let position = file.bytes
    return {
      get position() {
        return position
      },
      append: (chunks) =>
        step(() => {
          open.check()
          const wanted = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
          // Over the torn tail of an append that failed before, bytes cost nothing.
          const end = file.bytes + spend(device, position + wanted - file.bytes)
          const endOfTail = Math.min(position + wanted, end)
          let at = position
          for (const chunk of chunks) {
            writeAt(file, chunk.subarray(0, endOfTail - at), at)
            at = Math.min(at + chunk.length, endOfTail)
          }
          file.modifiedAtMs = now()
          // A device that breaks during an append leaves a torn tail, as a full one does.
          device.strike('append', path)
          if (at < position + wanted) throw new DiskFault('full', path)
          position = at
        }),
      truncate: (length) =>
        deed('truncate', path, () => {
          open.check()
          device.freeBytesLeft += file.bytes - length
          truncateTo(file, length)
          position = length
        }),
      sync: () =>
        deed('sync', path, () => {
          open.check()
          syncFile(file)
        }),
      close: () => step(open.end),
    }
  }
}

/** How much of `bytes` the disk still takes. */
function spend(device: Device, bytes: number): number {
  const taken = Math.max(0, Math.min(bytes, device.freeBytesLeft))
  device.freeBytesLeft -= taken
  return taken
}

function whileOpen(path: string): { check(): void; end(): void } {
  let open = true
  return {
    check() {
      // EBADF of the real one.
      if (!open) throw new DiskFault('failed', path)
    },
    end() {
      open = false
    },
  }
}

function fileAt(tree: SeededTree, path: string): SeededFile {
  const node = tree.find(path)
  if (!node) throw new DiskFault('absent', path)
  // EISDIR of the real one.
  if (node.kind === 'folder' || path.endsWith(sep)) throw new DiskFault('failed', path)
  return node
}

function entryOf(name: string, node: SeededNode): Entry {
  return node.kind === 'file'
    ? { name, kind: 'file', bytes: node.bytes, modifiedAtMs: node.modifiedAtMs, mode: node.mode }
    : { name, kind: 'folder', bytes: 0, modifiedAtMs: node.modifiedAtMs, mode: node.mode }
}
