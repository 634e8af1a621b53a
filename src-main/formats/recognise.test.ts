import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sourceOf } from './bytes/testing/sourceOf.ts'
import { textOf } from '../contract/words/render.ts'
import { formatMessage, recognise } from './recognise.ts'
import { readRecordAt, readRecords } from './records/readRecords.ts'

const warc = Buffer.from('WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n')
const arc = Buffer.from('http://example.org/ 192.0.2.1 20050102030405 text/plain 5\nhello\n')

/** A gzip member without content, as Python's gzip module writes it: with the name of a file in its header. */
const emptyNamed = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 2, 0xff]),
  Buffer.from('name.warc\0'),
  gzipSync('').subarray(10),
])
/** Two blocks without content; the second is the last. */
const emptyInBlocks = Buffer.concat([
  gzipSync('').subarray(0, 10),
  Buffer.from([0, 0, 0, 0xff, 0xff, 3, 0]),
  Buffer.alloc(8),
])
const skippable = (bytes: number) => {
  const frame = Buffer.alloc(8 + bytes)
  frame.writeUInt32LE(0x184d2a50, 0)
  frame.writeUInt32LE(bytes, 4)
  return frame
}
const empties: [name: string, bytes: Buffer][] = [
  ['an empty gzip member', gzipSync('')],
  ['an empty gzip member with a name', emptyNamed],
  ['an empty gzip member of several blocks', emptyInBlocks],
  ['an empty zstd frame', zstdCompressSync('')],
  ['a skippable zstd frame', skippable(7)],
  ['a skippable zstd frame longer than what is read at once', skippable(100_000)],
  ['more empty members than are read at once', Buffer.concat(Array.from({ length: 5_000 }, () => gzipSync('')))],
]

async function formOf(bytes: Uint8Array): Promise<string> {
  const { form, packing } = await recognise(sourceOf(bytes))
  return `${form} ${packing}`
}

describe.each(empties)('after %s', (_name, empty) => {
  test.each([
    ['a WARC in gzip', gzipSync(warc), 'warc gzip'],
    ['an ARC in gzip', gzipSync(arc), 'arc gzip'],
    ['a WARC in zstd', zstdCompressSync(warc), 'warc zstd'],
    ['a plain WARC', warc, 'warc plain'],
  ])('recognises %s and reads its record', async (_file, records, expected) => {
    const bytes = Buffer.concat([empty, records])
    expect(await formOf(bytes)).toBe(expected)
    const offsets: number[] = []
    for await (const record of readRecords(sourceOf(bytes))) {
      expect((await record.finish()).whole).toBe(true)
      offsets.push(record.offset)
    }
    expect(offsets).toEqual([empty.length])
    // An index that another program made may point at the empty member.
    expect((await readRecordAt(sourceOf(bytes), 0))?.offset).toBe(empty.length)
  })
})

test.each([...empties.slice(0, 4), ['no bytes', Buffer.alloc(0)] as const])(
  'a file with only %s is empty',
  async (_name, bytes) => {
    expect(await formOf(bytes)).toMatch(/^empty /)
  },
)

test('a member that cannot be unpacked is damaged, not empty', async () => {
  const member = gzipSync(Buffer.concat(Array.from({ length: 50 }, () => warc)))
  for (let length = 10; length < 30; length++)
    expect(await formOf(member.subarray(0, length)), `cut at ${length}`).not.toMatch(/^empty/)
  expect(await formOf(gzipSync('').subarray(0, 15))).toBe('damaged gzip')
  expect(await formOf(skippable(100).subarray(0, 50))).toBe('damaged zstd')
})

test('empty members anywhere do not change the records or their positions', async () => {
  const pieces = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(2), async (isRecord, size) => {
      const record = Buffer.from(`WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 9\r\n\r\n${'x'.repeat(9)}\r\n\r\n`)
      const members = isRecord.map((one) => gzipSync(one ? record : '', { level: size * 3 }))
      const places = members.map((_, index) => members.slice(0, index).reduce((sum, { length }) => sum + length, 0))
      const rules: string[] = []
      const found: number[] = []
      const source = sourceOf(Buffer.concat(members))
      for await (const item of readRecords(source, { onFinding: ({ rule }) => rules.push(rule) })) {
        found.push(item.offset)
        const { findings, length } = await item.finish()
        expect(findings).toEqual([])
        expect(length).toBe(gzipSync(record, { level: size * 3 }).length)
      }
      expect(found).toEqual(places.filter((_, index) => isRecord[index]))
      expect(rules).toEqual(isRecord.filter((one) => !one).map(() => 'memberEmpty'))
    }),
  )
})

/** A frame with the number of a dictionary, followed by bytes of a dictionary. */
const dictionary = Buffer.concat([Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('dict')])

test.each<[label: string, bytes: Uint8Array]>([
  ['WARC', warc],
  ['WARC, gzip', gzipSync(warc)],
  ['ARC, zstd', zstdCompressSync(arc)],
  ['WARC, zstd with a dictionary', dictionary],
  ['HAR', Buffer.from('{"log": {}}')],
  ['zip', Buffer.from('PK\x03\x04')],
  ['PNG image', Buffer.from('\x89PNG', 'latin1')],
  ['JSON, gzip', gzipSync('[]')],
  ['text', Buffer.from('hello')],
  ['unknown bytes', Buffer.from([0, 1, 2])],
  ['damaged, gzip', gzipSync('').subarray(0, 15)],
  ['empty', Buffer.alloc(0)],
  ['empty, gzip', gzipSync('')],
])('the format is called %s', async (label, bytes) => {
  expect(textOf(formatMessage(await recognise(sourceOf(bytes))))).toBe(label)
})
