import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '../bytes/fileWindow.ts'
import type { Finding } from '../rules/finding.ts'
import { entryChunks, entrySource, openZip, zipEntry, type Zip, type ZipEntry } from './zip.ts'
import { descriptor, directoryHeader, endRecords, localHeader, zipMethods, type Written } from './zipHeaders.ts'
import { madeZip, type MadeEntry } from './testing/zipFixtures.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { ZipWriter } from './zipWriter.ts'

async function opened(bytes: Uint8Array): Promise<{ zip: Zip; found: Finding[]; contents: Map<string, Buffer> }> {
  const found: Finding[] = []
  const zip = await openZip(sourceOf(bytes), bytes.length, (finding) => found.push(finding))
  const contents = new Map<string, Buffer>()
  for (const entry of zip.entries) contents.set(entry.path, await whole(zip, entry, found))
  return { zip, found, contents }
}

async function whole(zip: Zip, entry: ZipEntry, found: Finding[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of entryChunks(zip, entry, (finding) => found.push(finding))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const laid = fc.record({
  content: fc.uint8Array({ maxLength: 3000 }),
  deflated: fc.boolean(),
  described: fc.boolean(),
  zip64: fc.boolean(),
})

test('reads entries of every form', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(laid, { maxLength: 6 }), fc.uint8Array({ maxLength: 20 }), async (entries, before) => {
      const named = entries.map((entry, index) => ({ ...entry, name: `folder/é${index}.bin` }))
      const file = madeZip(named)
      const plain = await opened(file)
      expect(plain.found).toEqual([])
      expect([...plain.contents]).toEqual(named.map(({ name, content }) => [name, Buffer.from(content)]))
      // After bytes of another kind, and without its list of contents: the same bytes.
      const prefixed = await opened(Buffer.concat([Buffer.from('#!sh'), before, file]))
      expect([...prefixed.contents]).toEqual([...plain.contents])
      const directoryBytes = file.length - file.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
      const listless = await opened(entries.length > 0 ? file.subarray(0, -directoryBytes) : file)
      expect([...listless.contents]).toEqual([...plain.contents])
      if (entries.length > 0) expect(listless.found.map(({ rule }) => rule)).toEqual(['zipDirectoryMissing'])
    }),
    { numRuns: 60 },
  )
})

test('round trip with our own writer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), fc.array(fc.uint8Array({ maxLength: 500 }))), { maxLength: 8 }),
      async (entries) => {
        const parts: Uint8Array[] = []
        const writer = new ZipWriter(
          (bytes) => Promise.resolve(void parts.push(bytes)),
          Date.UTC(2024, 1, 29, 13, 7, 9),
        )
        for (const [index, [streamed, chunks]] of entries.entries()) {
          if (!streamed) await writer.whole(`${index}`, Buffer.concat(chunks))
          else {
            const entry = await writer.begin(`${index}`)
            for (const chunk of chunks) await entry.append(chunk)
            await entry.end()
          }
        }
        await writer.end()
        const { found, contents } = await opened(Buffer.concat(parts))
        expect(found).toEqual([])
        expect([...contents]).toEqual(entries.map(([, chunks], index) => [`${index}`, Buffer.concat(chunks)]))
      },
    ),
    { numRuns: 60 },
  )
})

test('the writer refuses input that would make an invalid file', async () => {
  const writer = new ZipWriter(() => Promise.resolve(), 0)
  const entry = await writer.begin('a')
  await expect(writer.begin('b')).rejects.toThrow('b begins before a has ended')
  await expect(writer.end()).rejects.toThrow('a has no end')
  await entry.end()
  await expect(entry.append(Buffer.from('x'))).rejects.toThrow('has ended')
  await expect(writer.whole('a', Buffer.from('x'))).rejects.toThrow('two entries a')
})

