import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { surt } from '../cdx/surt.ts'
import { readRecordAt, readRecords } from './readRecords.ts'

interface Seen {
  offset: number
  length: number
  type: string
  url: string | undefined
  version: string
  block: string
  rules: string[]
}

async function seenIn(bytes: Uint8Array): Promise<Seen[]> {
  const seen: Seen[] = []
  const between: string[] = []
  for await (const item of readRecords(sourceOf(bytes), { onFinding: ({ rule }) => between.push(rule) })) {
    const parts: Uint8Array[] = []
    for await (const part of item.block()) parts.push(part)
    const { length, findings } = await item.finish()
    const block = Buffer.concat(parts).toString('latin1')
    const rules = findings.map(({ rule }) => rule)
    seen.push({ offset: item.offset, length, type: item.type, url: item.url, version: item.version, block, rules })
  }
  if (between.length > 0)
    seen.push({ offset: -1, length: 0, type: '', url: '', version: '', block: '', rules: between })
  return seen
}

function arcRecord(line: string, block: string | Uint8Array): Buffer {
  const bytes = Buffer.from(block)
  return Buffer.concat([Buffer.from(`${line} ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

const names = 'URL IP-address Archive-date Content-type Archive-length'
const namesTwo = 'URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length'
const one = arcRecord('filedesc://a.arc 0.0.0.0 20080430204825 text/plain', `1 0 InternetArchive\n${names}\n`)
const metadata = '<?xml version="1.0"?>\n<arcmetadata>\n<arc:software>Heritrix 1.14</arc:software>\n</arcmetadata>\n'
const oneOne = arcRecord(
  'filedesc://a.arc 0.0.0.0 20080430204825 text/plain',
  `1 1 InternetArchive\n${names}\n${metadata}`,
)
const two = arcRecord(
  'filedesc://a.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 a.arc',
  `2 0 Alexa Internet\n${namesTwo}\n`,
)
const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello'
const http = arcRecord('http://example.org/a?b=1 192.0.2.1 20080430204826 text/html', page)
const dns = arcRecord(
  'dns:example.org 192.0.2.53 20080430204825 text/dns',
  '20080430204825\nexample.org. 1 IN A 192.0.2.1\n',
)
const report = arcRecord(
  'metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.3&harvestid=7&jobid=42 130.225.27.140 20080430204830 text/xml',
  '<crawl-order/>',
)

const packings = [
  { name: 'plain', pack: (records: Buffer[]) => Buffer.concat(records) },
  {
    name: 'a gzip member for each record',
    pack: (records: Buffer[]) => Buffer.concat(records.map((bytes) => gzipSync(bytes))),
  },
  { name: 'one gzip member', pack: (records: Buffer[]) => gzipSync(Buffer.concat(records)) },
  {
    name: 'a zstd frame for each record',
    pack: (records: Buffer[]) => Buffer.concat(records.map((bytes) => zstdCompressSync(bytes))),
  },
]

test.each(packings)('$name: ARC 1.0, 1.1 and 2.0, with and without a version block', async ({ name, pack }) => {
  const rules = (count: number) => [
    name === 'one gzip member' ? ['recordsShareMember'] : [],
    ...Array<string[]>(count - 1).fill([]),
  ]
  const check = async (records: Buffer[], expected: [type: string, version: string, url: string][]) => {
    const seen = await seenIn(pack(records))
    expect(seen.map(({ type, version, url }) => [type, version, url])).toEqual(expected)
    expect(seen.map((record) => record.rules)).toEqual(rules(records.length))
  }
  const url = 'http://example.org/a?b=1'
  for (const [head, version] of [
    [one, 'ARC/1.0'],
    [oneOne, 'ARC/1.1'],
  ] as const) {
    await check(
      [head, dns, http],
      [
        ['filedesc', version, 'filedesc://a.arc'],
        ['resource', version, 'dns:example.org'],
        ['response', version, url],
      ],
    )
  }
  const redirect = arcRecord(`${url} 192.0.2.1 19960923142103 text/html 302 - http://example.org/b 700 a.arc`, page)
  await check(
    [two, redirect],
    [
      ['filedesc', 'ARC/2.0', 'filedesc://a.arc'],
      ['response', 'ARC/2.0', url],
    ],
  )
  await check(
    [http, dns],
    [
      ['response', 'ARC/1.0', url],
      ['resource', 'ARC/1.0', 'dns:example.org'],
    ],
  )
  await check(
    [one, report],
    [
      ['filedesc', 'ARC/1.0', 'filedesc://a.arc'],
      [
        'resource',
        'ARC/1.0',
        'metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.3&harvestid=7&jobid=42',
      ],
    ],
  )
})

test('fields are named by the version of the format', async () => {
  const redirect = arcRecord('http://a.org/ 192.0.2.1 19960923142103 text/html 302 k http://a.org/b 700 a.arc', 'x')
  const fields: [string, string][][] = []
  for await (const item of readRecords(sourceOf(Buffer.concat([two, redirect])))) fields.push(item.fields)
  expect(fields[1]).toEqual([
    ['URL', 'http://a.org/'],
    ['IP-address', '192.0.2.1'],
    ['Archive-date', '19960923142103'],
    ['Content-type', 'text/html'],
    ['Result-code', '302'],
    ['Checksum', 'k'],
    ['Location', 'http://a.org/b'],
    ['Offset', '700'],
    ['Filename', 'a.arc'],
    ['Archive-length', '1'],
  ])
})

test.each(packings)('$name: reads back what was written, with positions', async ({ name, pack }) => {
  const line = fc
    .record({
      path: fc.webPath(),
      ip: fc.ipV4(),
      type: fc.constantFrom('text/html', 'text/plain; charset=utf-8', 'no-type'),
    })
    .map(({ path, ip, type }) => `http://example.org${path} ${ip} 20080430204826 ${type}`)
  const record = fc.tuple(line, fc.uint8Array({ maxLength: 300 }))
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
      const bytes = pack([one, ...records.map(([text, block]) => arcRecord(text, block))])
      const seen = await seenIn(bytes)
      expect(seen.slice(1).map(({ url, block }) => [url, block])).toEqual(
        records.map(([text, block]) => [text.split(' ')[0], Buffer.from(block).toString('latin1')]),
      )
      if (name === 'one gzip member') return
      for (const { offset, length, url, block } of seen) {
        const item = await readRecordAt(sourceOf(bytes), offset, length)
        const parts: Uint8Array[] = []
        for await (const part of item?.block() ?? []) parts.push(part)
        expect([item?.url, Buffer.concat(parts).toString('latin1')]).toEqual([url, block])
      }
    }),
  )
})

