import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { textOf } from '../contract/words/render.ts'
import { archiveParts } from './archiveParts.ts'
import { formatMessage } from './recognise.ts'
import { readRecords } from './records/readRecords.ts'
import { madeZip, type MadeEntry } from './wacz/testing/zipFixtures.ts'
import { sourceOf } from './bytes/testing/sourceOf.ts'
import { corpora, hasCorpora } from './testing/corpora.ts'
import { sampleOf } from '../world/testing/sample.ts'

const record = Buffer.from(
  'WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n',
)
const warc = Buffer.concat([gzipSync(record), gzipSync(record)])
const manifest = '{"profile":"data-package","wacz_version":"1.1.1","resources":[]}'

function wacz(...entries: MadeEntry[]): Buffer {
  return madeZip([...entries, { name: 'datapackage.json', content: manifest }])
}

async function partsOf(bytes: Uint8Array, name = 'x.wacz') {
  const parts: { path: string; bytes: number; kind: string; records: number }[] = []
  const found: [rule: string, path: string][] = []
  const onFinding = ({ rule }: { rule: string }, path: string) => void found.push([rule, path])
  for await (const part of archiveParts(sourceOf(bytes), { name, bytes: bytes.length, onFinding })) {
    let records = 0
    for await (const item of readRecords(part.source)) if ((await item.finish()).whole) records++
    parts.push({ path: part.path, bytes: part.bytes, kind: textOf(formatMessage(part.kind)), records })
  }
  return { parts, found }
}

test('a single archive is one part, whatever its name', async () => {
  expect(await partsOf(warc, 'misnamed.wacz')).toEqual({
    parts: [{ path: 'misnamed.wacz', bytes: warc.length, kind: 'WARC, gzip', records: 2 }],
    found: [],
  })
})

test('archives in a package, stored or deflated, and in nested packages, come with their paths', async () => {
  const inner = wacz({ name: 'archive/x.warc.gz', content: warc, described: true, zip64: true })
  const outer = wacz(
    { name: 'archive/data.warc.gz', content: warc },
    { name: 'pages/pages.jsonl', content: 'x' },
    { name: 'archive/plain.warc', content: record, deflated: true },
    { name: 'inner.wacz', content: inner },
    { name: 'archive/deflated.wacz', content: inner, deflated: true },
  )
  const { parts, found } = await partsOf(outer, 'crawl.wacz')
  expect(parts).toEqual([
    { path: 'crawl.wacz!archive/data.warc.gz', bytes: warc.length, kind: 'WARC, gzip', records: 2 },
    { path: 'crawl.wacz!archive/plain.warc', bytes: record.length, kind: 'WARC', records: 1 },
    { path: 'crawl.wacz!inner.wacz!archive/x.warc.gz', bytes: warc.length, kind: 'WARC, gzip', records: 2 },
    { path: 'crawl.wacz!archive/deflated.wacz!archive/x.warc.gz', bytes: warc.length, kind: 'WARC, gzip', records: 2 },
  ])
  expect(found).toEqual([])
})

describe('an unreadable input is refused with the reason', () => {
  const data = { name: 'archive/a.warc.gz', content: warc }
  const deeper = (bytes: Buffer) => wacz({ name: 'in.wacz', content: bytes })
  const check = (what: string, bytes: Buffer, ...expected: [rule: string, path: string][]) =>
    test(what, async () => {
      const { parts, found } = await partsOf(bytes)
      expect({ parts: parts.map(({ path }) => path), found }).toEqual({ parts: [], found: expected })
    })
  check('nothing', Buffer.alloc(0), ['fileEmpty', 'x.wacz'])
  check('a text', Buffer.from('hello'), ['notAnArchive', 'x.wacz'])
  check('a WACZ in gzip', gzipSync(wacz(data)), ['packageWrapped', 'x.wacz'])
  check('a tar', tarOf('archive/a.warc.gz'), ['packageWrapped', 'x.wacz'])
  check('a tar in gzip', gzipSync(tarOf('archive/a.warc.gz')), ['packageWrapped', 'x.wacz'])
  check('a zip without archives', wacz({ name: 'a.txt', content: 'x' }), ['waczArchiveMissing', 'x.wacz'])
  check('a file in the archive folder that is not an archive file', wacz({ name: 'archive/a.warc', content: 'x' }), [
    'notAnArchive',
    'x.wacz!archive/a.warc',
  ])
  check('an archive of nothing', wacz({ name: 'archive/a.warc', content: '' }), ['fileEmpty', 'x.wacz!archive/a.warc'])
  check('four packages deep', deeper(deeper(deeper(wacz(data)))), ['waczNestedTooDeep', 'x.wacz!in.wacz!in.wacz'])
  check(
    'a package like a bomb',
    wacz({ name: 'in.wacz', content: Buffer.concat([wacz(data), Buffer.alloc(300_000)]), deflated: true }),
    ['waczNestedBomb', 'x.wacz'],
  )

  function tarOf(name: string): Buffer {
    const block = Buffer.alloc(1024)
    block.write(name)
    block.write('ustar', 257)
    return block
  }
})

