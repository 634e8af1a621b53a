/** The new file while it is written: it has a temporary name until it is complete, synced and compared. */
import { message } from '../../contract/words/message.ts'
import { dirname } from 'node:path'
import { digester } from '../../formats/bytes/digest.ts'
import { DiskFault, type Disk, type ReadableFile, type WritableFile } from '../../world/world.ts'
import { BatchedWrites } from '../disk/batchedWrites.ts'
import { readBytes } from '../disk/limits.ts'
import { watchedFile, type Watching } from '../disk/watchedFile.ts'
import { partOf } from './export.ts'
import { Refusal } from './refusal.ts'

/** The unfinished file of an export. */
export class PartFile {
  readonly #disk: Disk
  readonly #target: string
  readonly #file: WritableFile
  readonly #writes: BatchedWrites
  #open = true
  #written = digester('sha256')
  /** The present path. */
  #path: string

  private constructor(disk: Disk, target: string, file: WritableFile) {
    this.#disk = disk
    this.#target = target
    this.#path = partOf(target)
    this.#file = file
    this.#writes = new BatchedWrites(file)
  }

  /** Creates the file. Rejects with `DiskFault` exists when another writer has it. */
  static async create(disk: Disk, target: string): Promise<PartFile> {
    return new PartFile(disk, target, await disk.openWrite(partOf(target), 'create'))
  }

  /** Offset at which the next bytes are written. */
  get position(): number {
    return this.#writes.position
  }

  /** Adds bytes to the file. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#written.update(bytes)
    await this.#writes.append(bytes)
  }

  /** Syncs everything to the device; nothing can be added after it. */
  async end(): Promise<void> {
    await this.#writes.flush()
    await this.#file.sync()
    await this.#close()
  }

  /** Opens the file for reading while `act` uses it. It contains everything appended before. */
  async reading<T>(act: (file: ReadableFile) => Promise<T>): Promise<T> {
    await this.#writes.flush()
    const file = await this.#disk.openRead(this.#path)
    try {
      return await act(file)
    } finally {
      await file.close()
    }
  }

  /**
   * Reads the file once from beginning to end; throws `Refusal` where a byte differs from what was written. The comparison of the contents
   * alone is not enough: a gzip member has bytes without meaning.
   */
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
    throw new Refusal('damaged', message('export.differs.bytes'))
  }

  /** Gives the file its name. Rejects with `DiskFault` exists when the name is taken. */
  async name(): Promise<void> {
    // POSIX rename would replace an existing file. Loupe writes no other file here, so only the user could create one between these two
    // lines.
    if (await this.#disk.stat(this.#target)) throw new DiskFault('exists', this.#target)
    await this.#disk.rename(this.#path, this.#target)
    this.#path = this.#target
    await this.#disk.syncFolder(dirname(this.#target))
  }

  /** Removes the file. */
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
