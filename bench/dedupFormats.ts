/** The formats of a deduplication index that `dedupPoint.ts` compares. Each sorts on the disk, so its memory does not grow with the captures. */
import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync, gzipSync } from 'node:zlib'
import { cdxjLine } from '../src-main/formats/cdx/cdxj.ts'
import { writeDedupFile } from '../src-main/indexes/dedup/dedupWriter.ts'
import { openDedupFile } from '../src-main/indexes/dedup/dedupFile.ts'
import {
  entryAt,
  entryBytes,
  hashOf,
  keyPosition,
  type DedupEntry,
  type DedupOrder,
} from '../src-main/indexes/dedup/entries.ts'
import { openDerived, openScratch } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { bucketCount, bucketsOf } from './entryBuckets.ts'
import { perfectHashOf, type PerfectHash } from './perfectHash.ts'

/** A capture to be indexed. */
export interface Made {
  key: string
  digest: string
  atMs: number
  url: string
  /** Position in `fileNames`. */
  file: number
  offset: number
}

/** What is indexed. */
export interface MadeCaptures {
  size: number
  captures: Generator<Made>
  fileNames: readonly string[]
}

/** An index that was built. */
export interface Built {
  find(key: string): Promise<boolean>
  findPayload?: (digest: string) => Promise<boolean>
  close(): Promise<void>
}

/** Builds an index at a path, and returns what opens it. */
export type Format = (path: string, made: MadeCaptures) => Promise<() => Promise<Built>>

function* entriesOf(captures: Generator<Made>): Generator<DedupEntry> {
  for (const { key, digest, atMs, file, offset } of captures)
    yield { urlHash: hashOf(key), payloadHash: hashOf(digest), timestampMs: atMs, file, offset }
}

/** The file of `indexes/dedup`: entries of 32 bytes sorted by hashes, twice, with a sparse index in memory. */
const file: Format = async (path, { size, captures, fileNames }) => {
  const world = realWorld()
  async function* entries() {
    yield* entriesOf(captures)
  }
  const manifest = { jobsFound: [1], jobsMissing: [], files: [...fileNames], filesMissing: [], excludedTypes: [] }
  const { signal } = new AbortController()
  await writeDedupFile(world, { path, entriesMax: size, entries: entries(), manifest, signal })
  return async () => {
    const index = await openDedupFile(path, world.disk)
    if (index === undefined) throw new Error('the index is not complete')
    return {
      find: async (key) => (await index.find('url', hashOf(key), 1)).length > 0,
      findPayload: async (digest) => (await index.find('payload', hashOf(digest), 1)).length > 0,
      close: () => index.close(),
    }
  }
}

/** A table without rowid with the same columns, filled in the order of its key, and an index by payload. */
const sqlite: Format = async (path, { captures }) => {
  const schema = `
    CREATE TABLE entry (url_hash INTEGER NOT NULL, payload_hash INTEGER NOT NULL, timestamp_ms INTEGER NOT NULL,
      file INTEGER NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (url_hash, timestamp_ms, file, "offset")) WITHOUT ROWID;`
  const { url } = bucketsOf(path, ['url'], entriesOf(captures))
  const store = openScratch(path, schema)
  const add = store.statement<[bigint, bigint, number, number, number]>(`INSERT INTO entry VALUES (?, ?, ?, ?, ?)`)
  // Its keys are signed: those that begin with a set bit are the lowest.
  for (const bucket of [...url.slice(bucketCount / 2), ...url.slice(0, bucketCount / 2)]) {
    const bytes = await bucket()
    store.transaction(() => {
      for (let at = 0; at < bytes.length; at += entryBytes) {
        const entry = entryAt(bytes, at)
        const hashes = [bytes.readBigInt64BE(at), bytes.readBigInt64BE(at + keyPosition('payload'))] as const
        add.run([...hashes, entry.timestampMs, entry.file, entry.offset])
      }
    })
  }
  store.statement<object>(`CREATE INDEX by_payload ON entry (payload_hash)`).run({})
  store.close()
  return async () => {
    const opened = openDerived(path, schema)
    const byUrl = opened.statement<[bigint], object>(
      `SELECT file FROM entry WHERE url_hash = ? ORDER BY timestamp_ms DESC LIMIT 1`,
    )
    const byPayload = opened.statement<[bigint], object>(`SELECT file FROM entry WHERE payload_hash = ? LIMIT 1`)
    return {
      find: async (key) => byUrl.get([BigInt.asIntN(64, hashOf(key))]) !== undefined,
      findPayload: async (digest) => byPayload.get([BigInt.asIntN(64, hashOf(digest))]) !== undefined,
      close: async () => opened.close(),
    }
  }
}

/** Lines of a gzip block, as in pywb. */
const blockLines = 3_000

