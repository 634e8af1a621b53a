/** A decompressor of Node driven step by step: one piece of compressed bytes goes in, all that it unpacks to comes out, and only
 *  then the next piece may follow. Reading Node's streams as iterators does not do that: they drop what is unpacked and not
 *  yet read when an error follows, so the content of a damaged member would depend on timing. */
import type { InflateRaw, ZstdDecompress } from 'node:zlib'

export type Engine = InflateRaw | ZstdDecompress

export class Unpacker {
  #engine: Engine
  #error: Error | undefined
  #ended = false
  #onEvent: () => void = () => undefined

  constructor(engine: Engine) {
    this.#engine = engine
    engine.on('readable', () => this.#onEvent())
    engine.once('end', () => this.#end())
    engine.once('close', () => this.#end())
    engine.once('error', (error) => {
      this.#error = error
      this.#onEvent()
    })
  }

  /** The compressed data has ended, or `close` was called. */
  get ended(): boolean {
    return this.#ended
  }

  /** Compressed bytes used so far. Bytes after the end of the compressed data are not counted. */
  get usedBytes(): number {
    return this.#engine.bytesWritten
  }

  /** Yields what `piece` unpacks to; throws the error of the engine. */
  async *unpack(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let isTaken = false
    this.#engine.write(piece, () => {
      isTaken = true
      this.#onEvent()
    })
    // Where the compressed data ends inside the piece, the end comes instead of the answer to the write.
    yield* this.#output(() => isTaken || this.#ended)
  }

  /** Yields the rest; no piece follows. */
  async *finish(): AsyncGenerator<Uint8Array> {
    this.#engine.end()
    yield* this.#output(() => this.#ended)
  }

  close(): void {
    this.#engine.destroy()
  }

  async *#output(isDone: () => boolean): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = this.#engine.read() as Uint8Array | null
      if (bytes) yield bytes
      else if (this.#error) throw this.#error
      else if (isDone()) return
      else await new Promise<void>((resolve) => (this.#onEvent = resolve))
    }
  }

  #end(): void {
    this.#ended = true
    this.#onEvent()
  }
}
