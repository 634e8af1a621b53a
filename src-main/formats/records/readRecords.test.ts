import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from '../rules/finding.ts'
import { newRecord, recordBytes } from './warcWriter.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { readRecordAt, readRecords, type ReadOptions } from './readRecords.ts'
import { recordField } from './record.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'
import { sampleOf } from '../../world/testing/sample.ts'

interface Seen {
  offset: number
  length: number
  type: string
  block: string
  codes: string[]
}

async function seenIn(bytes: Uint8Array, options: ReadOptions = {}): Promise<{ items: Seen[]; between: string[] }> {
  const items: Seen[] = []
  const findings: Finding[] = []
  for await (const item of readRecords(sourceOf(bytes), {
    ...options,
    onFinding: (finding) => findings.push(finding),
  })) {
    const parts: Uint8Array[] = []
    for await (const part of item.block()) parts.push(part)
    const { length, findings: own } = await item.finish()
    const block = Buffer.concat(parts).toString('latin1')
    items.push({ offset: item.offset, length, type: item.type, block, codes: own.map(({ rule }) => rule) })
  }
  return { items, between: findings.map(({ rule, offset }) => `${rule}@${offset}`) }
}

function record(block: string | Uint8Array): Buffer {
  const made = newRecord({
    type: 'resource',
    id: 'x',
    dateMs: 0,
    fields: [],
    contentType: 'text/plain',
    block: [Buffer.from(block)],
  })
  return Buffer.concat(recordBytes(made))
}

const forms = [
  { name: 'plain', form: (bytes: Uint8Array) => Buffer.from(bytes) },
  { name: 'gzip', form: (bytes: Uint8Array) => gzipSync(bytes) },
  { name: 'zstd', form: (bytes: Uint8Array) => zstdCompressSync(bytes) },
]

test.each(forms)('$name: reads records with their positions, from any offset', async ({ form }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 6 }), async (blocks) => {
      const members = blocks.map((block) => form(record(block)))
      const { items, between } = await seenIn(Buffer.concat(members))
      expect(between).toEqual([])
      expect(items.map(({ block, codes }) => ({ block, codes }))).toEqual(
        blocks.map((block) => ({ block: Buffer.from(block).toString('latin1'), codes: [] })),
      )
      expect(items.map(({ length }) => length)).toEqual(members.map(({ length }) => length))
      const second = items[1]
      if (second) expect((await seenIn(Buffer.concat(members), { from: second.offset })).items).toEqual(items.slice(1))
      if (second) expect((await seenIn(Buffer.concat(members), { to: second.offset })).items).toEqual(items.slice(0, 1))
    }),
  )
})

test.each(forms)(
  '$name: truncated at every byte, terminates, returns the complete records and reports the truncated one',
  async ({ form }) => {
    const members = ['one', 'two and a little', ''].map((block) => form(record(block)))
    const bytes = Buffer.concat(members)
    const ends = members.map((_, index) => Buffer.concat(members.slice(0, index + 1)).length)
    for (const cut of [...sampleOf([...bytes.keys()]), bytes.length]) {
      const whole = ends.filter((end) => end <= cut)
      const { items, between } = await seenIn(bytes.subarray(0, cut))
      const good = items.filter(({ codes }) => codes.length === 0)
      expect(good.map(({ offset, length }) => offset + length)).toEqual(whole)
      const isTorn = cut > (whole.at(-1) ?? 0)
      expect(items.length > good.length || between.length > 0, `cut at ${cut}`).toBe(isTorn)
    }
  },
)

test.each(forms)('$name: any damage costs only the records it touches', async ({ form }) => {
  const members = ['first', 'second', 'third'].map((block) => form(record(block)))
  const [first, second] = members.map(({ length }) => length)
  if (first === undefined || second === undefined) throw new Error('three members')
  for (const at of sampleOf([...Array(second).keys()])) {
    const bytes = Buffer.concat(members)
    bytes[first + at] = (bytes[first + at] ?? 0) ^ 0x5a
    const { items } = await seenIn(bytes)
    const blocks = items.filter(({ codes }) => codes.length === 0).map(({ block }) => block)
    expect(blocks[0], `byte ${at}`).toBe('first')
    expect(blocks.at(-1), `byte ${at}`).toBe('third')
  }
})

