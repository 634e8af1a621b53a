/** Zip files written front to back, in one go, with nothing held but the list of contents: 200 bytes an entry. Entries are
 *  stored, for what is large in a WACZ is packed already and has to be found by its place (WACZ 1.1.1, Zip Compression).
 *  Deliberately not here: what is put in (waczWriter.ts), and deflate. */
import { crc32 } from 'node:zlib'
import { descriptor, directoryHeader, endRecords, localHeader, zipMethods, type Written } from './zipHeaders.ts'

export type Append = (bytes: Uint8Array) => Promise<void>

export interface OpenEntry {
  append: Append
  /** Must be called before the next entry begins. */
  end(): Promise<void>
}

/** The list of contents goes out in pieces of about this size. */
const directoryPieceBytes = 64 * 1024

export class ZipWriter {
  #append: Append
  #modifiedAtMs: number
  #position = 0
  #written: Written[] = []
  #names = new Set<string>()
  #open: string | undefined

  /** `append`: where the bytes go. `modifiedAtMs`: the time that every entry gets. */
  constructor(append: Append, modifiedAtMs: number) {
    this.#append = append
    this.#modifiedAtMs = modifiedAtMs
  }

  /** Bytes of the file so far. */
  get position(): number {
    return this.#position
  }

  /** An entry whose length is known at its end only. Its sizes have 8 bytes each, because it is unknown in advance (APPNOTE 4.3.9.2). */
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

  /** An entry that is in memory. */
  async whole(name: string, bytes: Uint8Array): Promise<void> {
    const entry = this.#entry(name, { described: false, zip64: false })
    entry.crc32 = crc32(bytes)
    entry.bytes = entry.compressedBytes = bytes.length
    this.#written.push(entry)
    await this.#out(localHeader(entry))
    await this.#out(bytes)
  }

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