test('packages nested three levels deep are read', async () => {
  const deep = [1, 2].reduce(
    (bytes) => wacz({ name: 'in.wacz', content: bytes }),
    wacz({ name: 'a.warc.gz', content: warc }),
  )
  expect((await partsOf(deep)).parts.map(({ path, records }) => [path, records])).toEqual([
    ['x.wacz!in.wacz!in.wacz!a.warc.gz', 2],
  ])
})

test('a package is found after leading bytes of another kind', async () => {
  const { parts, found } = await partsOf(
    Buffer.concat([Buffer.from('#!/bin/sh\n'), wacz({ name: 'archive/a.warc.gz', content: warc })]),
  )
  expect(parts).toHaveLength(1)
  expect(found).toEqual([['zipPrefixed', 'x.wacz']])
})

test('a damaged deflated entry is reported as damaged, not as empty', async () => {
  const name = 'archive/a.warc'
  const whole = wacz({ name, content: record, deflated: true })
  const dataAt = 30 + name.length
  const dataEnd = whole.indexOf('PK', dataAt)
  let withoutContent = 0
  for (let at = dataAt; at < dataEnd; at++) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
    const { parts, found } = await partsOf(bytes)
    const rules = found.map(([rule]) => rule)
    expect(rules, `at ${at}`).not.toContain('fileEmpty')
    if (parts.length > 0) continue
    withoutContent++
    expect(rules).toEqual(expect.arrayContaining([expect.stringMatching(/^zipEntry|^notAnArchive$/)]))
  }
  expect(withoutContent).toBeGreaterThan(0)
})

test('truncated at every byte: complete records are returned, none is invented, and the truncation is reported', async () => {
  for (const deflated of [false, true]) {
    const bytes = wacz(
      { name: 'archive/a.warc.gz', content: warc, deflated },
      { name: 'archive/b.warc.gz', content: warc, described: true },
    )
    for (const length of sampleOf([...bytes.keys()])) {
      const { parts, found } = await partsOf(bytes.subarray(0, length))
      expect(found.length, `cut at ${length}`).toBeGreaterThan(0)
      expect(parts.length).toBeLessThanOrEqual(2)
      for (const { records } of parts) expect(records).toBeLessThanOrEqual(2)
      if (parts.length === 2) expect(parts[0]?.records).toBe(2)
    }
  }
})

const samples: [file: string, ...parts: [path: string, records: number][]][] = [
  ['webrecorder+py-wacz/tests/fixtures/valid_example_1.wacz', ['archive/example-collection.warc', 4]],
  ['webrecorder+py-wacz/tests/fixtures/valid_example_2.wacz', ['archive/example-collection.warc', 4]],
  ['webrecorder+py-wacz/tests/fixtures/invalid_example_1.wacz'],
  [
    'webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz',
    ['archive/rec-20220118190009690949-crawl-scheduled-a78c5705-3aec-46be-9eec-66ac994f1f4a-273757mtjt.warc.gz', 4],
  ],
  ['harvard-lil+scoop/assets/fixtures/example.com.wacz', ['archive/data.warc', 5]],
  ['harvard-lil+scoop/.github/assets/example.wacz', ['archive/data.warc.gz', 66]],
]
test.skipIf(!hasCorpora()).each(samples)('%s (skipped without samples: npm run corpora)', async (file, ...expected) => {
  const { parts } = await partsOf(readFileSync(new URL(file, corpora)))
  expect(parts.map(({ path, records }) => [path, records])).toEqual(
    expected.map(([path, records]) => [`x.wacz!${path}`, records]),
  )
})