test('garbage is skipped and reported', async () => {
  const garbage = Buffer.from('garbage WARC/ garbage\r\n')
  const check = async (parts: Uint8Array[], blocks: string[], ...between: string[]) => {
    const seen = await seenIn(Buffer.concat(parts))
    expect(seen.items.map(({ block }) => block)).toEqual(blocks)
    expect(seen.between).toEqual(between)
  }
  await check([garbage, record('a')], ['a'], 'noRecord@0')
  await check([record('a'), garbage, record('b')], ['a', 'b'], `noRecord@${record('a').length}`)
  await check(
    [gzipSync(record('a')), garbage, gzipSync(record('b'))],
    ['a', 'b'],
    `noRecord@${gzipSync(record('a')).length}`,
  )
  await check([record('a'), Buffer.from('\r\n\r\n'), record('b')], ['a', 'b'], `lineEnds@${record('a').length}`)
  await check([Buffer.alloc(3_000_000), record('a')], ['a'], 'noRecord@0')
  await check([garbage], [], 'noRecord@0')
  await check([Buffer.from('WARC/1.0\r\nA: '), Buffer.alloc(3_000_000, 'x')], [], 'headerTooLarge@0')
  await check([], [])
})

const dictionary = Buffer.from('WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:x>\r\n'.repeat(8))

function dictionaryFrame(): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0x184d2a5d, 0)
  head.writeUInt32LE(dictionary.length, 4)
  return Buffer.concat([head, dictionary])
}

/** The same records however they are packed: all of them, none twice, in their order. */
const packings: { name: string; pack: (records: Buffer[]) => Buffer; rules?: string[] }[] = [
  {
    name: 'zstd frames with a dictionary',
    pack: (records) =>
      Buffer.concat([dictionaryFrame(), ...records.map((bytes) => zstdCompressSync(bytes, { dictionary }))]),
  },
  { name: 'one gzip member', pack: (records) => gzipSync(Buffer.concat(records)), rules: ['recordsShareMember'] },
  {
    name: 'one zstd frame',
    pack: (records) => zstdCompressSync(Buffer.concat(records)),
    rules: ['recordsShareMember'],
  },
  {
    name: 'two records a member',
    pack: (records) =>
      Buffer.concat(
        records.flatMap((bytes, at) =>
          at % 2 ? [] : [gzipSync(Buffer.concat([bytes, records[at + 1] ?? ''].map((part) => Buffer.from(part))))],
        ),
      ),
    rules: ['recordsShareMember'],
  },
  {
    name: 'a record over three members',
    pack: (records) =>
      Buffer.concat(
        records.flatMap((bytes) => {
          const cut = bytes.length - 8
          return [bytes.subarray(0, cut), bytes.subarray(cut, cut + 3), bytes.subarray(cut + 3)].map((part) =>
            gzipSync(part),
          )
        }),
      ),
    rules: ['recordSpansMembers'],
  },
]

test.each(packings)('$name: the same records', async ({ pack, rules = [] }) => {
  const block = fc.uint8Array({ minLength: 20, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 7 }), async (blocks) => {
      const { items, between } = await seenIn(pack(blocks.map((bytes) => record(bytes))))
      expect(between).toEqual([])
      expect(items.map((item) => item.block)).toEqual(blocks.map((bytes) => Buffer.from(bytes).toString('latin1')))
      expect(items.flatMap(({ codes }) => codes).filter((code) => !rules.includes(code))).toEqual([])
    }),
  )
})

