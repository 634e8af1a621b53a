/**
 * The files named by the arguments of a call: a file, whatever its format, and of a folder every archive file in it and its
 * subfolders, in the order of their names. In a folder a file counts if it is an archive file by its bytes or by its name: one whose
 * beginning is damaged is a main use of a check. A zip counts when it contains archive files, whatever its name: office documents are zips
 * too.
 */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { recognise, type Recognised } from '../../formats/recognise.ts'
import { DiskFault, type Disk, type Entry, type ReadableFile } from '../../world/world.ts'
import { diskMessage } from '../disk/diskFaults.ts'
import { filesMax, foldersDeepMax } from '../disk/limits.ts'

/** A file that was named, or found in a folder. */
export interface FoundFile {
  /** Path as given, or the given folder with the path of the file in it. */
  path: string
  bytes: number
}

/** Files that were found, and paths that could not be read. */
export interface FilesFound {
  files: FoundFile[]
  /** Paths that could not be read. */
  unread: { path: string; problem: Message }[]
}

/** How files are searched for. */
export interface FindOptions {
  signal: AbortSignal
  /** Selects files of a folder; archive files by default. */
  wants?: ((recognised: RecognisedFile, name: string) => boolean) | undefined
}

export interface RecognisedFile extends Recognised {
  /** Whether it is a zip that lists archive files or packages of them, or has the name of a package and no readable list. */
  isPackage: boolean
}

/** Finds the files. Throws `Fault` notFound for a path that does not exist. */
export async function findFiles(disk: Disk, paths: readonly string[], options: FindOptions): Promise<FilesFound> {
  const found: FilesFound = { files: [], unread: [] }
  for (const path of paths) {
    const entry = await disk.stat(path)
    if (!entry) throw new Fault('notFound', message('files.absent', { path }))
    if (entry.kind === 'folder') await new Walk(disk, options, found).folder(path, 0)
    else found.files.push({ path, bytes: entry.bytes })
  }
  return found
}

/** Decides by the bytes, or by the name where the bytes are damaged or compressed in a way that Loupe does not read. */
export function isArchiveFile({ form, isPackage }: RecognisedFile, name: string): boolean {
  return form === 'warc' || form === 'arc' || isPackage || archiveName.test(name)
}

/** Names of archive files and packages, also compressed in ways that Loupe does not read. */
const archiveName = /\.(w?arc(\.(gz|zst|bz2|xz|lz4|7z))?(\.open)?|wacz)$/i

/** An empty file is not opened. */
const nothing: RecognisedFile = { form: 'empty', packing: 'plain', hasDictionary: false, isPackage: false }

/** An open file, with its name and length. */
interface Named {
  file: ReadableFile
  name: string
  bytes: number
}

/** Whether a zip contains archive files. The code that reads packages is loaded only for a zip. */
async function holdsArchives({ file, name, bytes }: Named): Promise<boolean> {
  if (archiveName.test(name)) return true
  const { listedPaths } = await import('../../formats/wacz/zip.ts')
  const { isCalledArchive } = await import('../../formats/wacz/wacz.ts')
  const paths = await listedPaths(file, bytes)
  return paths ? paths.some(isCalledArchive) : /\.zip$/i.test(name)
}

/** Traversal of one folder. Folders that were visited already are skipped: a link to a folder above would otherwise lead round forever. */
class Walk {
  #disk: Disk
  #options: FindOptions
  #found: FilesFound
  #seen = new Set<string>()

  constructor(disk: Disk, options: FindOptions, found: FilesFound) {
    this.#disk = disk
    this.#options = options
    this.#found = found
  }

  /** Adds the files of a folder and its subfolders, `deep` levels below the given one. */
  async folder(path: string, deep: number): Promise<void> {
    const entries = await this.#unlessRefused(path, async () => {
      const real = await this.#disk.realPath(path)
      if (this.#seen.has(real)) return []
      this.#seen.add(real)
      return this.#disk.list(path)
    })
    for (const entry of entries ?? []) {
      this.#options.signal.throwIfAborted()
      const below = join(path, entry.name)
      if (await this.#isUnreachable(below, entry))
        this.#found.unread.push({ path: below, problem: message('files.name') })
      else if (entry.kind === 'file') await this.#file(below, entry)
      else if (deep < foldersDeepMax) await this.folder(below, deep + 1)
      else this.#found.unread.push({ path: below, problem: message('files.deep', { foldersDeepMax }) })
    }
  }

  /** Whether the entry is a name that is not valid UTF-8, under which nothing can be opened. */
  async #isUnreachable(path: string, { name, bytes }: Entry): Promise<boolean> {
    return bytes === 0 && name.includes('\ufffd') && !(await this.#disk.stat(path))
  }

  async #file(path: string, { name, bytes }: Entry): Promise<void> {
    const wants = this.#options.wants ?? isArchiveFile
    // A file without a size may be a pipe, which blocks when it is opened.
    const recognised =
      bytes === 0 ? nothing : await this.#unlessRefused(path, () => this.#recognised(path, { name, bytes }))
    if (!recognised || !wants(recognised, name)) return
    if (this.#found.files.length >= filesMax) throw new Fault('refused', message('files.tooMany', { filesMax }))
    this.#found.files.push({ path, bytes })
  }

  async #recognised(path: string, { name, bytes }: Pick<Entry, 'name' | 'bytes'>): Promise<RecognisedFile> {
    const file = await this.#disk.openRead(path)
    try {
      const recognised = await recognise(file)
      const isPackage = recognised.form === 'zip' && (await holdsArchives({ file, name, bytes }))
      return { ...recognised, isPackage }
    } finally {
      await file.close()
    }
  }

  /** Runs `act`; a fault of the disk makes the path one that could not be read. */
  async #unlessRefused<T>(path: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      this.#found.unread.push({ path, problem: diskMessage(error) })
      return undefined
    }
  }
}
