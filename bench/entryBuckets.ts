/** Entries of a deduplication index in files by the first byte of their key, so that more of them can be sorted than memory holds. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  entryBytes,
  keyPosition,
  putEntry,
  sortedEntries,
  type DedupEntry,
  type DedupOrder,
} from '../src-main/indexes/dedup/entries.ts'

export const bucketCount = 256
/** Entries of a bucket that are written at once. */
const writtenEntries = 2_048

/** Reads the entries of a bucket, sorted by key. */
export type Bucket = () => Promise<Buffer>

/** Writes the entries to files next to `path`, once per order. Returns the buckets of each order, the lowest keys first. */
export function bucketsOf<Order extends DedupOrder>(
  path: string,
  orders: readonly Order[],
  entries: Iterable<DedupEntry>,
): Record<Order, Bucket[]> {
  const all = orders.map((order) => ({ order, files: filesOf(`${path}.${order}`) }))
  const bytes = Buffer.alloc(entryBytes)
  for (const entry of entries) {
    putEntry(bytes, 0, entry)
    for (const { order, files } of all) files[bytes[keyPosition(order)] ?? 0]?.add(bytes)
  }
  for (const { files } of all) for (const file of files) file.end()
  return Object.fromEntries(
    all.map(({ order, files }) => [
      order,
      files.map((file) => async () => sortedEntries(await readFile(file.path), order)),
    ]),
  ) as Record<Order, Bucket[]>
}

function filesOf(path: string) {
  return Array.from({ length: bucketCount }, (_, number) => bucketFile(`${path}.${number}`))
}

function bucketFile(path: string) {
  const file = openSync(path, 'wx')
  const waiting = Buffer.alloc(writtenEntries * entryBytes)
  let length = 0
  const write = () => {
    writeSync(file, waiting, 0, length)
    length = 0
  }
  return {
    path,
    add(bytes: Buffer) {
      length += bytes.copy(waiting, length)
      if (length === waiting.length) write()
    },
    end() {
      write()
      closeSync(file)
    },
  }
}
