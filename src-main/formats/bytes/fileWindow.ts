/** A file seen through a window that moves forward. Every refill is a new buffer, so views given out stay true. */

/** What a reader of archive files needs of a file; `ReadableFile` of world has it. */
export interface ByteSource {
  /** Fills `into` from `position`; returns the bytes read, fewer only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>
}

/** One read of the disk. 1 MiB is where the time of a read is negligible compared with inflating; it is also
 *  the memory that one reader holds, in addition to what its caller keeps. */
export const windowBytes = 1024 * 1024

/** What readers look through. */
export interface Window {
  /** What is loaded from `position` on: at least `bytesMin`, fewer only at the end of the file. */
  view(position: number, bytesMin: number): Promise<Uint8Array>
}

export class FileWindow implements Window {
  #source: ByteSource
  #bytes: Uint8Array = new Uint8Array(0)
  /** Where `#bytes` begins in the file. */
  #position = 0
  #atEnd = false
  #readBytes: number
  #endsAt: number

  /** `readBytes`: one read of the disk, where less than the usual is known to be enough. `endsAt`: nothing after it is read, as if
   *  the file ended there. */
  constructor(source: ByteSource, readBytes = windowBytes, endsAt = Infinity) {
    this.#source = source
    this.#readBytes = readBytes
    this.#endsAt = endsAt
  }

  async view(position: number, bytesMin: number): Promise<Uint8Array> {
    const start = position - this.#position
    const loaded = start >= 0 && start <= this.#bytes.length ? this.#bytes.subarray(start) : new Uint8Array(0)
    if (loaded.length >= bytesMin || (this.#atEnd && loaded.length > 0)) return loaded
    const room = Math.max(0, this.#endsAt - position)
    // One byte more than there is room for: so it shows that this is the end.
    const fresh = Buffer.allocUnsafeSlow(Math.min(Math.max(this.#readBytes, bytesMin), room + 1))
    fresh.set(loaded)
    const read = await this.#source.read(fresh.subarray(loaded.length, room), position + loaded.length)
    this.#position = position
    this.#bytes = fresh.subarray(0, loaded.length + read)
    this.#atEnd = this.#bytes.length < fresh.length
    return this.#bytes
  }
}
