/** The new file while it is written: under another name, which it loses only when it is whole, synced and compared. */
import { dirname } from 'node:path'
import { DiskFault, type Disk, type ReadableFile, type WritableFile } from '../../world/world.ts'
import { writtenAtOnceBytes } from '../limits.ts'
import { partOf } from './export.ts'

export class PartFile {
  readonly #disk: Disk
  readonly #target: string
  readonly #file: WritableFile
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #open = true

  private constructor(disk: Disk, target: string, file: WritableFile) {
    this.#disk = disk
    this.#target = target
    this.#file = file
  }

  /** Rejects with `DiskFault` exists when somebody else has it. */
  static async create(disk: Disk, target: string): Promise<PartFile> {
    return new PartFile(disk, target, await disk.openWrite(partOf(target), 'create'))
  }

  /** Where the next bytes land. */
  get position(): number {
    return this.#file.position + this.#waitingBytes
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= writtenAtOnceBytes) await this.#flush()
  }

  /** Everything is on the device; nothing can be added any more. */
  async end(): Promise<void> {
    await this.#flush()
    await this.#file.sync()
    await this.#close()
  }

  async reading<T>(act: (file: ReadableFile) => Promise<T>): Promise<T> {
    await this.#flush()
    const file = await this.#disk.openRead(partOf(this.#target))
    try {
      return await act(file)
    } finally {
      await file.close()
    }
  }

  /** Gives it its name. Rejects with `DiskFault` exists when something has it already. */
  async name(): Promise<void> {
    // POSIX rename would replace it. Nothing of ours writes here, so only a person could come between these two lines.
    if (await this.#disk.stat(this.#target)) throw new DiskFault('exists', this.#target)
    await this.#disk.rename(partOf(this.#target), this.#target)
    await this.#disk.syncFolder(dirname(this.#target))
  }

  /** As if it had never been. */
  async discard(): Promise<void> {
    await this.#close()
    await this.#disk.remove(partOf(this.#target))
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    if (waiting.length > 0) await this.#file.append(waiting)
  }

  async #close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#file.close()
  }
}
