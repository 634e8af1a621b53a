/** Small pieces on their way into a file, handed to the disk some at a time: a call for each line or record costs more than
 *  its bytes. Deliberately not here: the file's beginning and end, which its owner decides on. */
import type { WritableFile } from '../../world/world.ts'
import { writtenAtOnceBytes } from './limits.ts'

export class BatchedWrites {
  readonly #file: WritableFile
  #waiting: Uint8Array[] = []
  #waitingBytes = 0

  constructor(file: WritableFile) {
    this.#file = file
  }

  /** Where the next bytes land. */
  get position(): number {
    return this.#file.position + this.#waitingBytes
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= writtenAtOnceBytes) await this.flush()
  }

  /** Everything is with the disk; not yet on the device. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    if (waiting.length > 0) await this.#file.append(waiting)
  }
}