test('reads lines of old writers', async () => {
  const check = async (line: string, expected: { url: string; rules: string[]; block?: string }) => {
    const [, seen] = await seenIn(Buffer.concat([one, Buffer.from(`${line}\nxyz\n`)]))
    expect(seen).toMatchObject({ block: 'xyz', ...expected })
  }
  await check('http://a/b c?d=e f 192.0.2.1 20080430204826 text/html 3', {
    url: 'http://a/b c?d=e f',
    rules: ['arcUrlBlank'],
  })
  await check('http://a/ 2001:db8::1 20080430204826 text/html 3', { url: 'http://a/', rules: [] })
  await check('http://a/ - - - 3', { url: 'http://a/', rules: [] })
  await check('http://a/ 192.0.2.1 20080430204826 text/html; charset=x 3', { url: 'http://a/', rules: [] })
  await check('http://a/ 192.0.2.1 20080430204826 text/html 3\r', { url: 'http://a/', rules: ['arcLineEndOdd'] })
  await check(`http://a/${'p'.repeat(5000)} 192.0.2.1 20080430204826 text/html 3`, {
    url: `http://a/${'p'.repeat(5000)}`,
    rules: [],
  })
})

test('a CR within a URL loses no record and is removed, as browsers do', async () => {
  const odd = Buffer.from('http://example.org/a\rb?c=d\r 192.0.2.1 20080430204826 text/html 3\nxyz\n')
  const expected = { url: 'http://example.org/ab?c=d', block: 'xyz', rules: ['arcUrlLineEnd'] }
  for (const { name, pack } of packings) {
    const records = await seenIn(pack([one, odd, dns]))
    expect(
      records.map(({ url }) => url),
      name,
    ).toEqual(['filedesc://a.arc', expected.url, 'dns:example.org'])
    if (name !== 'one gzip member') expect(records[1], name).toMatchObject(expected)
  }
  // At the beginning of a file, and at a position where no record is expected.
  expect(await seenIn(odd)).toMatchObject([expected])
  expect(await seenIn(Buffer.concat([one, Buffer.from('no record\n'), odd]))).toMatchObject([
    { url: 'filedesc://a.arc' },
    expected,
    { rules: ['noRecord'] },
  ])
})

