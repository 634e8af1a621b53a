/** Raw deflate (RFC 1951) unpacked piece by piece: what went in so far has come out when `feed` answers, also before damage,
 *  so that the result does not depend on how the bytes arrive. Deliberately not here: how much of it is kept. */
import { constants, createInflateRaw, type InflateRaw } from 'node:zlib'

/** Deflate makes at most 1032 bytes of one, so a piece is 65 MiB at the worst, which only a bomb is; 16 KiB took four times as
 *  many trips through zlib's thread pool. */
export const pieceBytes = 64 * 1024
export const expansionMax = 1032

export class Inflating {
  #inflater: InflateRaw = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  #came: Uint8Array[] = []
  #over = false
  /** What zlib said of bytes that make no sense. */
  damage: string | undefined

  constructor() {
    this.#inflater.on('data', (bytes: Uint8Array) => this.#came.push(bytes))
    this.#inflater.on('error', (error) => {
      this.damage = error.message
      this.#over = true
    })
    this.#inflater.on('end', () => (this.#over = true))
  }

  /** Nothing more will come: the last block was seen, or damage. */
  get over(): boolean {
    return this.#over
  }

  async feed(piece: Uint8Array): Promise<Uint8Array[]> {
    if (this.#over) return []
    // A write is not answered when the last block ends inside it: the end is what comes then.
    await this.#settled((done) => this.#inflater.write(piece, done))
    return this.#came.splice(0)
  }

  async finish(): Promise<Uint8Array[]> {
    if (this.#over) return []
    await this.#settled(() => this.#inflater.end())
    return this.#came.splice(0)
  }

  close(): void {
    this.#over = true
    this.#inflater.destroy()
  }

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
