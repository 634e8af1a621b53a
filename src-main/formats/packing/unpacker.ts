/** Drives a Node decompressor step by step: all that one piece of compressed bytes unpacks to is yielded before the
 *  next piece is accepted. Reading Node's streams as iterators does not guarantee this: they drop unpacked but
 *  unread bytes when an error follows, so the content of a damaged member would depend on timing. */
import type { Gunzip, InflateRaw, ZstdDecompress } from 'node:zlib'

/** Node's decompressors for deflate, gzip and zstd. */
export type Engine = Gunzip | InflateRaw | ZstdDecompress

/** One decompression. */
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

  /** True when the compressed data has ended or `close` was called. */
  get ended(): boolean {
    return this.#ended
  }

  /** Number of compressed bytes used so far, without bytes after the end of the compressed data. */
  get usedBytes(): number {
    return this.#engine.bytesWritten
  }

  /** Yields what `piece` unpacks to. Throws the error of the engine. */
  async *unpack(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let isTaken = false
    this.#engine.write(piece, () => {
      isTaken = true
      this.#onEvent()
    })
    // When the compressed data ends inside the piece, `end` is emitted and the callback of the write is not called.
    yield* this.#output(() => isTaken || this.#ended)
  }

  /** Yields the rest of the content. No further piece may be given. */
  async *finish(): AsyncGenerator<Uint8Array> {
    this.#engine.end()
    yield* this.#output(() => this.#ended)
  }

  close(): void {
    this.#engine.destroy()
  }

  /** Yields what the engine has unpacked, until `isDone` after an event. */
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