test('reads lines that end with CR CR LF', async () => {
  const line = Buffer.from('http://example.org/ 192.0.2.1 20080430204826 text/html 3\r\r\nxyz\n')
  const [, seen] = await seenIn(Buffer.concat([one, line, dns]))
  expect(seen).toMatchObject({ url: 'http://example.org/', block: 'xyz', rules: ['arcLineEndOdd'] })
})

test('bytes of a URL are kept as UTF-8 where they are valid, and percent-encoded otherwise', async () => {
  const check = async (url: string, expected: string, ...rules: string[]) => {
    const line = Buffer.from(`${url} 192.0.2.1 20080430204826 text/html 3\nxyz\n`, 'latin1')
    const [, seen] = await seenIn(Buffer.concat([one, line]))
    expect(seen).toMatchObject({ url: expected, rules })
  }
  await check('http://a/\xe9cole', 'http://a/%E9cole', 'arcUrlNotUtf8')
  await check('http://a/\xc3\xa9cole', 'http://a/école')
  await check('http://a/\xc3\xa9\xe9?q=\xff#\x80', 'http://a/%C3%A9%E9?q=%FF#%80', 'arcUrlNotUtf8')
  await check('http://a/%C3%A9%e9', 'http://a/%C3%A9%e9')
  // A host name cannot contain raw bytes.
  await check('http://\xe9cole.example/\xe9', 'http://école.example/%E9', 'arcUrlNotUtf8')
  // The rest of the line does not belong to the URL.
  const type = Buffer.from('http://a/\xc3\xa9 192.0.2.1 20080430204826 text/\xe9 3\nxyz\n', 'latin1')
  expect((await seenIn(Buffer.concat([one, type])))[1]).toMatchObject({ url: 'http://a/é', rules: [] })
})

test('a browser that requests the bytes of a path finds the key of the record', async () => {
  const byte = fc.integer({ min: 0x21, max: 0xff }).filter((code) => !/[#?\\%;\x7f]/.test(String.fromCharCode(code)))
  await fc.assert(
    fc.asyncProperty(fc.array(byte, { minLength: 1, maxLength: 20 }), async (bytes) => {
      const path = Buffer.from(bytes).toString('latin1')
      const line = Buffer.from(`http://example.org/x${path} 192.0.2.1 20080430204826 text/html 3\nxyz\n`, 'latin1')
      const asked = path.replace(/[^!-~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
      expect(surt((await seenIn(Buffer.concat([one, line])))[1]?.url ?? '')).toBe(surt(`http://example.org/x${asked}`))
    }),
  )
})

test('a wrong length costs no other record', async () => {
  const liar = (length: number) =>
    Buffer.from(`http://liar/ 192.0.2.1 20080430204826 text/plain ${length}\n0123456789\n`)
  for (const length of [0, 3, 9, 11, 40, 100, 100_000]) {
    const urls = (await seenIn(Buffer.concat([one, liar(length), http, dns]))).map(({ url }) => url)
    expect(
      urls.filter((url) => url !== ''),
      `length ${length}`,
    ).toEqual(['filedesc://a.arc', 'http://liar/', 'http://example.org/a?b=1', 'dns:example.org'])
  }
})

test('a member that may begin a record never ends the line before it, in a file or at an offset', async () => {
  const torn = gzipSync('http://a.org/ 192.0.2.1 20080430204826 text/h')
  const odd = gzipSync('http://b.org/ 1.2.3 20080430204826 text/html 3\nxyz\n')
  for (const bytes of [
    Buffer.concat([torn, odd, gzipSync(http)]),
    Buffer.concat([gzipSync(one), torn, odd, gzipSync(http)]),
  ]) {
    for (const seen of (await seenIn(bytes)).filter(({ offset }) => offset >= 0)) {
      expect(seen.url).not.toBe('http://a.org/')
      const again = await readRecordAt(sourceOf(bytes), seen.offset)
      expect([again?.url, (await again?.finish())?.length]).toEqual([seen.url, seen.length])
    }
  }
})
