/** Reads and writes ZipNum: a sorted CDXJ index in gzip blocks of some thousand lines, with a small index of the
 *  blocks, so that a reader fetches one block rather than the whole index (WACZ 1.1.1, indexes; CDXJ 0.1.0). Callers
 *  make and sort the lines.
 *
 *  The index of blocks has a header, then a line for each block with the key of its first line:
 *
 *      !meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}
 *      org,example)/ 20240101000000 {"offset":0,"length":8192,"digest":"sha256:…"} */

import { createHash } from 'node:crypto'
import { gzipMember } from '../packing/gzip.ts'
import { objectOf } from '../bytes/json.ts'

/** Lines in a block, as in cdxj-indexer and py-wacz. */
const blockLines = 3000
/** Maximum size of a block in bytes. Lines with bodies of requests are long, and a block is held in memory as a
 *  whole, here and in every reader. */
const blockBytesMax = 4 * 1024 * 1024

/** A block of a compressed index and its line in the index of blocks. */
export interface IndexBlock {
  /** The block as a gzip member. */
  bytes: Uint8Array
  /** Line of the block in the index of blocks; undefined for the single empty block of an empty index. */
  pointer: string | undefined
}

/** Returns the first line of an index of blocks. `canonicaliser` is an extension: the rules of the keys. */
export function zipNumHeader(filename: string, canonicaliser?: string): string {
  return `!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename, canonicaliser })}`
}

/** Yields the blocks of an index. `lines` are CDXJ without line ends, sorted by bytes. Throws when they are out of
 *  order, because they could not be found. */
export async function* zipNumBlocks(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<IndexBlock> {
  let offset = 0
  let block: Buffer[] = []
  let blockBytes = 0
  let before: Buffer | undefined
  const finish = (): IndexBlock => {
    const bytes = gzipMember(block, 6)
    const first = block[0]?.toString('utf8') ?? ''
    const place = { offset, length: bytes.length, digest: sha256Of(bytes) }
    offset += bytes.length
    block = []
    blockBytes = 0
    return { bytes, pointer: first === '' ? undefined : `${first.slice(0, keyEnd(first))} ${JSON.stringify(place)}` }
  }
  for await (const line of lines) {
    const bytes = Buffer.from(`${line}\n`)
    if (before && before.compare(bytes) > 0) throw new Error(`index lines are not sorted at: ${line.slice(0, 200)}`)
    before = bytes
    if (block.length === blockLines || (blockBytes > 0 && blockBytes + bytes.length > blockBytesMax)) yield finish()
    block.push(bytes)
    blockBytes += bytes.length
  }
  if (block.length > 0 || offset === 0) yield finish()
}

/** Returns the end of the key and timestamp, which precede the JSON. */
function keyEnd(line: string): number {
  const at = line.indexOf(' {')
  return at < 0 ? line.length : at
}

function sha256Of(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Where a block is in the compressed index: offset and length in bytes. */
export interface BlockPointer {
  offset: number
  length: number
  digest: string | undefined
  /** Name of the index file, when the line states it (ArchiveWeb.page). */
  filename: string | undefined
}

/** Parses a line of an index of blocks: a pointer or the header. Returns undefined for an invalid line. */
export function parseBlockLine(
  line: string,
): { pointer: BlockPointer } | { header: { filename: string | undefined } } | undefined {
  const row = objectOf(line.slice(keyEnd(line)))
  if (!row) return undefined
  const filename = typeof row.filename === 'string' ? row.filename : undefined
  if (line.startsWith('!meta ')) return { header: { filename } }
  const offset = count(row.offset)
  const length = count(row.length)
  if (offset === undefined || length === undefined) return undefined
  return { pointer: { offset, length, digest: typeof row.digest === 'string' ? row.digest : undefined, filename } }
}

/** Returns an offset or a length: a number or, as cdxj-indexer writes it, digits in quotes. Undefined when invalid. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
