import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { FileWindow, windowBytes, type ByteSource } from '../bytes/fileWindow.ts'
import { gzipContentBegin } from './gzipMembers.ts'
import { Members } from './members.ts'
import { zstdDictionary } from './zstdFrames.ts'

function windowOf(bytes: Uint8Array, readBytes?: number): FileWindow {
  return new FileWindow(sourceOf(bytes), readBytes)
}

/** Every member in order: its offset, its readable content, and its findings. */
async function membersIn(bytes: Uint8Array, inSequence: boolean): Promise<unknown[]> {
  const members = new Members(windowOf(bytes), { inSequence })
  const seen: unknown[] = []
  for (let offset = 0; offset < bytes.length;) {
    const member = await members.open(offset, await members.window.view(offset, 64))
    if (!member) break
    const parts: Uint8Array[] = []
    for (let part = await member.next(); part; part = await member.next()) parts.push(part)
    const rules = member.findings.map(({ rule }) => rule)
    seen.push([offset, member.length, Buffer.concat(parts).toString('base64'), member.whole, ...rules])
    member.close()
    offset += member.length
  }
  return seen
}

const content = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.nat(60_000).map((length) => new Uint8Array(length)),
  // Members inside of members, which look like the next one from outside.
  fc.uint8Array({ maxLength: 200 }).map((inner) => new Uint8Array(Buffer.concat([gzipSync(inner), gzipSync(inner)]))),
)

test('a batch gives the same members as reading one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(content, fc.constantFrom(0, 1, 6)), { maxLength: 12 }), async (contents) => {
      const bytes = Buffer.concat(contents.map(([part, level]) => gzipSync(part, { level })))
      const batch = await membersIn(bytes, true)
      expect(batch).toEqual(await membersIn(bytes, false))
      expect(batch).toHaveLength(contents.length)
    }),
  )
})

test('zero bytes between members, at which zlib stops, belong to no member', async () => {
  const packed = ['a', 'bb', 'ccc', 'dddd'].map((text) => gzipSync(text))
  // Four bytes as a member would end, so that the sizes alone fit.
  const padding = Buffer.concat([Buffer.alloc(30), packed[2]!.subarray(-4)])
  const bytes = Buffer.concat([...packed.slice(0, 3), padding, ...packed.slice(3)])
  expect(await membersIn(bytes, true)).toEqual(await membersIn(bytes, false))
})

test('damage is reported for its own member, in a batch or not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 4, maxLength: 8 }),
      fc.nat(),
      fc.nat(254),
      async (contents, place, change) => {
        const bytes = Buffer.concat(contents.map((part) => gzipSync(part)))
        const at = place % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ (change + 1)
        expect(await membersIn(bytes, true)).toEqual(await membersIn(bytes, false))
      },
    ),
  )
})

test('zstd: frames after a dictionary, compressed or not, and frames without content', async () => {
  const dictionary = Buffer.from('WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:'.repeat(20))
  const contents = ['first '.repeat(50), 'second', 'x'.repeat(200_000)]
  const skippable = (magic: number, inside: Uint8Array) => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(magic, 0)
    head.writeUInt32LE(inside.length, 4)
    return Buffer.concat([head, inside])
  }
  const frames = contents.map((text) => zstdCompressSync(Buffer.from(text), { dictionary }))
  for (const inside of [dictionary, zstdCompressSync(dictionary)]) {
    const bytes = Buffer.concat([skippable(0x184d2a5d, inside), ...frames, skippable(0x184d2a50, Buffer.from('x'))])
    const seen = (await membersIn(bytes, true)) as [number, number, string, boolean][]
    expect(seen.map(([, , text]) => Buffer.from(text, 'base64').toString())).toEqual(['', ...contents, ''])
    expect(seen.map(([, length]) => length)).toEqual([8 + inside.length, ...frames.map(({ length }) => length), 9])
    for (let cut = 0; cut < bytes.length; cut += 7) {
      const cutSeen = (await membersIn(bytes.subarray(0, cut), true)) as [number, number, string, boolean][]
      for (const [offset, length, text, whole] of cutSeen)
        if (whole && offset > 0) expect(seen).toContainEqual([offset, length, text, true])
    }
  }
})

test('allocates nothing for a dictionary that is missing', async () => {
  const bytes = Buffer.concat([
    Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 8]),
    zstdCompressSync(Buffer.from('text')),
  ])
  let bytesAsked = 0
  const source: ByteSource = {
    read(into, position) {
      bytesAsked = Math.max(bytesAsked, into.length)
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return Promise.resolve(part.length)
    },
  }
  expect(await zstdDictionary(new FileWindow(source))).toBeUndefined()
  expect(bytesAsked).toBeLessThanOrEqual(windowBytes)
})

test('a decompression bomb is not unpacked beyond its size limit', async () => {
  // Three bytes of zstd repeat a byte 128 Ki times (RFC 8878, 3.1.1.2.2): 2 GiB in 50 kB.
  const blocks = 16_384
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  const block = (last: boolean) => {
    const value = (128 * 1024 * 8) | (1 << 1) | (last ? 1 : 0)
    return Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255, 0x41])
  }
  const bytes = Buffer.concat([header, ...Array.from({ length: blocks }, (_, at) => block(at === blocks - 1))])
  const members = new Members(windowOf(bytes), { inSequence: true })
  const member = await members.open(0, await members.window.view(0, 64))
  let contentBytes = 0
  for (let part = await member?.next(); part; part = await member?.next()) contentBytes += part.length
  expect(member?.findings.map(({ rule }) => rule)).toEqual(['memberBomb'])
  expect(contentBytes).toBeLessThanOrEqual(1024 * 1024 * 1024)
})

test('a damaged member gives the content before the damage, whether or not the damage is wanted', () => {
  const part = fc.uint8Array({ maxLength: 3000 })
  fc.assert(
    fc.property(part, part, fc.nat(), fc.nat(), (content, damage, kept, given) => {
      const member = gzipSync(Buffer.concat([Buffer.from('WARC/1.1\r\n'), content]))
      const good = member.subarray(0, 10 + (kept % (member.length - 10)))
      const seen = gzipContentBegin(good.subarray(0, 10 + (given % (good.length - 9)))) ?? Buffer.alloc(0)
      const ofWhole = gzipContentBegin(Buffer.concat([good, damage])) ?? Buffer.alloc(0)
      expect(ofWhole.subarray(0, seen.length).equals(seen)).toBe(true)
    }),
  )
})
