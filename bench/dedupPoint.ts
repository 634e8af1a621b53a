/** One point of the comparison of formats for a deduplication index (`dedup.ts`): an index of `--size` captures in `--format`, built and then
 *  asked, in a process of its own. Prints one line of JSON.
 *
 *  - `file`: the file of `indexes/dedup`: entries of 32 bytes sorted by hashes, twice, with a sparse index in memory.
 *  - `sqlite`: a table without rowid with the same columns, and an index by payload.
 *  - `blocks`: CDXJ lines sorted by key, in gzip blocks of 3,000 lines with a sparse index in memory (ZipNum of pywb and OutbackCDX's peers);
 *    it answers by URL only.
 *  - `perfect`: entries of 32 bytes at the places that a minimal perfect hash function in memory gives them, once by URL and once by payload
 *    (`perfectHash.ts`). */
import { hash } from 'node:crypto'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { spellDigest } from '../src-main/formats/bytes/digest.ts'
import { cdxjLine } from '../src-main/formats/cdx/cdxj.ts'
import { surt } from '../src-main/formats/cdx/surt.ts'
import { writeDedupFile } from '../src-main/indexes/dedup/dedupWriter.ts'
import { openDedupFile } from '../src-main/indexes/dedup/dedupFile.ts'
import {
  entryAt,
  entryBytes,
  hashOf,
  keyPosition,
  putEntry,
  type DedupOrder,
} from '../src-main/indexes/dedup/entries.ts'
import { openDerived, openScratch } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { captureNumber } from './capturedFiles.ts'
import { ownPeakBytes, percentileOf, spreadOf } from './measure.ts'
import { perfectHashOf, type PerfectHash } from './perfectHash.ts'

/** Figures of one format and size. */
export interface DedupPoint {
  format: keyof typeof formats
  size: number
  capturesPerSecond: number
  /** Of a URL that is in the index, and of one that is not. */
  foundUs: number
  foundUsP99: number
  absentUs: number
  absentUsP99: number
  /** By payload; null: the format has no such lookup. */
  payloadUs: number | null
  peakBytes: number
  diskBytes: number
}

/** A capture to be indexed. */
interface Made {
  key: string
  digest: string
  atMs: number
  url: string
  offset: number
}

/** An index that was built. */
interface Built {
  find(key: string): Promise<boolean>
  findPayload?: (digest: string) => Promise<boolean>
  close(): Promise<void>
}

type Format = (path: string, captures: Generator<Made>) => Promise<() => Promise<Built>>

const world = realWorld()
const { values } = parseArgs({
  options: { size: { type: 'string', default: '100000' }, format: { type: 'string', default: 'file' } },
})
const size = Number(values.size)
/** Captures of one archive file. */
const perFile = 50_000
const [lookups, uncounted] = [20_000, 2_000]

/** Every capture has a URL and a digest of its own. */
function* captures(): Generator<Made> {
  for (let number = 0; number < size; number++) yield captureOf(number)
}

function captureOf(number: number): Made {
  const { atMs } = captureNumber(number, size)
  const url = `http://www.host-${number % 500}.example/folder/picture-${number}.png`
  const digest = spellDigest({ algorithm: 'sha1', hex: hash('sha1', String(number)) })
  return { url, key: surt(url), digest, atMs, offset: (number % perFile) * 1_200 }
}

const fileNames = Array.from({ length: Math.ceil(size / perFile) }, (_, at) => `1-${at}.warc.gz`)

