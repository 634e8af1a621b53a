/** Many small gzip members inflated by one call, and the next ones meanwhile by zlib's own threads: zlib takes members that follow each other for one stream, and a call for
 *  each costs more than its pages do (253 MB of wget's WARCs in 29,314 members: see bench/formats). Where the members end is
 *  known beforehand, by the marks that they begin with, and is proven afterwards, by the sizes that they end with. Whatever
 *  does not fit is left to be read one by one, so that every fault is found where it is. */
import { gunzip, gunzipSync, type Gunzip } from 'node:zlib'
import { contentBytesMax, heldMember, type Member } from './member.ts'
import { deflateRatioMax, gzipMark, isGzip, memberBytesMin } from './gzipMembers.ts'
import { isPackingError } from './streamedMember.ts'

/** Content of one batch: what a reader holds in addition to its window and to what waits for garbage collection. Four
 *  times as much is no faster and leaves a tenth more in memory (bench/README.md). */
const batchBytesMax = 1024 * 1024
/** Fewer are as quick one by one. */
const batchCountMin = 3

interface Expected {
  /** In the file. */
  offset: number
  length: number
  contentBytes: number
}

interface Batch {
  members: Expected[]
  /** Undefined when they did not fit together. */
  content: Uint8Array | undefined | Promise<Uint8Array | undefined>
}

export class GzipBatch {
  #members: Expected[] = []
  #content: Uint8Array = new Uint8Array(0)
  #taken = 0
  #takenBytes = 0
  /** The members after these, being inflated while these are read. */
  #ahead: Batch | undefined
  /** Members before this offset did not fit together. */
  #singlyUntil = 0

  /** The member at `offset`, when it came out of a batch. `bytes`: what is loaded from there on. */
  async member(offset: number, bytes: Uint8Array): Promise<Member | undefined> {
    return this.#next(offset) ?? ((await this.#fill(offset, bytes)) ? this.#next(offset) : undefined)
  }

  #next(offset: number): Member | undefined {
    const expected = this.#members[this.#taken]
    if (expected?.offset !== offset) return undefined
    const { length, contentBytes } = expected
    const content = this.#content.subarray(this.#takenBytes, this.#takenBytes + contentBytes)
    this.#taken += 1
    this.#takenBytes += contentBytes
    return heldMember(content, length, [])
  }

  async #fill(offset: number, bytes: Uint8Array): Promise<boolean> {
    if (offset < this.#singlyUntil || !isGzip(bytes)) return false
    const ahead = this.#ahead?.members[0]?.offset === offset ? this.#ahead : undefined
    const { members, content: coming } = ahead ?? batchAt(offset, bytes, inflated)
    const content = await coming
    const end = endOf(members, offset)
    if (!content) {
      this.#singlyUntil = end
      return false
    }
    this.#members = members
    this.#content = content
    this.#taken = 0
    this.#takenBytes = 0
    this.#ahead = batchAt(end, bytes.subarray(end - offset), inflatedAside)
    return true
  }
}

function batchAt(
  offset: number,
  bytes: Uint8Array,
  inflate: (packed: Uint8Array, contentBytes: number) => Batch['content'],
): Batch {
  const members = expectedMembers(offset, bytes)
  if (members.length < batchCountMin) return { members: [], content: undefined }
  const contentBytes = members.reduce((sum, member) => sum + member.contentBytes, 0)
  return { members, content: inflate(bytes.subarray(0, endOf(members, offset) - offset), contentBytes) }
}

function endOf(members: readonly Expected[], offset: number): number {
  const last = members.at(-1)
  return last ? last.offset + last.length : offset
}

/** By the marks of those that follow; the last one in sight is left out, because its end is not. */
function expectedMembers(offset: number, bytes: Uint8Array): Expected[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const members: Expected[] = []
  let totalBytes = 0
  let at = 0
  for (let next = buffer.indexOf(gzipMark, memberBytesMin); next >= 0; next = buffer.indexOf(gzipMark, next + 1)) {
    const length = next - at
    const contentBytes = length < memberBytesMin ? Infinity : buffer.readUInt32LE(next - 4)
    // No member packs so much into so little: the mark is a chance, or belongs to a file that lies inside.
    if (contentBytes > Math.min(length * deflateRatioMax, contentBytesMax)) continue
    // An empty member adds nothing to the sum that proves the places; a file inside may hold what looks like its end.
    if (contentBytes === 0 || totalBytes + contentBytes > batchBytesMax) break
    totalBytes += contentBytes
    members.push({ offset: offset + at, length, contentBytes })
    at = next
  }
  return members
}

/** Undefined when it is damaged, of another length, or not all of it belongs to members: zlib stops at a zero after one. */
function inflated(packed: Uint8Array, contentBytes: number): Uint8Array | undefined {
  try {
    return proven(gunzipSync(packed, optionsOf(contentBytes)) as unknown as Inflated, packed, contentBytes)
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** The same on one of zlib's threads. */
function inflatedAside(packed: Uint8Array, contentBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    gunzip(packed, optionsOf(contentBytes), (error, result) => {
      if (!error) resolve(proven(result as unknown as Inflated, packed, contentBytes))
      else if (isPackingError(error)) resolve(undefined)
      else reject(new Error('inflating a batch of members', { cause: error }))
    })
  })
}

/** What `info` makes of the result (Node documents it; its types do not): the engine counts what it took. */
interface Inflated {
  buffer: Buffer
  engine: Gunzip
}

function optionsOf(contentBytes: number) {
  return { chunkSize: contentBytes + 64, maxOutputLength: contentBytes + 64, info: true }
}

function proven({ buffer, engine }: Inflated, packed: Uint8Array, contentBytes: number): Uint8Array | undefined {
  return buffer.length === contentBytes && engine.bytesWritten === packed.length ? buffer : undefined
}
