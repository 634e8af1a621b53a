/** Gzip members read from a file (RFC 1952), one at a time, with the offset behind each: what an index needs and a plain
 *  decompressor does not say. Small members are inflated at once, large and damaged ones as a stream in bounded memory. */
import { constants, crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib'
import { complaint, type Complaint } from '../complaint.ts'
import type { RuleName } from '../rules/rules.ts'
import { windowBytes, type FileWindow } from '../bytes/fileWindow.ts'

/** Most members of a web archive are smaller than this when compressed; so much is loaded before the first try. */
const firstViewBytes = 64 * 1024
/** A member that inflates to more is read as a stream. */
const inflatedBytesMax = 8 * 1024 * 1024
/** Several names and extra fields; a longer header is damage. */
const memberHeaderBytesMax = 128 * 1024

export interface Member {
  /** The next inflated bytes, undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Bytes of the file that belong to it, as far as it was read. */
  readonly length: number
  /** False once it is known to be torn, damaged or to lie about its content. */
  readonly whole: boolean
  readonly complaints: Complaint[]
  close(): void
}

/** Undefined when no gzip member begins at `offset`. */
export async function openMember(window: FileWindow, offset: number): Promise<Member | undefined> {
  const first = await window.view(offset, firstViewBytes)
  let headerBytes = memberHeaderLength(first)
  if (headerBytes === undefined && first.length > 10)
    headerBytes = memberHeaderLength(await window.view(offset, memberHeaderBytesMax))
  if (headerBytes === undefined) return undefined
  const small = inflatedAtOnce(first, headerBytes, offset)
  if (small) return small
  const second = first.length < windowBytes ? await window.view(offset, windowBytes) : first
  const larger = second.length > first.length ? inflatedAtOnce(second, headerBytes, offset) : undefined
  return larger ?? new StreamedMember(window, offset, headerBytes)
}

/** Whether a member begins at the start of `bytes` whose content begins with `text`. */
export function memberBegins(bytes: Uint8Array, text: string): boolean {
  const headerBytes = memberHeaderLength(bytes)
  if (headerBytes === undefined) return false
  try {
    const part = bytes.subarray(headerBytes, headerBytes + 1024)
    return inflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1', 0, text.length) === text
  } catch (error) {
    if (isZlibError(error)) return false
    throw error
  }
}

/** RFC 1952, 2.3. Undefined when it is no gzip header, or not all of it is there. */
function memberHeaderLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined
  const flags = bytes[3] ?? 0
  if (flags > 31) return undefined
  let at = 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const zeroEnded of [flags & 8, flags & 16]) {
    if (!zeroEnded) continue
    const zero = bytes.indexOf(0, at)
    if (zero < 0) return undefined
    at = zero + 1
  }
  if (flags & 2) at += 2
  return at <= bytes.length ? at : undefined
}

const trailerBytes = 8

/** Undefined when the member does not end in `bytes`, is large, or is damaged: then the streamed way says which. */
function inflatedAtOnce(bytes: Uint8Array, headerBytes: number, offset: number): Member | undefined {
  const inflated = inflate(bytes.subarray(headerBytes))
  if (!inflated) return undefined
  const trailerAt = headerBytes + inflated.usedBytes
  if (trailerAt + trailerBytes > bytes.length) return undefined
  const trailer = bytes.subarray(trailerAt, trailerAt + trailerBytes)
  const complaints = trailerComplaints(trailer, crc32(inflated.bytes), inflated.bytes.length, offset)
  let given = false
  return {
    next() {
      const bytesOnce = given ? undefined : inflated.bytes
      given = true
      return Promise.resolve(bytesOnce)
    },
    length: trailerAt + trailerBytes,
    whole: complaints.length === 0,
    complaints,
    close: () => undefined,
  }
}

function inflate(bytes: Uint8Array): { bytes: Buffer; usedBytes: number } | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: inflatedBytesMax, info: true }
  try {
    // `info` adds the engine, whose count of input bytes is the end of the member (Node documents it; its types do not).
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw }
    return { bytes: buffer, usedBytes: engine.bytesWritten }
  } catch (error) {
    if (isZlibError(error)) return undefined
    throw error
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
}

function trailerComplaints(trailer: Uint8Array, crc: number, inflatedBytes: number, offset: number): Complaint[] {
  const numbers = new DataView(trailer.buffer, trailer.byteOffset, trailerBytes)
  if (numbers.getUint32(0, true) === crc && numbers.getUint32(4, true) === inflatedBytes % 2 ** 32) return []
  return [complaint('memberChecksum', 'The checksum of a gzip member does not fit its content.', offset)]
}

class StreamedMember implements Member {
  length: number
  whole = true
  readonly complaints: Complaint[] = []
  #window: FileWindow
  #offset: number
  #headerBytes: number
  #inflate: InflateRaw = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  #output: AsyncIterator<Uint8Array>
  #feeding = false
  #crc = 0
  #inflatedBytes = 0
  #ended = false

  constructor(window: FileWindow, offset: number, headerBytes: number) {
    this.#window = window
    this.#offset = offset
    this.#headerBytes = headerBytes
    this.length = headerBytes
    this.#output = this.#inflate[Symbol.asyncIterator]()
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    if (!this.#feeding) {
      this.#feeding = true
      void this.#feed()
    }
    const bytes = await this.#nextOutput()
    this.length = this.#headerBytes + this.#inflate.bytesWritten
    if (bytes) {
      this.#crc = crc32(bytes, this.#crc)
      this.#inflatedBytes += bytes.length
      return bytes
    }
    this.#ended = true
    if (this.whole) await this.#checkTrailer()
    return undefined
  }

  close(): void {
    this.#ended = true
    this.#inflate.destroy()
  }

  async #nextOutput(): Promise<Uint8Array | undefined> {
    try {
      const step = await this.#output.next()
      return step.done ? undefined : step.value
    } catch (error) {
      if (!isZlibError(error)) throw error
      this.#complain('memberDamaged', `A gzip member is damaged (${error.message}).`)
      return undefined
    }
  }

  /** Ends when the inflater has seen the end of the member, or the file ends. A refusing disk destroys the inflater, so
   *  that `next` throws what it said. */
  async #feed(): Promise<void> {
    const inflate = this.#inflate
    const closed = new Promise<void>((resolve) => inflate.once('end', resolve).once('close', resolve))
    let at = this.#offset + this.#headerBytes
    try {
      while (!inflate.readableEnded && !inflate.destroyed) {
        const bytes = await this.#window.view(at, 1)
        if (bytes.length === 0) {
          inflate.end()
          return
        }
        at += bytes.length
        // A write is not answered when the member ends inside it: the end is what comes then.
        await Promise.race([new Promise<void>((resolve) => inflate.write(bytes, () => resolve())), closed])
      }
    } catch (error) {
      inflate.destroy(error instanceof Error ? error : new Error('reading a gzip member', { cause: error }))
    }
  }

  async #checkTrailer(): Promise<void> {
    const trailer = await this.#window.view(this.#offset + this.length, trailerBytes)
    if (trailer.length < trailerBytes) {
      this.length += trailer.length
      this.#complain('memberTorn', 'The file ends within a gzip member.')
      return
    }
    this.length += trailerBytes
    this.complaints.push(...trailerComplaints(trailer, this.#crc, this.#inflatedBytes, this.#offset))
    this.whole = this.complaints.length === 0
  }

  #complain(rule: RuleName, text: string): void {
    this.whole = false
    this.complaints.push(complaint(rule, text, this.#offset))
  }
}
