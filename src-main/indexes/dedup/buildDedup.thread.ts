/** Builds a deduplication index from the index lines of archive files. */
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import type { Capture } from '../../formats/cdx/capture.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { linesOf, writeWhole } from '../../files/disk/lineFile.ts'
import type { Task, World } from '../../world/world.ts'
import type { LineFile } from '../lines/captureLines.ts'
import { blockEntries, trailerOf, type DedupManifest } from './dedupFile.ts'
import { entryBytes, hashOf, keyPosition, putEntry, type DedupOrder } from './entries.ts'
import { entryBuckets, type EntryBuckets } from './entryBuckets.ts'
import { isAmong } from './excludedTypes.ts'

/** What an index is made of. */
export interface DedupInput {
  /** Path of the file, which is created. */
  path: string
  files: LineFile[]
  manifest: Omit<DedupManifest, 'files' | 'entryCounts'>
}

/** Files whose lines have been read. */
export interface DedupReport {
  filesDone: number
}

/** Shortest line of a response, in bytes: bounds the number of entries by the size of the files. */
const lineBytesMin = 120
/** Entries that are handed on at once. */
const entriesAtOnce = 4_096

export const task: Task<DedupInput, void, DedupReport> = async (
  { world, report, signal },
  { path, files, manifest },
) => {
  const entriesMax = (await bytesOf(world, files)) / lineBytesMin
  const temporary = `${path}.${world.chance.uuid()}`
  const of = (order: DedupOrder) => entryBuckets(world, { path: temporary, order, entriesMax })
  const buckets = { url: of('url'), payload: of('payload') }
  try {
    const add = adder(Object.values(buckets))
    const isExcluded = isAmong(manifest.excludedTypes)
    for (const [number, file] of files.entries()) {
      for await (const lines of linesIn(world, file)) {
        signal.throwIfAborted()
        for (const line of lines) {
          const capture = isCdxjHeader(line) ? undefined : parseCdxjLine(line)
          if (capture && mayBeOriginal(capture) && !isExcluded(capture.mediaType)) await add.capture(capture, number)
        }
      }
      report({ filesDone: number + 1 })
    }
    await add.flush()
    await writeIndex(world, { path, buckets, manifest: { ...manifest, files: files.map(({ name }) => name) } })
  } finally {
    await buckets.url.remove()
    await buckets.payload.remove()
  }
}

/** Whether a revisit may refer to a capture: only to a complete answer with a body that is known by its digest. */
function mayBeOriginal({ recordType, status, payloadDigest, method }: Capture): boolean {
  return recordType === 'response' && status === 200 && payloadDigest !== '' && method === undefined
}

async function bytesOf(world: World, files: readonly LineFile[]): Promise<number> {
  let bytes = 0
  for (const { lines } of files) bytes += (await world.disk.stat(lines))?.bytes ?? 0
  return bytes
}

async function* linesIn(world: World, { lines }: LineFile): AsyncGenerator<readonly string[]> {
  const file = await world.disk.openRead(lines)
  try {
    yield* linesOf(file)
  } finally {
    await file.close()
  }
}

/** Adds captures to buckets, many at once. */
function adder(buckets: readonly EntryBuckets[]) {
  const waiting = Buffer.allocUnsafe(entriesAtOnce * entryBytes)
  let bytes = 0
  async function flush(): Promise<void> {
    for (const bucket of buckets) await bucket.add(waiting.subarray(0, bytes))
    bytes = 0
  }
  return {
    flush,
    capture({ key, payloadDigest, timestampMs, offset }: Capture, file: number): Promise<void> | undefined {
      const entry = { urlHash: hashOf(key), payloadHash: hashOf(payloadDigest), timestampMs, file, offset }
      putEntry(waiting, bytes, entry)
      bytes += entryBytes
      return bytes === waiting.length ? flush() : undefined
    },
  }
}

interface ToWrite {
  path: string
  buckets: Record<DedupOrder, EntryBuckets>
  manifest: Omit<DedupManifest, 'entryCounts'>
}

async function writeIndex(world: World, { path, buckets, manifest }: ToWrite): Promise<void> {
  await writeWhole(world, path, async (append) => {
    const firsts: number[] = []
    const entryCounts = { url: 0, payload: 0 }
    for (const order of ['url', 'payload'] as const) {
      for await (const entries of buckets[order].sorted()) {
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