test('a wrong length within one gzip member costs no other record', async () => {
  const lying = (bytes: Buffer, length: number) =>
    Buffer.from(bytes.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${length}`), 'latin1')
  const middle = record('0123456789')
  for (const form of [(bytes: Buffer) => bytes, (bytes: Buffer) => gzipSync(bytes)]) {
    for (const length of [0, 3, 9, 11, 14, 40, 200, 100_000]) {
      const bytes = form(Buffer.concat([record('first'), lying(middle, length), record('third'), record('fourth')]))
      const blocks = (await seenIn(bytes)).items.map(({ block }) => block)
      expect(
        blocks.filter((block) => /^(first|third|fourth)$/.test(block)),
        `length ${length}`,
      ).toEqual(['first', 'third', 'fourth'])
      expect(blocks).toHaveLength(4)
    }
  }
})

test('records that share a member are read, but the second is not addressable', async () => {
  const shared = gzipSync(Buffer.concat([record('a'), record('b')]))
  const items: boolean[] = []
  for await (const item of readRecords(sourceOf(shared))) items.push(item.addressable)
  expect(items).toEqual([true, false])
  const { items: seen } = await seenIn(Buffer.concat([shared, gzipSync(record('c'))]))
  expect(seen.map(({ block, codes }) => [block, ...codes])).toEqual([['a', 'recordsShareMember'], ['b'], ['c']])
})

test('a record whose first line is spread over members is read at its offset', async () => {
  const line = 'http://example.com/a 192.0.2.1 20200102030405 text/html 4\n'
  const begin = gzipSync(`filedesc://a.arc 0.0.0.0 20200102030405 text/plain 4\n1 0 \n`)
  const spread = [line.slice(0, 30), `${line.slice(30)}text\n`].map((part) => gzipSync(part))
  const bytes = Buffer.concat([begin, ...spread])
  const { items } = await seenIn(bytes)
  expect(items.map(({ offset, block }) => [offset, block])).toEqual([
    [0, '1 0 '],
    [begin.length, 'text'],
  ])
  const again = await readRecordAt(sourceOf(bytes), begin.length, bytes.length - begin.length)
  expect(again?.url).toBe('http://example.com/a')
})

test('after damage, reading continues at the nearest record, however it is compressed', async () => {
  for (const [first, second] of [
    [gzipSync, zstdCompressSync],
    [zstdCompressSync, gzipSync],
  ] as const) {
    const bytes = Buffer.concat([record('a'), Buffer.from('stray'), first(record('b')), second(record('c'))])
    const { items } = await seenIn(bytes)
    expect(items.map(({ block }) => block)).toEqual(['a', 'b', 'c'])
  }
})

test('a record after other content in its member is not addressable', async () => {
  for (const before of ['stray', 'WARC/1.1 is no record\r\n\r\nWARC/', 'WARC/1.1\r\nWARC/1.1\r\n']) {
    const member = gzipSync(Buffer.concat([Buffer.from(before), record('a')]))
    const items: [boolean, number][] = []
    for await (const item of readRecords(sourceOf(Buffer.concat([gzipSync(record('first')), member]))))
      items.push([item.addressable, (await item.finish()).length])
    expect(items.at(-1)).toEqual([false, 0])
  }
})

test.each(forms)('$name: a record larger than every window', async ({ form }) => {
  const large = Buffer.alloc(20_000_000)
  for (let at = 0; at < large.length; at += 64) large.writeUInt32LE((at * 2654435761) % 2 ** 32, at)
  const bytes = Buffer.concat([form(record('a')), form(record(large)), form(record('b'))])
  const { items, between } = await seenIn(bytes)
  expect(between).toEqual([])
  expect(items.map(({ codes }) => codes)).toEqual([[], [], []])
  expect(items.map(({ block }) => block.length)).toEqual([1, large.length, 1])
  expect(items[1]?.block === large.toString('latin1')).toBe(true)
  // The block is not read: it is skipped.
  const lengths: number[] = []
  for await (const item of readRecords(sourceOf(bytes))) lengths.push((await item.finish()).length)
  expect(lengths).toEqual(items.map(({ length }) => length))
  // The caller stops in the middle of the block.
  for await (const item of readRecords(sourceOf(bytes), { from: items[1]?.offset ?? 0 })) {
    for await (const part of item.block()) if (part.length > 0) break
    break
  }
})

test('reads a record at an offset', async () => {
  const bytes = Buffer.concat([gzipSync(record('a')), gzipSync(record('b'))])
  const offset = gzipSync(record('a')).length
  const item = await readRecordAt(sourceOf(bytes), offset)
  expect(await item?.finish()).toEqual({ length: bytes.length - offset, whole: true, findings: [] })
  for (const nowhere of [1, offset + 1, bytes.length, bytes.length + 10])
    expect(await readRecordAt(sourceOf(bytes), nowhere)).toBeUndefined()
})

test('passes a disk fault on', async () => {
  const bytes = gzipSync(record(randomBytes(4_000_000)), { level: 1 })
  const failing: ByteSource = {
    read: (into, position) =>
      position > 1_000_000 ? Promise.reject(new Error('the disk failed')) : sourceOf(bytes).read(into, position),
  }
  const item = await readRecordAt(failing, 0)
  await expect(item?.finish()).rejects.toThrow('the disk failed')
})

test('reads headers of old writers', async () => {
  const header =
    'warc/0.18\nWARC-Type: Resource\nWARC-Target-URI: <http://a/>\nX-Long: a\n\tb\nContent-Length: 1\nodd\n\n'
  const item = await readRecordAt(sourceOf(Buffer.from(`${header}x\r\n\r\n`)), 0)
  expect(item).toMatchObject({ version: 'warc/0.18', type: 'resource', blockBytes: 1 })
  expect(item && [item.url, recordField(item, 'x-long')]).toEqual(['http://a/', 'a b'])
  const finished = await item?.finish()
  expect(finished?.findings.map(({ rule }) => rule)).toEqual(['headerLineEndOdd', 'fieldOdd', 'targetBracketed'])
})

const samples: [file: string, records: number, ...codes: string[]][] = [
  ['netarchivesuite+jwat/jwat-warc/src/test/resources/IAH-20080430204825-00000-blackbook.warc.gz', 822],
  ['chatnoir-eu+chatnoir-resiliparse/tests/data/warcfile.warc', 50],
  ['chatnoir-eu+chatnoir-resiliparse/tests/data/warcfile.warc.gz', 50],
  ['chatnoir-eu+chatnoir-resiliparse/tests/data/block-sized-records.warc.gz', 3],
  ['chatnoir-eu+chatnoir-resiliparse/tests/data/clueweb-quirk.warc.gz', 30],
  ['chatnoir-eu+chatnoir-resiliparse/tests/data/clipped.warc.gz', 1, 'recordTorn', 'memberTorn'],
  ['iipc+jwarc/test-resources/org/netpreserve/jwarc/gzip_extra_sl.warc.gz', 1],
  ['slyrz+warc/testdata/test.warc.gz', 10, 'recordsShareMember'],
  ['webrecorder+warcio/test/data/example-wget-bad-target-uri.warc.gz', 6, ...Array<string>(5).fill('targetBracketed')],
  ['webrecorder+warcio/test/data/example-trunc.warc', 4, 'bytesAfterRecord'],
  // The record continues in a second member, which annex D does not allow.
  ['webrecorder+warcio/test/data/example-wrong-chunks.warc.gz', 2, 'recordSpansMembers', 'recordEndOdd'],
  ['netarchivesuite+jwat/jwat-warc/src/test/resources/valid-warcfile-upper-lower-case.warc', 5],
]

test.skipIf(!hasCorpora()).each(samples)(
  '%s has %i records (skipped without samples: npm run corpora)',
  async (file, count, ...codes) => {
    const { items } = await seenIn(readFileSync(new URL(file, corpora)))
    expect(items).toHaveLength(count)
    expect(items.flatMap((item) => item.codes)).toEqual(codes)
  },
)

test('terminates for random bytes and reads nothing beyond them', async () => {
  const words = fc.constantFrom(
    'WARC/1.0\r\n',
    'WARC/1.1\n',
    'WARC-Type: response\r\n',
    '\r\n\r\n',
    'Content-Length: 9\r\n',
    '\x1f\x8b\x08\0',
  )
  const arcLine = fc.constantFrom(
    'filedesc://a 0.0.0.0 20080430204825 text/plain 3\n',
    'http://a/ 1.2.3.4 20080430204825 a/b 4\n',
  )
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    words.map((word) => Buffer.from(word, 'latin1')),
    arcLine.map((line) => Buffer.from(line)),
    fc.string({ maxLength: 60 }).map((text) => gzipSync(record(text))),
    fc.string({ maxLength: 60 }).map((text) => record(text)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
      const bytes = Buffer.concat(parts)
      const { items } = await seenIn(bytes)
      for (const { offset, length } of items) expect(offset + length).toBeLessThanOrEqual(bytes.length)
      const offsets = items.map(({ offset }) => offset)
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    }),
    { numRuns: 500 },
  )
})