describe('truncated at every byte', () => {
  const inner = madeZip([{ name: 'inner.txt', content: Buffer.from('a package within a package') }])
  const cases: [string, MadeEntry[]][] = [
    [
      'stored',
      [
        { name: 'a', content: Buffer.from('first of them') },
        { name: 'b', content: Buffer.from('second') },
      ],
    ],
    [
      'described',
      ['a', 'b'].map((name) => ({ name, content: Buffer.from(`the bytes of ${name}`), described: true, zip64: true })),
    ],
    [
      'deflated',
      ['a', 'b'].map((name) => ({ name, content: Buffer.alloc(500, name), deflated: true, described: name === 'a' })),
    ],
    [
      'containing another',
      [
        { name: 'inner.wacz', content: inner, described: true },
        { name: 'b', content: Buffer.from('second') },
      ],
    ],
  ]
  test.each(cases)('%s: reads exactly what is present, and reports the truncation', async (_, entries) => {
    const file = madeZip(entries)
    for (let length = 0; length < file.length; length++) {
      const { found, contents, zip } = await opened(file.subarray(0, length))
      expect(
        found.filter(({ severity }) => severity === 'error'),
        `cut at ${length}`,
      ).not.toEqual([])
      for (const [index, { path }] of zip.entries.entries()) {
        const original = Buffer.from(entries[index]?.content ?? [])
        expect(path).toBe(entries[index]?.name)
        const content = contents.get(path)!
        // Less than the signature of a descriptor cannot be distinguished from content.
        const extra = content.subarray(original.length).toString('latin1')
        expect(['', 'P', 'PK', 'PK\x07'], `cut at ${length}: ${path}`).toContain(extra)
        const known = content.subarray(0, original.length)
        expect(original.subarray(0, known.length).equals(known), `cut at ${length}: ${path}`).toBe(true)
        const last = index === zip.entries.length - 1
        if (!last) expect(content.length).toBe(original.length)
      }
    }
  })
})

test('random bytes, or any byte changed: terminates without throwing', async () => {
  const file = madeZip([
    { name: 'stored', content: Buffer.from('some bytes') },
    { name: 'deflated', content: Buffer.alloc(3000, 'abc'), deflated: true, described: true },
    { name: 'wide', content: Buffer.from('more bytes'), described: true, zip64: true },
  ])
  for (let at = 0; at < file.length; at++) {
    for (const value of [0, 0xff, (file[at] ?? 0) ^ 1]) {
      const changed = Buffer.from(file)
      changed[at] = value
      await opened(changed)
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('', 'PK\x03\x04', 'PK\x05\x06'),
      async (bytes, mark) => {
        await opened(Buffer.concat([Buffer.from(mark, 'latin1'), bytes]))
      },
    ),
  )
})

