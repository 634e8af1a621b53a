/** Files of an import in the folder of its job: copied there, given their names, read and recompressed. This module does not know the
 *  database; after a kill, every step can be repeated. */
import { join } from 'node:path'
import type { World } from '../../world/world.ts'
import type { ImportedFileRow } from './importedFiles.sql.ts'
import { linesPath } from '../model/linesFile.ts'
import { partPath } from './localNames.ts'
import { readThrough, type FileRead } from './readThrough.ts'
import type { Recompressed, RecompressInput } from './recompressFile.thread.ts'
import type { Rejection } from './rejection.ts'
import { removeIfThere } from './removeIfThere.ts'
import { spaceBudgetIn, type SpaceBudget } from './spaceNeeded.ts'
import type { UnpackInput, Unpacked } from './unpacked.ts'

/** The folder of a job that imports, and its bounds. */
export interface JobFolderSetting {
  world: World
  /** Path of the folder. */
  folder: string
  /** Bytes that stay free on the disk of the folder. */
  freeBytesMin: number
  /** Name and version of this software, recorded in converted files. */
  software: string
  signal: AbortSignal
}

/** The folder of a job that imports. All methods reject with `DiskFault`, or with the reason of the signal. */
export class JobFolder {
  readonly #setting: JobFolderSetting
  readonly #space: SpaceBudget

  constructor(setting: JobFolderSetting) {
    this.#setting = setting
    this.#space = spaceBudgetIn(setting.world, setting)
  }

  /** Copies or converts a file to its temporary name, or lists a package. `onBytes`: bytes of the source that are done. */
  async unpack({ id, path, entry, bytesTotal }: ImportedFileRow, onBytes: (bytes: number) => void): Promise<Unpacked> {
    const { world, folder, software, signal } = this.#setting
    const module = new URL('./unpackFile.thread.ts', import.meta.url)
    const input: UnpackInput = { file: id, path, entry, folder, software }
    return this.#space.during(bytesTotal, () =>
      world.threads.run<UnpackInput, Unpacked, number>(module, input, { signal, onReport: onBytes }),
    )
  }

  /** Replaces a file whose records cannot be opened one by one with a recompressed one, under the temporary name. */
  async recompress({ id, bytesTotal }: ImportedFileRow, name: string): Promise<Recompressed | Rejection> {
    const { world, folder, signal } = this.#setting
    const module = new URL('./recompressFile.thread.ts', import.meta.url)
    const input = { path: join(folder, name), target: partPath(folder, id) }
    return this.#space.during(bytesTotal, () =>
      world.threads.run<RecompressInput, Recompressed>(module, input, { signal }),
    )
  }

  /** Gives the file with the temporary name its own name, replacing what has it. */
  async place(id: number, name: string): Promise<void> {
    const { world, folder } = this.#setting
    await world.disk.rename(partPath(folder, id), join(folder, name))
    await world.disk.syncFolder(folder)
  }

  /** Renames a file; its index lines are removed, because they name it. */
  async rename(name: string, newName: string): Promise<void> {
    const { world, folder } = this.#setting
    await removeIfThere(world, linesPath(folder, name))
    await world.disk.rename(join(folder, name), join(folder, newName))
    await world.disk.syncFolder(folder)
  }

  /** Checks a file and writes its index lines. `onShare`: the part that has been read, from 0 to 1. */
  read(name: string, onShare: (share: number) => void): Promise<FileRead> {
    const { world, folder, signal } = this.#setting
    const place = { path: join(folder, name), name, target: linesPath(folder, name) }
    return readThrough(world, place, { signal, onShare })
  }

  async has(name: string): Promise<boolean> {
    const { world, folder } = this.#setting
    return (await world.disk.stat(join(folder, name))) !== undefined
  }

  /** Removes the file with the temporary name, and the file with its own name if it has one. */
  async remove(id: number, name: string | null): Promise<void> {
    const { world, folder } = this.#setting
    await removeIfThere(world, partPath(folder, id))
    if (name !== null) await removeIfThere(world, join(folder, name))
  }
}
