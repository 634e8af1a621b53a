/** Buffered writes of small pieces: a system call for each line or record costs more than its bytes. */
import type { WritableFile } from '../../world/world.ts'
import { writtenAtOnceBytes } from './limits.ts'

/** A file to which small pieces are appended. The owner of the file creates and closes it, and calls `flush` before. Appended bytes must
 *  not be changed until they are written. */
export class BatchedWrites {
  readonly #file: WritableFile
  #waiting: Uint8Array[] = []
  #waitingBytes = 0

  constructor(file: WritableFile) {
    this.#file = file
  }

  /** Offset at which the next bytes are written. */
  get position(): number {
    return this.#file.position + this.#waitingBytes
  }

  /** Adds bytes, and writes the buffer once it holds `writtenAtOnceBytes`. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= writtenAtOnceBytes) await this.flush()
  }

  /** Writes the buffer to the file, without syncing it to the device. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    if (waiting.length > 0) await this.#file.append(waiting)
  }
}
