/** The file of a deduplication index, which never changes once it has its final name:
 *
 *  - the entries in the order of their URLs, then in the order of their payloads (`entries.ts`), of each key the newest ones,
 *  - for each order the first 32 bits of the key of every `blockEntries`th entry, which are in memory while the file is open,
 *  - the manifest as JSON,
 *  - at the end 32 bytes: the length of the manifest (8) and the name of the format (24).
 *
 *  A lookup reads one block of 4 kB. Measured against SQLite and against sorted lines in `bench/reports/dedup.md`. */
import { z } from 'zod'
import { messageShape } from '../../contract/shapes/shapes.ts'
import type { Disk, ReadableFile } from '../../world/world.ts'
import { entryAt, entryBytes, keyPosition, type DedupEntry, type DedupOrder } from './entries.ts'

const count = z.int().min(0)
const jobs = z.array(z.int())

const dedupManifestShape = z.object({
  jobsFound: jobs,
  jobsMissing: jobs,
  /** Archive files; entries have positions in this list. */
  files: z.array(z.string()),
  filesMissing: z.array(z.object({ name: z.string(), reason: messageShape })),
  /** Media types whose captures are left out, as `type/subtype` or `type/*`. */
  excludedTypes: z.array(z.string()),
  /** Number of entries in each order. */
  entryCounts: z.object({ url: count, payload: count }),
})
/** What a deduplication index covers. */
export type DedupManifest = z.output<typeof dedupManifestShape>

/** An open deduplication index. */
export interface DedupFile {
  readonly manifest: DedupManifest
  /** At most `limit` entries with this hash, the newest first. Rejects with `DiskFault`. */
  find(order: DedupOrder, hash: bigint, limit: number): Promise<DedupEntry[]>
  close(): Promise<void>
}

/** Entries per block, 4 kB: what a disk reads at once. */
export const blockEntries = 128
const trailerBytes = 32
/** Changes when the file or the choice of its captures changes, so that a new version of Loupe builds its own. */
export const dedupFormat = 'loupe dedup 1'

/** The bytes at the end of the file. */
export function trailerOf(manifestBytes: number): Buffer {
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeBigUInt64LE(BigInt(manifestBytes), 0)
  trailer.write(dedupFormat, 8, 'latin1')
  return trailer
}

/** Opens the file at the path. Undefined: it is no complete file of this format. Rejects with `DiskFault`. */
export async function openDedupFile(path: string, disk: Disk): Promise<DedupFile | undefined> {
  const file = await disk.openRead(path)
  try {
    const opened = await readEnd(file)
    if (opened === undefined) await file.close()
    return opened
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readEnd(file: ReadableFile): Promise<DedupFile | undefined> {
  const end = (await file.bytes()) - trailerBytes
  const trailer = await readAt(file, end, trailerBytes)
  if (trailer?.toString('latin1', 8).replace(/\0+$/, '') !== dedupFormat) return undefined
  const manifestBytes = Number(trailer.readBigUInt64LE(0))
  const text = await readAt(file, end - manifestBytes, manifestBytes)
  if (text === undefined) return undefined
  const manifest = manifestIn(text)
  if (manifest === undefined) return undefined
  const { url, payload } = manifest.entryCounts
  const before = (url + payload) * entryBytes + 4 * (blockCountOf(url) + blockCountOf(payload))
  if (before !== end - manifestBytes) return undefined
  const firsts = await readAt(file, (url + payload) * entryBytes, 4 * (blockCountOf(url) + blockCountOf(payload)))
  if (firsts === undefined) return undefined
  const firstsOf = (from: number, entryCount: number) =>
    Uint32Array.from({ length: blockCountOf(entryCount) }, (_, at) => firsts.readUInt32LE((from + at) * 4))
  return dedupFile(file, manifest, { url: firstsOf(0, url), payload: firstsOf(blockCountOf(url), payload) })
}

/** Undefined: it is damaged. */
function manifestIn(text: Buffer): DedupManifest | undefined {
  try {
    return dedupManifestShape.parse(JSON.parse(text.toString()))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    throw error
  }
}

function blockCountOf(entryCount: number): number {
  return Math.ceil(entryCount / blockEntries)
}

/** `firsts`: the beginning of the key of the first entry in each block. */
function dedupFile(file: ReadableFile, manifest: DedupManifest, firsts: Record<DedupOrder, Uint32Array>): DedupFile {
  const { entryCounts } = manifest
  async function blockOf(order: DedupOrder, block: number): Promise<Buffer> {
    const from = (order === 'url' ? 0 : entryCounts.url) + block * blockEntries
    const count = Math.min(blockEntries, entryCounts[order] - block * blockEntries)
    return (await readAt(file, from * entryBytes, count * entryBytes)) ?? Buffer.alloc(0)
  }

  return {
    manifest,
    async find(order, hash, limit) {
      const found: DedupEntry[] = []
      const at = keyPosition(order)
      const first = Number(hash >> 32n)
      // The block before the first that begins with this or a later key may end with entries of the key.
      for (let block = Math.max(0, firstAtLeast(firsts[order], first) - 1); block < firsts[order].length; block++) {
        if ((firsts[order][block] ?? Infinity) > first) break
        const bytes = await blockOf(order, block)
        for (let place = 0; place < bytes.length; place += entryBytes) {
          if (bytes.readUInt32BE(place + at) !== first || bytes.readBigUInt64BE(place + at) !== hash) continue
          found.push(entryAt(bytes, place))
          if (found.length >= limit) return found
        }
      }
      return found
    },
    close: () => file.close(),
  }
}

/** Position of the first number that is at least `value`; the length if there is none. */
function firstAtLeast(numbers: Uint32Array, value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads exactly these bytes; undefined if the file does not have them. */
async function readAt(file: ReadableFile, position: number, length: number): Promise<Buffer | undefined> {
  if (position < 0 || length < 0) return undefined
  const bytes = Buffer.alloc(length)
  return (await file.read(bytes, position)) === length ? bytes : undefined
}
