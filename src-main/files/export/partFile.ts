/** The new file while it is written: under another name, which it loses only when it is whole, synced and compared. */
import { dirname } from 'node:path'
import { digester } from '../../formats/bytes/digest.ts'
import { DiskFault, type Disk, type ReadableFile, type WritableFile } from '../../world/world.ts'
import { BatchedWrites } from '../disk/batchedWrites.ts'
import { readBytes } from '../disk/limits.ts'
import { watchedFile, type Watching } from '../disk/watchedFile.ts'
import { partOf } from './export.ts'
import { Refusal } from './refusal.ts'

export class PartFile {
  readonly #disk: Disk
  readonly #target: string
  readonly #file: WritableFile
  readonly #writes: BatchedWrites
  #open = true
  #written = digester('sha256')
  /** What it is called now. */
  #path: string

  private constructor(disk: Disk, target: string, file: WritableFile) {
    this.#disk = disk
    this.#target = target
    this.#path = partOf(target)
    this.#file = file
    this.#writes = new BatchedWrites(file)
  }

  /** Rejects with `DiskFault` exists when another writer has it. */
  static async create(disk: Disk, target: string): Promise<PartFile> {
    return new PartFile(disk, target, await disk.openWrite(partOf(target), 'create'))
  }

  /** Where the next bytes land. */
  get position(): number {
    return this.#writes.position
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#written.update(bytes)
    await this.#writes.append(bytes)
  }

  /** Everything is on the device; nothing can be added any more. */
  async end(): Promise<void> {
    await this.#writes.flush()
    await this.#file.sync()
    await this.#close()
  }

  async reading<T>(act: (file: ReadableFile) => Promise<T>): Promise<T> {
    await this.#writes.flush()
    const file = await this.#disk.openRead(this.#path)
    try {
      return await act(file)
    } finally {
      await file.close()
    }
  }

  /** Reads it from beginning to end, once; throws `Refusal` where a byte is not what was written. What is compared before of
   *  its contents does not see all: a gzip member has bytes that mean nothing. */
  async compare(watching: Watching): Promise<void> {
    const read = digester('sha256')
    await this.reading(async (file) => {
      const watched = watchedFile(file, watching)
      const buffer = Buffer.allocUnsafe(readBytes)
      for (let position = 0, bytes = 1; bytes > 0; position += bytes) {
        bytes = await watched.read(buffer, position)
        read.update(buffer.subarray(0, bytes))
      }
    })
    if (read.hex() === this.#written.hex()) return
    throw new Refusal('damaged', 'Reading the new file back gave different bytes, so it was removed. Check the disk.')
  }

  /** Gives it its name. Rejects with `DiskFault` exists when something has it already. */
  async name(): Promise<void> {
    // POSIX rename would replace it. Nothing of ours writes here, so only a person could come between these two lines.
    if (await this.#disk.stat(this.#target)) throw new DiskFault('exists', this.#target)
    await this.#disk.rename(this.#path, this.#target)
    this.#path = this.#target
    await this.#disk.syncFolder(dirname(this.#target))
  }

  /** As if it had never been. */
  async discard(): Promise<void> {
    await this.#close()
    await this.#disk.remove(this.#path)
  }

  async #close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#file.close()
  }
}
