/** Inflates many small gzip members with one call, and the next batches meanwhile on zlib's own threads. zlib reads
 *  members that follow each other as one stream, and a call for each member costs more than inflating its content
 *  (253 MB of wget's WARCs in 29,314 members: see bench/formats). The ends of the members are guessed from the marks
 *  that members begin with, and verified afterwards by the sizes that they end with. Members that do not fit are
 *  left to be read one by one, so that every fault is found at its place. */
import { gunzip, gunzipSync, type Gunzip } from 'node:zlib'
import { contentBytesMax, heldMember, type Member } from './member.ts'
import { deflateRatioMax, gzipMark, isGzip, memberBytesMin } from './gzipMembers.ts'
import { isPackingError } from './streamedMember.ts'

/** Maximum content of one batch in bytes. A reader holds it in addition to its window and to memory that waits for
 *  garbage collection. Four times as much is no faster and uses more memory (bench/reports/formats.md). */
const batchBytesMax = 1024 * 1024
/** Minimum number of members in a batch: fewer are read as quickly one by one. */
const batchMembersMin = 3
/** Maximum number of batches that are inflated while another one is read: with two, zlib's threads need not wait while a
 *  batch of many small records is read. */
const batchesAheadMax = 2

/** A member as its mark and its stated size describe it. */
interface Expected {
  /** Offset of the member in the file. */
  offset: number
  length: number
  contentBytes: number
}

/** Consecutive members that are inflated with one call. */
interface Batch {
  members: Expected[]
  /** Content of all members in file order; undefined when they did not unpack as expected. */
  content: Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** Hands out members of a file from batches. Used by `Members` when members are opened in sequence. */
export class GzipBatch {
  #members: Expected[] = []
  #content: Uint8Array = new Uint8Array(0)
  #taken = 0
  #takenBytes = 0
  /** Batches after the current one in file order, inflated while the current one is read. */
  #ahead: Batch[] = []
  /** Members before this offset are read one by one, because a batch of them failed. */
  #singlyUntil = 0

  /** Returns the member at `offset`, or undefined when it cannot be read in a batch. `bytes` are the loaded bytes
   *  from `offset` on. */
  async member(offset: number, bytes: Uint8Array): Promise<Member | undefined> {
    return this.next(offset) ?? ((await this.#fill(offset, bytes)) ? this.next(offset) : undefined)
  }

  /** Returns the next member of the batch when it is the one at `offset`. */
  next(offset: number): Member | undefined {
    const expected = this.#members[this.#taken]
    if (expected?.offset !== offset) return undefined
    const { length, contentBytes } = expected
    const content = this.#content.subarray(this.#takenBytes, this.#takenBytes + contentBytes)
    this.#taken += 1
    this.#takenBytes += contentBytes
    return heldMember(content, length, [])
  }

  /** Takes the batch at `offset`. Returns false when there is none, or it failed. */
  async #fill(offset: number, bytes: Uint8Array): Promise<boolean> {
    if (offset < this.#singlyUntil || !isGzip(bytes)) return false
    this.#inflateAhead(offset, bytes)
    const batch = this.#ahead.shift()
    if (!batch) return false
    const content = await batch.content
    if (!content) {
      this.#singlyUntil = endOf(batch.members, offset)
      return false
    }
    this.#members = batch.members
    this.#content = content
    this.#taken = 0
    this.#takenBytes = 0
    return true
  }

  /** Begins the batch at `offset` and those after it, as far as they are loaded. */
  #inflateAhead(offset: number, bytes: Uint8Array): void {
    if (this.#ahead[0]?.members[0]?.offset !== offset) this.#ahead = []
    let at = endOf(this.#ahead.at(-1)?.members ?? [], offset)
    let following: Expected[] | undefined
    while (this.#ahead.length <= batchesAheadMax) {
      const members = following ?? expectedMembers(at, bytes.subarray(at - offset))
      if (members.length < batchMembersMin) return
      const end = endOf(members, at)
      const packed = bytes.subarray(at - offset, end - offset)
      const contentBytes = members.reduce((sum, member) => sum + member.contentBytes, 0)
      following = this.#ahead.length === 0 ? expectedMembers(end, bytes.subarray(end - offset)) : undefined
      const isOnly = following !== undefined && following.length < batchMembersMin
      this.#ahead.push({ members, content: (isOnly ? inflatedHere : inflated)(packed, contentBytes) })
      at = end
    }
  }
}

/** Offset of the end of the last member. */
function endOf(members: readonly Expected[], offset: number): number {
  const last = members.at(-1)
  return last ? last.offset + last.length : offset
}

/** Returns the members that `bytes` appear to consist of, separated by the marks of those that follow. The last one
 *  is left out, because its end is not loaded. */
function expectedMembers(offset: number, bytes: Uint8Array): Expected[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const members: Expected[] = []
  let totalBytes = 0
  let at = 0
  for (let next = buffer.indexOf(gzipMark, memberBytesMin); next >= 0; next = buffer.indexOf(gzipMark, next + 1)) {
    const length = next - at
    const contentBytes = length < memberBytesMin ? Infinity : buffer.readUInt32LE(next - 4)
    // No member has such a compression ratio: the mark occurs by chance, or belongs to a file inside this one.
    if (contentBytes > Math.min(length * deflateRatioMax, contentBytesMax)) continue
    // An empty member does not change the sum that verifies the boundaries, and a file inside may contain what looks
    // like its end.
    if (contentBytes === 0 || totalBytes + contentBytes > batchBytesMax) break
    totalBytes += contentBytes
    members.push({ offset: offset + at, length, contentBytes })
    at = next
  }
  return members
}

/** Inflates a batch with nothing to be read meanwhile, as in a small file: a trip to another thread would only delay it. Returns
 *  undefined when it is damaged, has another length than expected, or contains bytes outside of members: zlib stops at a zero byte
 *  after a member. */
function inflatedHere(packed: Uint8Array, contentBytes: number): Uint8Array | undefined {
  try {
    return proven(gunzipSync(packed, optionsOf(contentBytes)) as unknown as Inflated, packed, contentBytes)
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** Does the same as `inflatedHere` on one of zlib's threads. */
function inflated(packed: Uint8Array, contentBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    gunzip(packed, optionsOf(contentBytes), (error, result) => {
      if (!error) resolve(proven(result as unknown as Inflated, packed, contentBytes))
      else if (isPackingError(error)) resolve(undefined)
      else reject(new Error('inflating a batch of members', { cause: error }))
    })
  })
}

function optionsOf(contentBytes: number) {
  return { chunkSize: contentBytes + 64, maxOutputLength: contentBytes + 64, info: true }
}

/** Result of zlib with the option `info` (documented by Node, missing in its types). The engine counts its input
 *  bytes. */
interface Inflated {
  buffer: Buffer
  engine: Gunzip
}

/** Returns the content when its length is as expected and zlib has used all of the input. */
function proven({ buffer, engine }: Inflated, packed: Uint8Array, contentBytes: number): Uint8Array | undefined {
  return buffer.length === contentBytes && engine.bytesWritten === packed.length ? buffer : undefined
}
