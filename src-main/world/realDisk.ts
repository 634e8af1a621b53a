/** Implements `Disk` with node:fs and converts the error codes of the system into `DiskFault`. */
import { constants, type Dir } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { fileModeIn, folderModeIn, isClosed, ownFileMode, ownFolderMode } from './permissions.ts'
import { DiskFault, type Disk, type DiskFaultCode, type Entry, type NewMode } from './world.ts'

/** The file system of this machine. */
export const realDisk: Disk = {
  async read(path, bytesMax) {
    return guarded(path, async () => {
      await using file = await open(path, 'r')
      const found = await file.stat()
      if (found.isFile() && found.size > bytesMax) throw new DiskFault('tooLarge', path)
      const bytes = await file.readFile()
      // The file may have grown in the meantime, and generated files (/proc) report no size beforehand.
      if (bytes.length > bytesMax) throw new DiskFault('tooLarge', path)
      return bytes
    })
  },
  async write(path, bytes, mode) {
    await guarded(path, async () => {
      const temporary = takeTemporary(path)
      try {
        // A file left by an interrupted write would keep its mode, and a secret must be private from its first byte.
        await rm(temporary, { force: true })
        await writeSynced(temporary, bytes, mode)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      } finally {
        temporaryInUse.delete(temporary)
      }
      await syncFolder(dirname(path))
    })
  },
  async openRead(path) {
    const file = await guarded(path, async () => {
      // Opening a pipe without a writer would block a thread of the process forever.
      if ((await stat(path)).isFIFO()) throw new DiskFault('failed', path)
      return open(path, 'r')
    })
    return {
      read: (into, position) =>
        guarded(path, async () => {
          let filled = 0
          while (filled < into.length) {
            const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled)
            if (bytesRead === 0) break
            filled += bytesRead
          }
          return filled
        }),
      bytes: () => guarded(path, async () => (await file.stat()).size),
      close: () => guarded(path, () => file.close()),
    }
  },
  async openWrite(path, how) {
    const flags = constants.O_WRONLY | constants.O_CREAT | (how === 'create' ? constants.O_EXCL : 0)
    const file = await guarded(path, () => openNew(path, flags))
    let position =
      how === 'create' ? 0 : await guarded(path, () => openOrClosed(file, async () => (await file.stat()).size))
    return {
      get position() {
        return position
      },
      append: (chunks) =>
        guarded(path, async () => {
          const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
          let { bytesWritten } = await file.writev(chunks, position)
          // POSIX allows a short write: near a full disk, and always beyond 2 GiB.
          if (bytesWritten < bytes) {
            const whole = Buffer.concat(chunks)
            while (bytesWritten < bytes) {
              bytesWritten += (await file.write(whole, bytesWritten, bytes - bytesWritten, position + bytesWritten))
                .bytesWritten
            }
          }
          position += bytes
        }),
      truncate: (length) =>
        guarded(path, async () => {
          await file.truncate(length)
          position = length
        }),
      sync: () => guarded(path, () => file.datasync()),
      close: () => guarded(path, () => file.close()),
    }
  },
  async list(folder) {
    return guarded(folder, async () => {
      const names = await readdir(folder)
      const entries = await Promise.all(
        names.sort().map(async (name) => (await entryAt(join(folder, name))) ?? unreachable(name)),
      )
      return entries.filter((entry) => entry !== undefined)
    })
  },
  async *pages(folder) {
    const opened = await guarded(folder, () => opendir(folder, { bufferSize: namesAtOnce }))
    try {
      for (let names = await nextNames(opened, folder); names.length > 0; names = await nextNames(opened, folder)) {
        const entries = await guarded(folder, () => Promise.all(names.map((name) => entryAt(join(folder, name)))))
        yield entries.filter((entry) => entry !== undefined)
      }
    } finally {
      await opened.close()
    }
  },
  stat: (path) => guarded(path, () => entryAt(path)),
  isTaken: (path) =>
    guarded(path, async () => {
      try {
        await lstat(path)
        return true
      } catch (error) {
        if (codeOf(error) === 'absent') return false
        throw error
      }
    }),
  realPath: (path) => guarded(path, () => realpath(path)),
  rename: (from, to) => guarded(from, () => rename(from, to)),
  remove: (path) => guarded(path, () => unlink(path)),
  makeFolder: (path, mode) =>
    guarded(path, async () => {
      const above = await closedFolderAbove(resolve(path))
      const first = await mkdir(path, { recursive: true, mode: above === undefined ? 0o777 : ownFolderMode })
      if (first === undefined) return
      for (let made = resolve(path); made.length >= first.length; made = dirname(made)) {
        const wanted = made === resolve(path) && mode !== undefined ? mode : above && folderModeIn(above)
        if (hasModes && wanted !== undefined) await chmod(made, wanted)
        await syncFolder(dirname(made))
      }
    }),
  setMode: (path, mode) => guarded(path, async () => void (hasModes && (await chmod(path, mode)))),
  syncFile: (path) =>
    guarded(path, async () => {
      // Windows syncs only files that are open for writing.
      await using file = await open(path, process.platform === 'win32' ? 'r+' : 'r')
      await file.datasync()
    }),
  syncFolder: (path) => guarded(path, () => syncFolder(path)),
  freeBytes: (path) =>
    guarded(path, async () => {
      const { bavail, bsize } = await statfs(path)
      return bavail * bsize
    }),
  // Read as a bigint, without loss of precision: serial numbers on Windows have 64 bits.
  deviceOf: (path) => guarded(path, async () => String((await stat(path, { bigint: true })).dev)),
}