const file: Format = async (path, made) => {
  async function* entries() {
    let number = 0
    for (const { key, digest, atMs, offset } of made)
      yield {
        urlHash: hashOf(key),
        payloadHash: hashOf(digest),
        timestampMs: atMs,
        file: Math.floor(number++ / perFile),
        offset,
      }
  }
  const manifest = { jobsFound: [1], jobsMissing: [], files: fileNames, filesMissing: [], excludedTypes: [] }
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

const sqlite: Format = async (path, made) => {
  const schema = `
    CREATE TABLE entry (url_hash INTEGER NOT NULL, payload_hash INTEGER NOT NULL, timestamp_ms INTEGER NOT NULL,
      file INTEGER NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (url_hash, timestamp_ms, file, "offset")) WITHOUT ROWID;`
  const store = openScratch(path, schema)
  const add = store.statement<[bigint, bigint, number, number, number]>(`INSERT INTO entry VALUES (?, ?, ?, ?, ?)`)
  let number = 0
  for (let batch: Made[] = []; ;) {
    const next = made.next()
    if (!next.done) batch.push(next.value)
    if (batch.length === perFile || next.done) {
      const rows = batch.map(({ key, digest, atMs, offset }) => {
        const hashes = [BigInt.asIntN(64, hashOf(key)), BigInt.asIntN(64, hashOf(digest))] as const
        return [...hashes, atMs, Math.floor(number++ / perFile), offset] as [bigint, bigint, number, number, number]
      })
      rows.sort((one, other) => (one[0] < other[0] ? -1 : 1))
      store.transaction(() => rows.forEach((row) => add.run(row)))
      batch = []
    }
    if (next.done) break
  }
  store.statement<object>(`CREATE INDEX by_payload ON entry (payload_hash)`).run({})
  store.close()
  return async () => {
    const open = openDerived(path, schema)
    const byUrl = open.statement<[bigint], object>(
      `SELECT file FROM entry WHERE url_hash = ? ORDER BY timestamp_ms DESC LIMIT 1`,
    )
    const byPayload = open.statement<[bigint], object>(`SELECT file FROM entry WHERE payload_hash = ? LIMIT 1`)
    return {
      find: async (key) => byUrl.get([BigInt.asIntN(64, hashOf(key))]) !== undefined,
      findPayload: async (digest) => byPayload.get([BigInt.asIntN(64, hashOf(digest))]) !== undefined,
      close: async () => open.close(),
    }
  }
}

/** Lines are sorted in memory, so this format is measured up to ten million lines. */
const blocks: Format = async (path, made) => {
  const lines: string[] = []
  let number = 0
  for (const { key, digest: payloadDigest, atMs: timestampMs, url, offset } of made)
    lines.push(
      cdxjLine({
        ...{ key, timestampMs, url, mediaType: 'image/png', status: 200, payloadDigest, offset, length: 1_200 },
        ...{ filename: fileNames[Math.floor(number++ / perFile)] ?? '', recordType: 'response' },
      }),
    )
  lines.sort((one, other) => (one < other ? -1 : 1))
  const firsts: string[] = []
  const places: [number, number][] = []
  const out = await open(path, 'wx')
  let position = 0
  for (let from = 0; from < lines.length; from += 3_000) {
    const block = gzipSync(`${lines.slice(from, from + 3_000).join('\n')}\n`)
    firsts.push(lines[from] ?? '')
    places.push([position, block.length])
    await out.write(block)
    position += block.length
  }
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

/** Entries are placed in memory, so this format is measured up to ten million. */
const perfect: Format = async (path, made) => {
  const entries = Buffer.alloc(size * entryBytes)
  let number = 0
  for (const { key, digest, atMs, offset } of made) {
    const hashes = { urlHash: hashOf(key), payloadHash: hashOf(digest) }
    const place = { timestampMs: atMs, file: Math.floor(number / perFile), offset }
    putEntry(entries, number++ * entryBytes, { ...hashes, ...place })
  }
  const orders = ['url', 'payload'] as const
  const functions: PerfectHash[] = []
  const out = await open(path, 'wx')
  for (const order of orders) {
    const keys = new BigUint64Array(size)
    const keyAt = (index: number) => entries.readBigUInt64BE(index * entryBytes + keyPosition(order))
    for (let index = 0; index < size; index++) keys[index] = keyAt(index)
    const numberOf = perfectHashOf(keys)
    const placed = Buffer.alloc(entries.length)
    for (let index = 0; index < size; index++)
      entries.copy(placed, numberOf(keyAt(index)) * entryBytes, index * entryBytes, (index + 1) * entryBytes)
    await out.write(placed)
    functions.push(numberOf)
  }
  await out.close()
  return async () => {
    const index = await open(path, 'r')
    const find = async (order: DedupOrder, text: string) => {
      const [key, area] = [hashOf(text), orders.indexOf(order)]
      const at = (area * size + (functions[area]?.(key) ?? 0)) * entryBytes
      const entry = entryAt((await index.read(Buffer.alloc(entryBytes), 0, entryBytes, at)).buffer, 0)
      return (order === 'url' ? entry.urlHash : entry.payloadHash) === key
    }
    return {
      find: async (key) => await find('url', key),
      findPayload: async (digest) => await find('payload', digest),
      close: () => index.close(),
    }
  }
}

const formats = { file, sqlite, blocks, perfect } as const

async function timed(count: number, look: (number: number) => Promise<boolean>, expected: boolean): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < uncounted + count; at++) {
    const number = world.chance.below(size)
    const beganMs = performance.now()
    const found = await look(number)
    took.push((performance.now() - beganMs) * 1000)
    if (found !== expected) throw new Error(`capture ${number}: ${found}`)
  }
  return took.slice(uncounted)
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-dedup-'))
const path = join(folder, 'index.dedup')
try {
  const format = values.format as keyof typeof formats
  const beganMs = performance.now()
  const opened = await formats[format](path, captures())
  const buildMs = performance.now() - beganMs
  const index = await opened()
  const count = format === 'blocks' ? lookups / 10 : lookups
  const found = await timed(count, (number) => index.find(captureOf(number).key), true)
  const absent = await timed(count, (number) => index.find(`${captureOf(number).key}?absent`), false)
  const { findPayload } = index
  const payload = findPayload && (await timed(count, (number) => findPayload(captureOf(number).digest), true))
  await index.close()
  const point: DedupPoint = {
    ...{ format, size, capturesPerSecond: (size * 1000) / buildMs },
    ...{ foundUs: spreadOf(found).median, foundUsP99: percentileOf(found, 99) },
    ...{ absentUs: spreadOf(absent).median, absentUsP99: percentileOf(absent, 99) },
    payloadUs: payload ? spreadOf(payload).median : null,
    peakBytes: await ownPeakBytes(),
    diskBytes: (await stat(path)).size,
  }
  console.log(JSON.stringify(point))
} finally {
  await rm(folder, { recursive: true })
}
