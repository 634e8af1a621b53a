/** A disk in memory that implements `Disk`, with a size, faults on demand and power cuts. Its power cut is `cutPower`;
 *  `seededFile.ts` and `seededTree.ts` describe what survives. Permissions are stored but not enforced: `denied` comes from
 *  `fail` only. */
import { basename, dirname, join, sep } from 'node:path'
import type { SeededChance } from './seededChance.ts'
import { syncFile, truncateTo, turnBit, writeAt, type SeededFile } from './seededFile.ts'
import { seededTree, type SeededNode, type SeededTree } from './seededTree.ts'
import {
  DiskFault,
  type Disk,
  type DiskFaultCode,
  type Entry,
  type NewMode,
  type ReadableFile,
  type WritableFile,
} from '../world.ts'

/** Calls on a disk and on its open files that a failure can affect. */
export type DiskCall = keyof Disk | 'readAt' | 'append' | 'truncate' | 'sync'

/** A failure that a test requests. */
export interface DiskFailure {
  /** The paths that fail. */
  path: RegExp
  code: DiskFaultCode
  /** The calls that fail; all if absent. */
  calls?: readonly DiskCall[]
  /** Number of calls that succeed first; none if absent. */
  after?: number
  /** Number of calls that fail; unlimited if absent. */
  times?: number
}

/** Controls of the disk for tests. */
export interface DiskControls {
  /** Bytes that can still be written before `append` and `write` reject with code `full`; an append then leaves a torn tail. */
  freeBytesLeft: number
  /** From now on these calls reject. The returned function ends that and returns how many calls failed. */
  fail(failure: DiskFailure): () => number
  /** Flips one bit of the byte at `offset` on the device, without an error. */
  corrupt(path: string, offset: number): void
  /** From now on this folder, with its content, counts as a file system of its own. */
  mount(folder: string): void
}

/** The storage itself. It survives a crash of the machine that uses it. */
export interface Device extends DiskControls {
  tree: SeededTree
  mounts: Set<string>
  /** Throws the failure of this call, if one is due. */
  strike(call: DiskCall, path: string): void
}

/** Entries per page: few, so that ordinary tests use more than one page. */
const pageCount = 2

/** Initial free space: so large that only tests of a full disk run out of it. */
const freeBytesAtFirst = 2 ** 40

/** Returns an empty device. */
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
    strike(call, path) {
      for (const entry of failures) {
        const { failure } = entry
        if (!failure.path.test(path) || (failure.calls && !failure.calls.includes(call))) continue
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

/** Runs a call on the machine and returns after a delay, or never if the machine has stopped. */
export type Step = <T>(act: () => T) => Promise<T>

/** Parameters that every part of the disk needs. */
interface Setup {
  device: Device
  step: Step
  /** A step that first fails if a failure is due. */
  call: <T>(name: DiskCall, path: string, act: () => T) => Promise<T>
  now: () => number
  /** Temporary files of the writes that have not ended. */
  temporaryInUse: Set<string>
}

/** Returns the disk of one machine on a device; `step` runs its calls. */
export function seededDisk(device: Device, step: Step, now: () => number): Disk {
  const setup: Setup = {
    device,
    step,
    now,
    temporaryInUse: new Set(),
    call: (name, path, act) =>
      step(() => {
        device.strike(name, path)
        return act()
      }),
  }
  return { ...files(setup), ...folders(setup), ...attributes(setup) }
}

/** Reading and writing files. */
function files(setup: Setup): Pick<Disk, 'read' | 'write' | 'openRead' | 'openWrite' | 'syncFile'> {
  const { call, device } = setup
  const { tree } = device
  return {
    read: (path, bytesMax) =>
      call('read', path, () => {
        const file = fileAt(tree, path)
        if (file.bytes > bytesMax) throw new DiskFault('tooLarge', path)
        return file.seen.slice(0, file.bytes)
      }),
    write: (path, bytes, mode) => replaceFile(setup, { path, bytes, mode }),
    openRead: (path) => call('openRead', path, () => readable(setup, path)),
    openWrite: (path, how) => call('openWrite', path, () => writable(setup, path, how)),
    syncFile: (path) => call('syncFile', path, () => syncFile(fileAt(tree, path))),
  }
}

/** Names and folders. */
function folders(
  setup: Setup,
): Pick<Disk, 'list' | 'pages' | 'rename' | 'remove' | 'makeFolder' | 'syncFolder' | 'realPath'> {
  const { call, device, step, now } = setup
  const { tree } = device
  return {
    list: (folder) => call('list', folder, () => entriesOf(tree, folder)),
    async *pages(folder) {
      const entries = await call('pages', folder, () => entriesOf(tree, folder))
      for (let from = 0; from < entries.length; from += pageCount)
        yield await call('pages', folder, () => entries.slice(from, from + pageCount))
    },
    // This disk has no links.
    realPath: (path) =>
      call('realPath', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        return join(path)
      }),
    rename: (from, to) =>
      call('rename', from, () => {
        const replaced = from === to ? undefined : tree.find(to)
        tree.rename(from, to)
        giveBack(device, replaced)
      }),
    remove: (path) =>
      call('remove', path, () => {
        const removed = tree.find(path)
        tree.remove(path)
        giveBack(device, removed)
      }),
    async makeFolder(path, mode) {
      const above = await call('makeFolder', path, () => tree.makeFolder(path, now(), mode))
      for (const folder of above) await step(() => tree.syncFolder(folder))
    },
    syncFolder: (path) => call('syncFolder', path, () => tree.syncFolder(path)),
  }
}

/** Attributes of a path and of its file system. */
function attributes({ call, device }: Setup): Pick<Disk, 'stat' | 'isTaken' | 'setMode' | 'freeBytes' | 'deviceOf'> {
  const { tree } = device
  return {
    stat: (path) =>
      call('stat', path, () => {
        const node = tree.find(path)
        return node && entryOf(basename(path), node)
      }),
    isTaken: (path) => call('isTaken', path, () => tree.find(path) !== undefined),
    setMode: (path, mode) =>
      call('setMode', path, () => {
        const node = tree.find(path)
        if (!node) throw new DiskFault('absent', path)
        node.mode = mode
      }),
    freeBytes: (path) =>
      call('freeBytes', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        return device.freeBytesLeft
      }),
    deviceOf: (path) =>
      call('deviceOf', path, () => {
        if (!tree.find(path)) throw new DiskFault('absent', path)
        const holding = [...device.mounts].filter((folder) => join(path, sep).startsWith(join(folder, sep)))
        return holding.sort((one, other) => other.length - one.length)[0] ?? sep
      }),
  }
}