/** Names of a folder that are read and then examined in parallel: enough to keep the disk busy, few enough to need no
 *  noticeable memory. */
const namesAtOnce = 256

/** Returns the next names of a folder; empty at its end. */
async function nextNames(opened: Dir, folder: string): Promise<string[]> {
  return guarded(folder, async () => {
    const names: string[] = []
    while (names.length < namesAtOnce) {
      const entry = await opened.read()
      if (entry === null) break
      names.push(entry.name)
    }
    return names
  })
}

/** Temporary files of the writes of this thread that have not ended. */
const temporaryInUse = new Set<string>()

/** Returns the path of a temporary file that no other write uses, in any thread: otherwise one write could move the file of
 *  another into place before it is complete and synced. Paths are used again, so that interrupted writes do not accumulate. */
function takeTemporary(path: string): string {
  for (let n = 0; ; n++) {
    const temporary = join(dirname(path), `.${basename(path)}.${threadId}-${n}.part`)
    if (temporaryInUse.has(temporary)) continue
    temporaryInUse.add(temporary)
    return temporary
  }
}

/** Creates a file with these bytes and syncs it. */
async function writeSynced(path: string, bytes: Uint8Array, mode: NewMode | undefined): Promise<void> {
  await using file = await openNew(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
  await file.writeFile(bytes)
  await file.sync()
}

/** Whether the system has POSIX permissions. */
const hasModes = process.platform !== 'win32'

/** Opens a file for writing. A file that already exists keeps its permissions. */
async function openNew(path: string, flags: number, mode?: NewMode): Promise<FileHandle> {
  if (!hasModes || typeof mode === 'number') return open(path, flags, mode)
  const folderMode = (await stat(dirname(path))).mode
  if (!isClosed(folderMode)) return open(path, flags, mode === 'closed' ? ownFileMode : undefined)
  // The permissions are narrow at first: the umask could remove some of the wanted ones, and no other account may read the
  // file in between.
  const wanted = fileModeIn(folderMode)
  const isNew = wanted !== ownFileMode && (flags & constants.O_EXCL) === 0 ? !(await isThere(path)) : true
  const file = await open(path, flags, ownFileMode)
  await openOrClosed(file, async () => isNew && wanted !== ownFileMode && file.chmod(wanted))
  return file
}

/** Prepares a file that was opened. Closes it if that fails, since the caller does not get it then. */
async function openOrClosed<T>(file: FileHandle, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare()
  } catch (error) {
    await file.close()
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await entryAt(path)) !== undefined
}

/** Returns the mode of the nearest existing folder above if that folder is closed, since its permissions are passed on;
 *  undefined: the umask decides. */
async function closedFolderAbove(path: string): Promise<number | undefined> {
  if (!hasModes) return undefined
  for (let above = dirname(path); ; above = dirname(above)) {
    const entry = await entryAt(above)
    if (entry?.kind === 'folder') return entry.mode !== undefined && isClosed(entry.mode) ? entry.mode : undefined
    if (above === dirname(above)) return undefined
  }
}

/** Describes a file or folder, following links; undefined when it does not exist. */
async function entryAt(path: string): Promise<Entry | undefined> {
  try {
    const found = await stat(path)
    return {
      name: basename(path),
      kind: found.isDirectory() ? 'folder' : 'file',
      bytes: found.isDirectory() ? 0 : found.size,
      modifiedAtMs: found.mtimeMs,
      mode: hasModes ? found.mode & 0o7777 : undefined,
    }
  } catch (error) {
    if (codeOf(error) === 'absent') return undefined
    throw error
  }
}

/** POSIX names are bytes. A name that is not valid UTF-8 is read with U+FFFD in it, and no file is found under that text. */
function unreachable(name: string): Entry | undefined {
  return name.includes('\ufffd') ? { name, kind: 'file', bytes: 0, modifiedAtMs: 0, mode: undefined } : undefined
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its rename is durable without this.
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** Runs `act` and converts errors of the system to `DiskFault`. Other errors are bugs and are passed on. */
async function guarded<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof DiskFault) throw error
    const code = codeOf(error)
    if (code === undefined) throw error
    throw new DiskFault(code, path, { cause: error })
  }
}

/** Returns the code for an error of the system; undefined for any other error. */
function codeOf(error: unknown): DiskFaultCode | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return (
    faultOfCode[error.code] ?? (error.code.startsWith('E') && !error.code.startsWith('ERR_') ? 'failed' : undefined)
  )
}

const faultOfCode: Record<string, DiskFaultCode> = {
  ENOENT: 'absent',
  ENOTDIR: 'absent',
  // A link that leads to itself is treated like one to a missing file; and no name contains a zero byte.
  ELOOP: 'absent',
  ERR_INVALID_ARG_VALUE: 'absent',
  EEXIST: 'exists',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOSPC: 'full',
  EDQUOT: 'full',
}