describe('reports false declarations', () => {
  const rulesOf = async (file: Buffer): Promise<string[]> => (await opened(file)).found.map(({ rule }) => rule)
  const hello = Buffer.from('hello')
  const check = (what: string, file: Buffer, ...expected: string[]) =>
    test(what, async () => expect(await rulesOf(file)).toEqual(expected))

  const plain = madeZip([{ name: 'a', content: hello }])
  check('nothing is wrong', plain)
  check('an empty zip is one', madeZip([]))
  check('not a zip file', Buffer.from('this is no zip'), 'zipDirectoryMissing', 'zipNothingInside')
  check('bytes in front', Buffer.concat([hello, plain]), 'zipPrefixed')
  check('trailing bytes', Buffer.concat([plain, hello]), 'zipBytesBehind')
  check('a comment is not trailing bytes', withComment(plain, 'made by hand PK\x05\x06 and so on'))
  check('a truncated comment', withComment(plain, 'made by hand').subarray(0, -3), 'zipDirectoryMissing')
  check('another checksum', madeZip([{ name: 'a', content: hello, falsified: { crc32: 7 } }]), 'zipEntryChecksum')
  check(
    'stored, and longer when unpacked',
    madeZip([{ name: 'a', content: hello, falsified: { bytes: 9 } }]),
    'zipEntryLength',
  )
  check(
    'deflated, and shorter than said',
    madeZip([{ name: 'a', content: hello, deflated: true, falsified: { bytes: 9 } }]),
    'zipEntryLength',
  )
  check(
    'deflated, and longer than said',
    madeZip([{ name: 'a', content: hello, deflated: true, falsified: { bytes: 2 } }]),
    'zipEntryLength',
  )
  check(
    'a petabyte of seven bytes',
    madeZip([{ name: 'a', content: hello, deflated: true, zip64: true, falsified: { bytes: 2 ** 50 } }]),
    'zipEntryLength',
    'zipEntryLength',
  )
  check('an unknown method', madeZip([{ name: 'a', content: hello, falsified: { method: 12 } }]), 'zipMethodUnknown')
  check('encrypted', flagged(plain, 1), 'zipEntryEncrypted')
  check(
    'one name twice',
    madeZip([
      { name: 'a', content: hello },
      { name: 'a', content: Buffer.from('later') },
    ]),
    'zipNameTwice',
  )
  check('no UTF-8', madeZip([{ name: Buffer.from([0x81, 0x62]), content: hello }]), 'zipNameNotUtf8')
  for (const name of ['../a', '/a', 'C:\\a', 'b\\a', 'b/../../a', 'a\u0007', '..', './a'])
    check(`the name ${JSON.stringify(name)}`, madeZip([{ name, content: hello }]), 'zipNameClimbs')
  check(
    'no entry at the listed position',
    madeZip([{ name: 'a', content: hello, falsified: { offset: 3 } }]),
    'zipEntryMissing',
  )
  check('two entries in one place', overlapping(50), ...Array<string>(49).fill('zipEntriesOverlap'))
  check('its list cut out', Buffer.concat([plain.subarray(0, 40), plain.subarray(-22)]), 'zipDirectoryWrong')

  function withComment(file: Buffer, comment: string): Buffer {
    const commented = Buffer.concat([file, Buffer.from(comment, 'latin1')])
    commented.writeUInt16LE(comment.length, file.length - 2)
    return commented
  }

  /** Sets bits of the flags in the list. */
  function flagged(file: Buffer, bits: number): Buffer {
    const changed = Buffer.from(file)
    const at = changed.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 8
    changed.writeUInt16LE(changed.readUInt16LE(at) | bits, at)
    return changed
  }

  /** Many names for the same deflated bytes, as in the bombs that do without nesting. */
  function overlapping(names: number): Buffer {
    const content = Buffer.alloc(100_000)
    const data = deflateRawSync(content)
    const shape = { method: zipMethods.deflated, described: false, zip64: false, modifiedAtMs: 0, offset: 0 }
    const entry = { ...shape, crc32: crc32(content), compressedBytes: data.length, bytes: content.length }
    const local = Buffer.concat([localHeader({ ...entry, name: Buffer.from('00') }), data])
    const listed = Array.from({ length: names }, (_, index) =>
      directoryHeader({ ...entry, name: Buffer.from(String(index).padStart(2, '0')) }),
    )
    const directory = Buffer.concat(listed)
    return Buffer.concat([local, directory, endRecords(names, local.length, directory.length)])
  }
})

test('an entry name with ".." is read under a safe name and cannot replace another entry', async () => {
  const { zip } = await opened(
    madeZip([
      { name: 'datapackage.json', content: Buffer.from('honest') },
      { name: '../datapackage.json', content: Buffer.from('not') },
    ]),
  )
  expect(zip.entries.map(({ path }) => path)).toEqual(['datapackage.json', 'datapackage.json'])
  expect(zipEntry(zip, 'datapackage.json')?.name).toBe('datapackage.json')
})