test('a skippable frame that claims the whole file hides no record, for any read size', async () => {
  const frame = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
  const bytes = Buffer.concat([frame, record('a'), record(Buffer.alloc(100_000)), record('b')])
  const { items, between } = await seenIn(bytes)
  expect(items.map(({ offset }) => offset)).toEqual([12, 12 + record('a').length, bytes.length - record('b').length])
  expect(between).toEqual(['memberTorn@0'])
})

/** A record as a program in text mode writes it, like the single record of pywb's sample `missing-status-text.warc`. */
const returnsDoubled = (status: string) => {
  const block = `${status}\r\nLocation: http://www.iana.org/badst\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
  const header = [
    'WARC/1.0',
    'WARC-Type: response',
    'WARC-Record-ID: <urn:uuid:125f3091-65f6-4d0e-96dd-dbff7c551275>',
    'WARC-Date: 2014-01-27T17:12:38Z',
    `Content-Length: ${block.length}`,
    'Content-Type: application/http; msgtype=response',
    'WARC-Target-URI: http://iana.org/bads',
  ]
  return { header, block }
}

test.each([
  ['every line', '\r\r\n', '\r\r\n'],
  ['only the blank one', '\r\n', '\r\r\n'],
  ['all but the blank one', '\r\r\n', '\r\n'],
])('a header with CR CR LF at the end of %s', async (_name, lineEnd, last) => {
  const { header, block } = returnsDoubled('HTTP/1.0 302 ')
  const odd = `${header.join(lineEnd)}${lineEnd}${last}${block}\r\n\r\n`
  for (const { form } of forms) {
    const { items, between } = await seenIn(Buffer.concat([form(Buffer.from(odd)), form(record('after'))]))
    expect(between).toEqual([])
    expect(items.map(({ type, block: text, codes }) => [type, text, ...codes])).toEqual([
      ['response', block, 'headerLineEndOdd'],
      ['resource', 'after'],
    ])
  }
  // At a position where no record is expected.
  const { items } = await seenIn(Buffer.concat([record('before'), Buffer.from(`noise${odd}`)]))
  expect(items.map(({ block: text }) => text)).toEqual(['before', block])
})

test('keeps the bytes of WARC-Target-URI where they are not UTF-8, and takes no other field for it', async () => {
  const check = async (fields: string, url: string, ...rules: string[]) => {
    const bytes = Buffer.from(
      `WARC/1.0\r\nWARC-Type: resource\r\n${fields}\r\nContent-Length: 1\r\n\r\nx\r\n\r\n`,
      'latin1',
    )
    const item = await readRecordAt(sourceOf(bytes), 0)
    expect(item?.url).toBe(url)
    expect((await item?.finish())?.findings.map(({ rule }) => rule)).toEqual(rules)
  }
  await check('WARC-Target-URI: http://a/\xe9cole', 'http://a/%E9cole', 'headerNotUtf8')
  await check('WARC-Target-URI: <http://a/\xe9cole>', 'http://a/%E9cole', 'headerNotUtf8', 'targetBracketed')
  await check('WARC-Target-URI: http://a/\xc3\xa9cole', 'http://a/école')
  await check('WARC-Target-URI: http://a/\xc3\xa9cole\r\nX-Note: \xe9', 'http://a/école', 'headerNotUtf8')
  await check('WARC-Target-URI: http://a/b\rc', 'http://a/bc')
})

test('a length that is too small for the header does not hide the record', async () => {
  const bytes = Buffer.concat([record('before'), record('this one'), record('after')])
  const offset = record('before').length
  for (const length of [1, 20, 60]) {
    const item = await readRecordAt(sourceOf(bytes), offset, length)
    const parts: Uint8Array[] = []
    for await (const part of item?.block() ?? []) parts.push(part)
    expect(Buffer.concat(parts).toString(), `length ${length}`).toBe('this one')
  }
  expect(await readRecordAt(sourceOf(bytes), offset + 1, 20)).toBeUndefined()
})