/** CDXJ lines sorted by key with `sort`, in gzip blocks of 3,000 lines with a sparse index in memory (ZipNum). It answers by URL only. */
const blocks: Format = async (path, made) => {
  const firsts: string[] = []
  const places: [number, number][] = []
  const out = await open(path, 'wx')
  let position = 0
  const write = async (lines: readonly string[]) => {
    const block = gzipSync(`${lines.join('\n')}\n`)
    firsts.push(lines[0] ?? '')
    places.push([position, block.length])
    await out.write(block)
    position += block.length
  }
  let waiting: string[] = []
  for await (const line of sortedLines(dirname(path), cdxjLinesOf(made))) {
    waiting.push(line)
    if (waiting.length < blockLines) continue
    await write(waiting)
    waiting = []
  }
  if (waiting.length > 0) await write(waiting)
  await out.close()
  return async () => {
    const index = await open(path, 'r')
    return {
      async find(key) {
        const wanted = `${key} `
        let [low, high] = [0, firsts.length]
        while (low < high) {
          const middle = (low + high) >>> 1
          if ((firsts[middle] ?? '') < wanted) low = middle + 1
          else high = middle
        }
        const [at, length] = places[Math.max(0, low - 1)] ?? [0, 0]
        const { buffer } = await index.read(Buffer.alloc(length), 0, length, at)
        return gunzipSync(buffer).toString().includes(`\n${wanted}`) || (firsts[low] ?? '').startsWith(wanted)
      },
      close: () => index.close(),
    }
  }
}

function* cdxjLinesOf({ captures, fileNames }: MadeCaptures): Generator<string> {
  for (const { key, digest: payloadDigest, atMs: timestampMs, url, file: number, offset } of captures)
    yield cdxjLine({
      ...{ key, timestampMs, url, mediaType: 'image/png', status: 200, payloadDigest, offset, length: 1_200 },
      ...{ filename: fileNames[number] ?? '', recordType: 'response' },
    })
}

/** Lines that are given to `sort` at once. */
const givenLines = 1_000

/** Sorts lines by their bytes with `sort` of the system, with temporary files in `folder`. */
async function* sortedLines(folder: string, lines: Iterable<string>): AsyncGenerator<string> {
  const environment = { ...process.env, LC_ALL: 'C' }
  const sort = spawn('sort', ['-S', '256M', '-T', folder], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => sort.on('close', resolve).on('error', reject))
  const giving = giveLines(sort.stdin, lines)
  yield* createInterface({ input: sort.stdout })
  await giving
  const code = await ended
  if (code !== 0) throw new Error(`sort ended with ${code}`)
}

async function giveLines(into: NodeJS.WritableStream, lines: Iterable<string>): Promise<void> {
  let waiting: string[] = []
  const give = async () => {
    const isRoom = into.write(`${waiting.join('\n')}\n`)
    waiting = []
    if (!isRoom) await new Promise((resolve) => into.once('drain', resolve))
  }
  for (const line of lines) {
    waiting.push(line)
    if (waiting.length === givenLines) await give()
  }
  if (waiting.length > 0) await give()
  into.end()
}

/** Entries of 32 bytes at the places that a minimal perfect hash function in memory gives them (`perfectHash.ts`, one for each first byte of a
 *  key), once by URL and once by payload. The functions are not written to the disk. */
const perfect: Format = async (path, { captures }) => {
  const orders = ['url', 'payload'] as const
  const areas = bucketsOf(path, orders, entriesOf(captures))
  /** By order and first byte. */
  const parts: Record<DedupOrder, { begin: number; numberOf: PerfectHash }[]> = { url: [], payload: [] }
  const out = await open(path, 'wx')
  let begin = 0
  for (const order of orders)
    for (const bucket of areas[order]) {
      const { placed, numberOf } = placedEntries(await bucket(), order)
      await out.write(placed)
      parts[order].push({ begin, numberOf })
      begin += placed.length
    }
  await out.close()
  return async () => {
    const index = await open(path, 'r')
    const find = async (order: DedupOrder, text: string) => {
      const key = hashOf(text)
      const part = parts[order][Number(key >> 56n)]
      if (part === undefined) return false
      const at = part.begin + part.numberOf(key) * entryBytes
      const { buffer, bytesRead } = await index.read(Buffer.alloc(entryBytes), 0, entryBytes, at)
      return bytesRead === entryBytes && buffer.readBigUInt64BE(keyPosition(order)) === key
    }
    return {
      find: async (key) => await find('url', key),
      findPayload: async (digest) => await find('payload', digest),
      close: () => index.close(),
    }
  }
}

/** Puts sorted entries at the places that a perfect hash function of their keys gives them. */
function placedEntries(sorted: Buffer, order: DedupOrder): { placed: Buffer; numberOf: PerfectHash } {
  const count = sorted.length / entryBytes
  const keyAt = (index: number) => sorted.readBigUInt64BE(index * entryBytes + keyPosition(order))
  const numberOf = perfectHashOf(BigUint64Array.from({ length: count }, (_, index) => keyAt(index)))
  const placed = Buffer.alloc(sorted.length)
  for (let index = 0; index < count; index++)
    sorted.copy(placed, numberOf(keyAt(index)) * entryBytes, index * entryBytes, (index + 1) * entryBytes)
  return { placed, numberOf }
}

export const formats = { file, sqlite, blocks, perfect } as const
