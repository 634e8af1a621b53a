/** Records that are not aligned with members: blocks of a fixed size as bgzip writes them, empty members, and members with a
 *  wrong checksum and intact content. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readRecords } from './readRecords.ts'

interface Seen {
  url: string | undefined
  offset: number
  addressable: boolean
  length: number
  whole: boolean
  block: string
  rules: string[]
}

async function seenIn(bytes: Uint8Array): Promise<{ records: Seen[]; between: string[] }> {
  const records: Seen[] = []
  const between: string[] = []
  for await (const record of readRecords(sourceOf(bytes), { onFinding: ({ rule }) => between.push(rule) })) {
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(part)
    const { length, whole, findings } = await record.finish()
    const { url, offset, addressable } = record
    const rules = findings.map(({ rule }) => rule)
    records.push({ url, offset, addressable, length, whole, block: Buffer.concat(parts).toString('latin1'), rules })
  }
  return { records, between }
}

function warcRecord(url: string, block: Uint8Array | string): Buffer {
  const head = `WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: ${url}\r\nContent-Length: ${block.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(block), Buffer.from('\r\n\r\n')])
}

function arcRecord(url: string, block: Uint8Array): Buffer {
  const line = `${url} 192.0.2.1 20200101000000 text/plain ${block.length}\n`
  return Buffer.concat([Buffer.from(line), block, Buffer.from('\n')])
}

/** Packs like bgzip: members with the same number of bytes, and an empty one at the end. */
function inBlocks(bytes: Buffer, blockBytes: number, pack: (bytes: Uint8Array) => Buffer): Buffer {
  const count = Math.ceil(bytes.length / blockBytes)
  const members = Array.from({ length: count }, (_, at) => bytes.subarray(at * blockBytes, (at + 1) * blockBytes))
  return Buffer.concat([...members, Buffer.alloc(0)].map((member) => pack(member)))
}

const packings = [
  { name: 'gzip', pack: (bytes: Uint8Array) => gzipSync(bytes) },
  { name: 'zstd', pack: (bytes: Uint8Array) => zstdCompressSync(bytes) },
]

test.each(packings)('$name: members of equal size, wherever records begin and end', async ({ pack }) => {
  const block = fc.uint8Array({ maxLength: 300 })
  const blocks = fc.array(block, { minLength: 1, maxLength: 7 })
  // The first block shows what the file is.
  await fc.assert(
    fc.asyncProperty(blocks, fc.integer({ min: 80, max: 500 }), async (contents, blockBytes) => {
      const all = Buffer.concat(contents.map((bytes, at) => warcRecord(`http://a/${at}`, bytes)))
      const { records, between } = await seenIn(inBlocks(all, blockBytes, pack))
      // The last member may be empty, and is packed anyway.
      expect(between.filter((rule) => rule !== 'memberEmpty')).toEqual([])
      expect(records.map(({ url }) => url)).toEqual(contents.map((_, at) => `http://a/${at}`))
      expect(records.map(({ block }) => block)).toEqual(contents.map((bytes) => Buffer.from(bytes).toString('latin1')))
      // recordEndOdd: a member that begins with all the line ends between two records is taken for that of the next.
      const packingRules = ['recordSpansMembers', 'recordsShareMember', 'recordEndOdd']
      expect(records.flatMap(({ rules }) => rules).filter((rule) => !packingRules.includes(rule))).toEqual([])
    }),
  )
})

test('the line of an ARC record may be split after its scheme', async () => {
  const [a, b] = [arcRecord('http://a/', Buffer.from('a')), arcRecord('http://b/', Buffer.from('b'))]
  for (let cut = 5; cut <= b.length; cut++) {
    const members = [Buffer.concat([a, b.subarray(0, cut)]), b.subarray(cut)].map((part) => gzipSync(part))
    const { records, between } = await seenIn(Buffer.concat(members))
    expect([records.map(({ url, block }) => [url, block]), between], `cut at ${cut}`).toEqual([
      [
        ['http://a/', 'a'],
        ['http://b/', 'b'],
      ],
      cut === b.length ? ['memberEmpty'] : [],
    ])
  }
})

test('a header spread over very many members is read in linear time', async () => {
  const head = Buffer.from(`WARC/1.0\r\nX: ${'x'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n\r\n\r\n`)
  const { records, between } = await seenIn(
    Buffer.concat([inBlocks(head, 1, (part) => gzipSync(part)), gzipSync(warcRecord('http://a/', 'a'))]),
  )
  expect(records.map(({ url }) => url)).toEqual(['http://a/'])
  expect(between[0]).toBe('headerTooLarge')
})

test('a record within a member is assigned to it, and only records that cross its end are reported', async () => {
  const [a, b, c] = [warcRecord('http://a/', 'a'), warcRecord('http://b/', 'b'), warcRecord('http://c/', 'c')]
  const first = gzipSync(Buffer.concat([a, b.subarray(0, 3)]))
  const second = gzipSync(Buffer.concat([b.subarray(3), c]))
  const { records } = await seenIn(Buffer.concat([first, second]))
  expect(records.map(({ url, offset, rules }) => [url, offset, ...rules])).toEqual([
    ['http://a/', 0, 'recordsShareMember'],
    ['http://b/', 0, 'recordSpansMembers'],
    ['http://c/', first.length],
  ])
})

test('an empty member within a record does not end it', async () => {
  const bytes = warcRecord('http://a/', 'x'.repeat(100))
  const parts = [bytes.subarray(0, 120), Buffer.alloc(0), Buffer.alloc(0), bytes.subarray(120)]
  const { records, between } = await seenIn(Buffer.concat(parts.map((part) => gzipSync(part))))
  expect([records.map(({ whole, rules }) => [whole, ...rules]), between]).toEqual([[[true, 'recordSpansMembers']], []])
})

/** Level 0 stores the bytes uncompressed, so that the archived content is readable in the file. */
test.each([
  ['packed', gzipSync(warcRecord('http://inside/', 'x'))],
  ['plain', Buffer.concat([warcRecord('http://inside/', 'x'), warcRecord('http://inside/2', 'x')])],
  ['larger than what is read at once', Buffer.concat(Array<Buffer>(100_000).fill(warcRecord('http://inside/', 'x')))],
])('after a wrong checksum, finds no records in an archived WARC: %s', async (_, archived) => {
  const outer = gzipSync(warcRecord('http://outer/', archived), { level: 0 })
  outer.writeUInt32LE((outer.readUInt32LE(outer.length - 8) ^ 1) >>> 0, outer.length - 8)
  const { records, between } = await seenIn(Buffer.concat([outer, gzipSync(warcRecord('http://next/', 'y'))]))
  expect(between).toEqual([])
  expect(records.map(({ url, length, rules }) => [url, length > 0, ...rules])).toEqual([
    ['http://outer/', true, 'memberChecksum'],
    ['http://next/', true],
  ])
})
