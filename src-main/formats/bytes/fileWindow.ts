/** A window that moves forward through a file. Each refill is a new buffer, so views returned earlier remain valid. */

/** Random access to a file, as archive readers need it; `ReadableFile` of world implements it. */
export interface ByteSource {
  /** Fills `into` from `position`, and returns the number of bytes read: fewer only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>
}

/** Size of one read in bytes. With 1 MiB the time of a read is negligible compared with inflating. It is also the
 *  memory that one reader needs, in addition to what its caller keeps. */
export const windowBytes = 1024 * 1024

/** Size of one read in bytes where a whole file is read in sequence: enough for several batches of members, so that few of
 *  them have to wait for the next read (see gzipBatch.ts). */
export const sequenceBytes = 4 * windowBytes

/** View of a file for readers. */
export interface Window {
  /** Returns the loaded bytes from `position` on: at least `bytesMin`, fewer only at the end of the file. */
  view(position: number, bytesMin: number): Promise<Uint8Array>
}

/** A window on one file. Used by one reader at a time. Positions may go back, at the cost of another read;
 *  `#bytes` always holds the bytes of the file from `#position` on without gaps. */
export class FileWindow implements Window {
  #source: ByteSource
  #bytes: Uint8Array = new Uint8Array(0)
  /** Offset of `#bytes` in the file. */
  #position = 0
  #atEnd = false
  #readBytes: number
  #endsAt: number

  /** `readBytes`: size of one read, when less than usual is known to be enough. `endsAt`: offset at which the file
   *  is treated as ended. */
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
    // One more byte than may be read, so that a full read still shows the end.
    const fresh = Buffer.allocUnsafeSlow(Math.min(Math.max(this.#readBytes, bytesMin), room + 1))
    fresh.set(loaded)
    const read = await this.#source.read(fresh.subarray(loaded.length, room), position + loaded.length)
    this.#position = position
    this.#bytes = fresh.subarray(0, loaded.length + read)
    this.#atEnd = this.#bytes.length < fresh.length
    return this.#bytes
  }
}
