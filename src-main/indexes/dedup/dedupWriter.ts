/** Writes the file of a deduplication index from entries in any order, within a bounded memory. */
import { writeWhole } from '../../files/disk/lineFile.ts'
import type { World } from '../../world/world.ts'
import { blockEntries, trailerOf, type DedupManifest } from './dedupFile.ts'
import { entryBytes, keyPosition, putEntry, type DedupEntry, type DedupOrder } from './entries.ts'
import { entryBuckets, type EntryBuckets } from './entryBuckets.ts'

/** The content of an index. */
export interface DedupContent {
  /** Path of the file, which is created. */
  path: string
  entries: AsyncIterable<DedupEntry>
  /** Bound of their number, from which the memory follows. */
  entriesMax: number
  manifest: Omit<DedupManifest, 'entryCounts'>
  signal: AbortSignal
}

/** Entries that are handed on at once. */
const entriesAtOnce = 4_096

/** Writes the file under a temporary name and renames it. Rejects with `DiskFault`, and with what `entries` throws. */
export async function writeDedupFile(world: World, content: DedupContent): Promise<void> {
  const { path, entries, entriesMax } = content
  const temporary = `${path}.${world.chance.uuid()}`
  const of = (order: DedupOrder) => entryBuckets(world, { path: temporary, order, entriesMax })
  const buckets = { url: of('url'), payload: of('payload') }
  try {
    await distribute(entries, Object.values(buckets))
    await writeSorted(world, content, buckets)
  } finally {
    await buckets.url.remove()
    await buckets.payload.remove()
  }
}

async function distribute(entries: AsyncIterable<DedupEntry>, buckets: readonly EntryBuckets[]): Promise<void> {
  const waiting = Buffer.allocUnsafe(entriesAtOnce * entryBytes)
  let bytes = 0
  const flush = async () => {
    for (const bucket of buckets) await bucket.add(waiting.subarray(0, bytes))
    bytes = 0
  }
  for await (const entry of entries) {
    putEntry(waiting, bytes, entry)
    bytes += entryBytes
    if (bytes === waiting.length) await flush()
  }
  await flush()
}

async function writeSorted(
  world: World,
  { path, manifest, signal }: DedupContent,
  buckets: Record<DedupOrder, EntryBuckets>,
): Promise<void> {
  await writeWhole(world, path, async (append) => {
    const firsts: number[] = []
    const entryCounts = { url: 0, payload: 0 }
    for (const order of ['url', 'payload'] as const) {
      for await (const entries of buckets[order].sorted()) {
        signal.throwIfAborted()
        for (let from = firstOfBlock(entryCounts[order]); from * entryBytes < entries.length; from += blockEntries)
          firsts.push(entries.readUInt32BE(from * entryBytes + keyPosition(order)))
        entryCounts[order] += entries.length / entryBytes
        await append(entries)
      }
    }
    const firstBytes = Buffer.allocUnsafe(4 * firsts.length)
    for (const [at, first] of firsts.entries()) firstBytes.writeUInt32LE(first, 4 * at)
    await append(firstBytes)
    const text = Buffer.from(JSON.stringify({ ...manifest, entryCounts } satisfies DedupManifest))
    await append(text)
    await append(trailerOf(text.length))
  })
}

/** Position of the next entry that begins a block, after `before` entries. */
function firstOfBlock(before: number): number {
  return (blockEntries - (before % blockEntries)) % blockEntries
}