/** The new content of a file and its permissions. */
interface NewContent {
  path: string
  bytes: Uint8Array
  mode: NewMode | undefined
}

/** Replaces a file by way of a temporary file that no other write uses. */
async function replaceFile(setup: Setup, content: NewContent): Promise<void> {
  const { temporaryInUse } = setup
  const { path } = content
  let temporary = ''
  for (let n = 0; temporary === '' || temporaryInUse.has(temporary); n++)
    temporary = join(dirname(path), `.${basename(path)}.${n}.part`)
  temporaryInUse.add(temporary)
  try {
    await replaceThrough(setup, temporary, content)
  } finally {
    temporaryInUse.delete(temporary)
  }
}

/** Temporary file, sync, rename, sync of the folder. Each is a step, so that a test can cut the power between them. */
async function replaceThrough(
  { call, device, step, now }: Setup,
  temporary: string,
  { path, bytes, mode }: NewContent,
): Promise<void> {
  const { tree } = device
  const file = await call('write', path, () => {
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
    // As rename(2) does if a folder has the name.
    const replaced = tree.find(path)
    if (replaced?.kind === 'folder') {
      tree.remove(temporary)
      giveBack(device, file)
      throw new DiskFault('failed', path)
    }
    tree.rename(temporary, path)
    giveBack(device, replaced)
  })
  await step(() => tree.syncFolder(dirname(path)))
}

function readable({ call, step, device }: Setup, path: string): ReadableFile {
  const file = fileAt(device.tree, path)
  const open = whileOpen(path)
  return {
    read: (into, position) =>
      call('readAt', path, () => {
        open.check()
        const found = file.seen.subarray(position, Math.min(file.bytes, position + into.length))
        into.set(found)
        return found.length
      }),
    bytes: () => call('readAt', path, () => file.bytes),
    close: () => step(open.end),
  }
}

function writable({ call, step, device, now }: Setup, path: string, how: 'create' | 'append'): WritableFile {
  const { tree } = device
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
        // Bytes that overwrite the torn tail of an earlier failed append use no space.
        const end = file.bytes + spend(device, position + wanted - file.bytes)
        const endOfTail = Math.min(position + wanted, end)
        let at = position
        for (const chunk of chunks) {
          writeAt(file, chunk.subarray(0, endOfTail - at), at)
          at = Math.min(at + chunk.length, endOfTail)
        }
        file.modifiedAtMs = now()
        // A device that fails during an append leaves a torn tail, as a full one does.
        device.strike('append', path)
        if (at < position + wanted) throw new DiskFault('full', path)
        position = at
      }),
    truncate: (length) =>
      call('truncate', path, () => {
        open.check()
        device.freeBytesLeft += file.bytes - length
        truncateTo(file, length)
        position = length
      }),
    sync: () =>
      call('sync', path, () => {
        open.check()
        syncFile(file)
      }),
    close: () => step(open.end),
  }
}

function entriesOf(tree: SeededTree, folder: string): Entry[] {
  const names = [...tree.folder(folder).seen].sort(([a], [b]) => (a < b ? -1 : 1))
  return names.map(([name, node]) => entryOf(name, node))
}

function giveBack(device: Device, node: SeededNode | undefined): void {
  if (node?.kind === 'file') device.freeBytesLeft += node.bytes
}

/** Takes up to `bytes` of the free space; returns how much was taken. */
function spend(device: Device, bytes: number): number {
  const taken = Math.max(0, Math.min(bytes, device.freeBytesLeft))
  device.freeBytesLeft -= taken
  return taken
}

function whileOpen(path: string): { check(): void; end(): void } {
  let open = true
  return {
    check() {
      // EBADF on a real disk.
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
  // EISDIR on a real disk.
  if (node.kind === 'folder' || path.endsWith(sep)) throw new DiskFault('failed', path)
  return node
}

function entryOf(name: string, node: SeededNode): Entry {
  return node.kind === 'file'
    ? { name, kind: 'file', bytes: node.bytes, modifiedAtMs: node.modifiedAtMs, mode: node.mode }
    : { name, kind: 'folder', bytes: 0, modifiedAtMs: node.modifiedAtMs, mode: node.mode }
}
