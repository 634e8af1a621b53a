/** Sorts any number of entries within a bounded memory: they are distributed over buckets by the beginning of their key, and each bucket
 *  is sorted by itself. Keys are hashes, so buckets are of nearly the same size. */
import type { World, WritableFile } from '../../world/world.ts'
import { entryBytes, keyPosition, sortedEntries, sortedEntriesMax, type DedupOrder } from './entries.ts'

/** Entries of one order on their way to the file. */
export interface EntryBuckets {
  /** Adds the entries in the buffer. */
  add(entries: Buffer): Promise<void>
  /** Yields all entries in order. */
  sorted(): AsyncIterable<Buffer>
  /** Removes the temporary files. */
  remove(): Promise<void>
}

/** Bytes of a bucket that wait to be written. */
const waitingBytesMax = 64 * 1024

interface Bucket {
  path: string
  file: WritableFile | undefined
  waiting: Buffer
  waitingBytes: number
}

/** Opens buckets for at most `entriesMax` entries. `path`: beginning of the paths of temporary files. */
export function entryBuckets(
  world: World,
  { path, order, entriesMax }: { path: string; order: DedupOrder; entriesMax: number },
): EntryBuckets {
  const count = Math.max(1, Math.ceil(entriesMax / (sortedEntriesMax / 2)))
  const at = keyPosition(order)
  const buckets = Array.from({ length: count }, (_, number): Bucket => {
    return { path: `${path}.${order}.${number}.part`, file: undefined, waiting: Buffer.alloc(0), waitingBytes: 0 }
  })

  async function flush(bucket: Bucket): Promise<void> {
    if (bucket.waitingBytes === 0) return
    bucket.file ??= await world.disk.openWrite(bucket.path, 'create')
    await bucket.file.append([Buffer.from(bucket.waiting.subarray(0, bucket.waitingBytes))])
    bucket.waitingBytes = 0
  }

  return {
    async add(entries) {
      for (let from = 0; from < entries.length; from += entryBytes) {
        const bucket = buckets[Math.floor((entries.readUInt32BE(from + at) / 2 ** 32) * count)]
        if (bucket === undefined) throw new Error('a key beyond the last bucket')
        if (bucket.waiting.length === 0) bucket.waiting = Buffer.allocUnsafe(waitingBytesMax)
        bucket.waitingBytes += entries.copy(bucket.waiting, bucket.waitingBytes, from, from + entryBytes)
        if (bucket.waitingBytes === waitingBytesMax) await flush(bucket)
      }
    },
    async *sorted() {
      for (const bucket of buckets) {
        await flush(bucket)
        await bucket.file?.close()
        if (bucket.file) yield await sortedFile(world, bucket.path, order)
        bucket.file = undefined
      }
    },
    async remove() {
      for (const { path: bucketPath, file } of buckets) {
        await file?.close()
        if (await world.disk.stat(bucketPath)) await world.disk.remove(bucketPath)
      }
    },
  }
}

/** Sorts the entries of a file. One with more than fit, because a key occurs millions of times, is sorted in parts, which keep the newest of
 *  each key. */
async function sortedFile(world: World, path: string, order: DedupOrder): Promise<Buffer> {
  const file = await world.disk.openRead(path)
  try {
    const total = await file.bytes()
    let sorted: Buffer = Buffer.alloc(0)
    for (let position = 0; position < total;) {
      const room = sortedEntriesMax * entryBytes - sorted.length
      if (room <= 0) throw new Error(`a bucket has more than ${sortedEntriesMax} keys`)
      const bytes = Buffer.allocUnsafe(sorted.length + Math.min(room, total - position))
      sorted.copy(bytes)
      const read = await file.read(bytes.subarray(sorted.length), position)
      if (read === 0) throw new Error(`${path} ends at ${position} of ${total} bytes`)
      position += read
      sorted = sortedEntries(bytes, order)
    }
    return sorted
  } finally {
    await file.close()
  }
}
