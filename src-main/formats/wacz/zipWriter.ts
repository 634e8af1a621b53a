/** Writes zip files sequentially, in one pass, holding only the central directory: 200 bytes for each entry. Entries
 *  are stored, because large files in a WACZ are already compressed and must be addressable by offset (WACZ 1.1.1,
 *  Zip Compression). Deflate is not supported. */
import { crc32 } from 'node:zlib'
import { descriptor, directoryHeader, endRecords, localHeader, zipMethods, type Written } from './zipHeaders.ts'

/** Appends bytes to the package; the writer waits for it before the next call. */
export type Append = (bytes: Uint8Array) => Promise<void>

/** An entry that is being written. */
export interface OpenEntry {
  append: Append
  /** Must be called before the next entry begins. */
  end(): Promise<void>
}

/** Approximate size of the pieces in which the central directory is written. */
const directoryPieceBytes = 64 * 1024

/** Writes one zip file. Call `end` after the last entry. */
export class ZipWriter {
  #append: Append
  #modifiedAtMs: number
  #position = 0
  #written: Written[] = []
  #names = new Set<string>()
  #open: string | undefined

  /** `append` receives the bytes. `modifiedAtMs` is the time of every entry. */
  constructor(append: Append, modifiedAtMs: number) {
    this.#append = append
    this.#modifiedAtMs = modifiedAtMs
  }

  /** Number of bytes of the file written so far. */
  get position(): number {
    return this.#position
  }

  /** Begins an entry whose length is known only at its end. Its sizes have 8 bytes, because they are unknown in
   *  advance (APPNOTE 4.3.9.2). */
  async begin(name: string): Promise<OpenEntry> {
    const entry = this.#entry(name, { described: true, zip64: true })
    this.#open = name
    await this.#out(localHeader(entry))
    return {
      append: async (bytes) => {
        if (this.#open !== name) throw new Error(`the entry ${name} has ended`)
        entry.crc32 = crc32(bytes, entry.crc32)
        entry.bytes += bytes.length
        await this.#out(bytes)
      },
      end: async () => {
        entry.compressedBytes = entry.bytes
        await this.#out(descriptor(entry))
        this.#written.push(entry)
        this.#open = undefined
      },
    }
  }

  /** Writes an entry that is in memory. */
  async whole(name: string, bytes: Uint8Array): Promise<void> {
    const entry = this.#entry(name, { described: false, zip64: false })
    entry.crc32 = crc32(bytes)
    entry.bytes = entry.compressedBytes = bytes.length
    this.#written.push(entry)
    await this.#out(localHeader(entry))
    await this.#out(bytes)
  }

  /** Writes the central directory. Throws when an entry is still open. */
  async end(): Promise<void> {
    if (this.#open !== undefined) throw new Error(`the entry ${this.#open} has no end`)
    const from = this.#position
    let piece: Uint8Array[] = []
    let pieceBytes = 0
    for (const entry of this.#written) {
      const header = directoryHeader(entry)
      piece.push(header)
      pieceBytes += header.length
      if (pieceBytes < directoryPieceBytes) continue
      await this.#out(Buffer.concat(piece))
      piece = []
      pieceBytes = 0
    }
    piece.push(endRecords(this.#written.length, from, this.#position + pieceBytes - from))
    await this.#out(Buffer.concat(piece))
  }

  #entry(name: string, how: Pick<Written, 'described' | 'zip64'>): Written {
    if (this.#open !== undefined) throw new Error(`${name} begins before ${this.#open} has ended`)
    if (this.#names.has(name)) throw new Error(`two entries ${name}`)
    this.#names.add(name)
    const sizes = { crc32: 0, compressedBytes: 0, bytes: 0 }
    const place = { offset: this.#position, modifiedAtMs: this.#modifiedAtMs }
    return { name: Buffer.from(name), method: zipMethods.stored, ...how, ...sizes, ...place }
  }

  async #out(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    this.#position += bytes.length
    await this.#append(bytes)
  }
}