test('zip64: five gigabytes before an entry, with sizes and offsets of 8 bytes', async () => {
  const content = Buffer.from('at the far end of a large file')
  const gap = 5 * 1024 ** 3
  const shape = { method: zipMethods.stored, modifiedAtMs: 0, described: true, zip64: true }
  const large = {
    ...shape,
    name: Buffer.from('archive/large.warc.gz'),
    crc32: 1,
    compressedBytes: gap,
    bytes: gap,
    offset: 0,
  }
  const head = localHeader(large)
  const largeEnd = descriptor(large)
  const small: Written = {
    ...shape,
    name: Buffer.from('small'),
    crc32: crc32(content),
    compressedBytes: content.length,
    bytes: content.length,
    offset: head.length + gap + largeEnd.length,
  }
  const local = localHeader(small)
  const directory = Buffer.concat([large, small].map(directoryHeader))
  const directoryAt = small.offset + local.length + content.length + descriptor(small).length
  const tail = Buffer.concat([
    largeEnd,
    local,
    content,
    descriptor(small),
    directory,
    endRecords(2, directoryAt, directory.length),
  ])
  const bytes = head.length + gap + tail.length
  // Nothing but its two ends is in memory: between them are zeros.
  const source: ByteSource = {
    read(into, position) {
      const length = Math.max(0, Math.min(into.length, bytes - position))
      into.fill(0, 0, length)
      for (const [part, from] of [
        [head, 0],
        [tail, head.length + gap],
      ] as const) {
        const start = Math.max(position, from)
        const end = Math.min(position + length, from + part.length)
        if (start < end) into.set(part.subarray(start - from, end - from), start - position)
      }
      return Promise.resolve(length)
    },
  }
  const found: Finding[] = []
  const zip = await openZip(source, bytes, (finding) => found.push(finding))
  expect(zip.entries.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['archive/large.warc.gz', gap],
    ['small', content.length],
  ])
  expect((await whole(zip, zip.entries[1]!, found)).equals(content)).toBe(true)
  expect(found).toEqual([])
})

test('zip64: more than 65,535 entries', async () => {
  const parts: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => Promise.resolve(void parts.push(bytes)), 0)
  for (let number = 0; number < 70_000; number++) await writer.whole(`raw/${number}`, Buffer.from(String(number)))
  await writer.end()
  const file = Buffer.concat(parts)
  const found: Finding[] = []
  const zip = await openZip(sourceOf(file), file.length, (finding) => found.push(finding))
  expect(zip.entries).toHaveLength(70_000)
  expect(String(await whole(zip, zip.entries[69_999]!, found))).toBe('69999')
  expect(found).toEqual([])
})

describe('a deflated entry as a random access source', () => {
  const content = Buffer.alloc(12 * 1024 * 1024)
  for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(Math.imul(at, 2654435761) >>> 7, at)

  async function deflatedSource(found: Finding[]) {
    const file = madeZip([{ name: 'a', content, deflated: true }])
    const zip = await openZip(sourceOf(file), file.length, (finding) => found.push(finding))
    return (await entrySource(zip, zip.entries[0]!, (finding) => found.push(finding)))!
  }

  test('reads at any offset match the content: forwards, slightly backwards, to the start, and beyond the end', async () => {
    const found: Finding[] = []
    const source = await deflatedSource(found)
    const positions = [
      0,
      10,
      5_000_000,
      4_900_000,
      2_000_000,
      11_999_990,
      content.length - 3,
      content.length,
      7,
      9_000_000,
    ]
    for (const position of positions) {
      const into = Buffer.alloc(100_000)
      const read = await source.read(into, position)
      expect(content.subarray(position, position + 100_000).equals(into.subarray(0, read)), `at ${position}`).toBe(true)
    }
    expect(found).toEqual([])
    source.close()
  })

  test('reads byte by byte and concurrent reads give the same content', async () => {
    const source = await deflatedSource([])
    const bytes = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const one = Buffer.alloc(1)
        await source.read(one, 1_000_000 + index)
        return one
      }),
    )
    expect(Buffer.concat(bytes).equals(content.subarray(1_000_000, 1_000_300))).toBe(true)
    source.close()
  })

  test('seeking back and forth without end is refused', async () => {
    const found: Finding[] = []
    const file = madeZip([{ name: 'a', content: content.subarray(0, 6_000_000), deflated: true }])
    const zip = await openZip(sourceOf(file), file.length, (finding) => found.push(finding))
    const source = (await entrySource(zip, zip.entries[0]!, (finding) => found.push(finding)))!
    const one = Buffer.alloc(1)
    let answers = 0
    while ((await source.read(one, 5_999_999)) === 1 && (await source.read(one, 0)) === 1) answers++
    expect(answers).toBeLessThan(65)
    expect(found.map(({ rule }) => rule)).toEqual(['zipEntryReadBack'])
    source.close()
  })
})
