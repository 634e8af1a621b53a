/** A damaged member gives all that its compressed bytes before the damage unpack to, however its bytes are loaded. */
import { constants, gzipSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FileWindow } from '../bytes/fileWindow.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { Members } from './members.ts'
import { zstdContentBegin } from './zstdFrames.ts'

const header = 'WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 200\r\n\r\n'

interface Seen {
  content: Buffer
  length: number
  whole: boolean
  rules: string[]
}

async function firstMember(bytes: Uint8Array, readBytes?: number): Promise<Seen | undefined> {
  const members = new Members(new FileWindow(sourceOf(bytes), readBytes), { inSequence: true })
  const member = await members.open(0, await members.window.view(0, 64))
  if (!member) return undefined
  const parts: Uint8Array[] = []
  for (let part = await member.next(); part; part = await member.next()) parts.push(part)
  const rules = member.findings.map(({ rule }) => rule)
  return { content: Buffer.concat(parts), length: member.length, whole: member.whole, rules }
}

interface Packing {
  pack: (content: Uint8Array) => Buffer
  /** Unpacks as much as possible of truncated packed bytes. */
  unpackBegin: (packed: Uint8Array) => Buffer
  /** Damage in these bytes may leave no member. */
  headerBytes: number
}

const gzip: Packing = {
  pack: (content) => gzipSync(content),
  unpackBegin: (packed) => inflateRawSync(packed.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH }),
  headerBytes: 10,
}
const zstd: Packing = {
  pack: (content) => zstdCompressSync(content),
  unpackBegin: (packed) => zstdDecompressSync(packed, { finishFlush: constants.ZSTD_e_flush }),
  headerBytes: 18,
}

const small = fc.uint8Array({ maxLength: 3000 })
const text = fc.string({ maxLength: 2000 }).map((part) => Buffer.from(part.repeat(20)))
const large = fc.nat(5).map((count) => Buffer.from('<a href="/page">'.repeat(count * 20_000)))

test.each<[string, Packing]>([
  ['gzip', gzip],
  ['zstd', zstd],
])('%s: returns the content before the damage', async (_name, { pack, unpackBegin, headerBytes }) => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(small, text, large), fc.nat(), fc.nat(254), async (body, place, change) => {
      const bytes = pack(Buffer.concat([Buffer.from(header), body]))
      const at = headerBytes + (place % (bytes.length - headerBytes))
      bytes[at] = (bytes[at] ?? 0) ^ (change + 1)
      const seen = await firstMember(bytes)
      const expected = unpackBegin(bytes.subarray(0, at))
      expect(seen?.content.subarray(0, expected.length).equals(expected)).toBe(true)
      expect(await firstMember(bytes, 1000)).toEqual(seen)
    }),
    { numRuns: 40 },
  )
})

test('a small gzip record with a damaged body keeps its header', async () => {
  const stored = Buffer.alloc(5)
  stored.writeUInt16LE(header.length, 1)
  stored.writeUInt16LE(~header.length & 0xffff, 3)
  // A stored block with the header, then a block of the reserved type (RFC 1951, 3.2.3).
  const bytes = Buffer.concat([gzipSync('').subarray(0, 10), stored, Buffer.from(header), Buffer.alloc(40, 0x07)])
  const seen = await firstMember(bytes)
  expect(seen?.content.toString()).toBe(header)
  expect(seen).toMatchObject({ length: 10 + 5 + header.length, whole: false, rules: ['memberDamaged'] })
})

test('a damaged zstd frame gives the content before the damage', () => {
  // Blocks of zstd hold 128 kB at most (RFC 8878, 3.1.1.2.4), so this frame has two.
  const noise = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at * 7919) >> 5))
  const bytes = zstdCompressSync(Buffer.concat([Buffer.from(header), Buffer.alloc(140_000, 'x'), noise]))
  const damaged = Buffer.concat([bytes.subarray(0, -200), Buffer.alloc(200, 0xff)])
  expect(zstdContentBegin(damaged, undefined)?.subarray(0, header.length).toString()).toBe(header)
})
