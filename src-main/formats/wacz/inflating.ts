/** Unpacks raw deflate (RFC 1951) piece by piece. `feed` returns everything that the bytes so far unpack to, also
 *  before damage, so that the result does not depend on the size of the pieces. */
import { constants, createInflateRaw, type InflateRaw } from 'node:zlib'

/** Size of a piece in bytes. Deflate yields at most 1032 bytes for one, so a piece unpacks to at most 65 MiB, which
 *  only a decompression bomb does. Pieces of 16 KiB took four times as many trips through zlib's thread pool. */
export const pieceBytes = 64 * 1024

/** One stream: call `feed` for each piece, then `finish`, and `close` in any case. */
export class Inflating {
  #inflater: InflateRaw = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  #came: Uint8Array[] = []
  #over = false
  /** Error message of zlib; undefined when there was no damage. */
  damage: string | undefined

  constructor() {
    this.#inflater.on('data', (bytes: Uint8Array) => this.#came.push(bytes))
    this.#inflater.on('error', (error) => {
      this.damage = error.message
      this.#over = true
    })
    this.#inflater.on('end', () => (this.#over = true))
  }

  /** True when no more bytes will follow: the last block or damage was found. */
  get over(): boolean {
    return this.#over
  }

  /** Unpacks a piece, and returns the bytes that it yields. */
  async feed(piece: Uint8Array): Promise<Uint8Array[]> {
    if (this.#over) return []
    // The callback of the write is not called when the last block ends inside the piece; `end` is emitted instead.
    await this.#settled((done) => this.#inflater.write(piece, done))
    return this.#came.splice(0)
  }

  /** Returns the remaining bytes after the last piece. */
  async finish(): Promise<Uint8Array[]> {
    if (this.#over) return []
    await this.#settled(() => this.#inflater.end())
    return this.#came.splice(0)
  }

  /** Releases the buffers of zlib; may be called several times. */
  close(): void {
    this.#over = true
    this.#inflater.destroy()
  }

  /** Calls `begin`, and resolves when it calls `done` or the stream ends, fails or closes, whichever is first. */
  #settled(begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const inflater = this.#inflater
      const done = () => {
        for (const event of ['end', 'error', 'close']) inflater.off(event, done)
        resolve()
      }
      for (const event of ['end', 'error', 'close']) inflater.on(event, done)
      begin(done)
    })
  }
}
