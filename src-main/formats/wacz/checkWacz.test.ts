import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Finding } from '../rules/finding.ts'
import { checkWacz } from './checkWacz.ts'
import { madeZip, type MadeEntry } from './testing/zipFixtures.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { openWacz } from './wacz.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'
import { sampleOf } from '../../world/testing/sample.ts'

const record = 'WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n'
const warc = gzipSync(record)
const line = (filename: string, offset: number, length: number, key = 'com,example)/') =>
  `${key} 20240101000000 {"url":"http://example.com/","offset":"${offset}","length":"${length}","filename":"${filename}"}\n`
const pageHeader = '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}\n'
const page = '{"url":"http://example.com/","ts":"2024-01-01T00:00:00Z"}\n'
const sound: Readonly<Record<string, string | Uint8Array>> = {
  'archive/data.warc.gz': warc,
  'indexes/index.cdx': line('data.warc.gz', 0, warc.length),
  'pages/pages.jsonl': pageHeader + page,
}

function hashed(algorithm: string, content: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string {
  return `${algorithm}:${createHash(algorithm).update(content).digest(encoding)}`
}

interface Made {
  /** Files to add or replace in a valid package; undefined removes one. */
  files?: Record<string, string | Uint8Array | undefined>
  manifest?: (manifest: Record<string, unknown> & { resources: Record<string, unknown>[] }) => unknown
  digest?: (digest: Record<string, unknown>, manifest: string) => unknown
  deflated?: string[]
  bare?: boolean
}

function made({
  files = {},
  manifest = (same) => same,
  digest = (same) => same,
  deflated = [],
  bare = false,
}: Made = {}): Buffer {
  const all = Object.entries({ ...(bare ? {} : sound), ...files }).filter(([, content]) => content !== undefined) as [
    string,
    string | Uint8Array,
  ][]
  const resources = all.map(([path, content]) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    hash: hashed('sha256', content),
    bytes: Buffer.from(content).length,
  }))
  const manifested = manifest({ profile: 'data-package', wacz_version: '1.1.1', resources })
  const entries: MadeEntry[] = all.map(([name, content]) => ({ name, content, deflated: deflated.includes(name) }))
  if (manifested === undefined) return madeZip(entries)
  const said = JSON.stringify(manifested)
  entries.push({ name: 'datapackage.json', content: said })
  const proof = digest({ path: 'datapackage.json', hash: hashed('sha256', said) }, said)
  if (proof !== undefined) entries.push({ name: 'datapackage-digest.json', content: JSON.stringify(proof) })
  return madeZip(entries)
}

async function found(bytes: Uint8Array): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of checkWacz(sourceOf(bytes), bytes.length)) findings.push(finding)
  return findings
}

describe('finds each fault of a package and nothing else', () => {
  const check = (what: string, bytes: Buffer, ...expected: string[]) =>
    test(what, async () => expect((await found(bytes)).map(({ rule }) => rule)).toEqual(expected))
  const manifest = (change: Record<string, unknown>) => made({ manifest: (same) => ({ ...same, ...change }) })
  const firstResource = (change: Record<string, unknown>) =>
    made({
      manifest: ({ resources: [first, ...rest], ...same }) => ({
        ...same,
        resources: [{ ...first, ...change }, ...rest],
      }),
    })

  check('none', made())
  check(
    'none in 1.2.0',
    manifest({ profile: 'wacz', wacz_version: undefined, home: { url: 'http://a/', ts: '2024-01-01T00:00:00Z' } }),
  )
  check(
    'none in 1.0',
    made({
      manifest: ({ resources, ...same }) => ({
        ...same,
        wacz_version: '1.0.0',
        resources: resources.map(({ path, hash, bytes }) => ({
          path,
          hashing: 'sha256',
          stats: { hash: String(hash).slice(7), bytes },
        })),
      }),
    }),
  )
  for (const hash of [
    hashed('sha512', warc),
    hashed('md5', warc),
    hashed('sha1', warc),
    hashed('sha256', warc, 'base64'),
  ])
    check(`none with the hash ${hash.slice(0, 12)}`, firstResource({ hash }))
  check('none with a bare MD5, as Data Package has it', firstResource({ hash: hashed('md5', warc).slice(4) }))

  const silent = ['waczPackageMissing']
  check('no manifest', made({ manifest: () => undefined }), ...silent)
  check(
    'webarchive.yaml, as the oldest have it',
    made({ manifest: () => undefined, files: { 'webarchive.yaml': 'title: x' } }),
    ...silent,
  )
  check('a manifest that is not a JSON object', made({ manifest: () => [1] }), 'waczPackageUnreadable')
  check('no profile', manifest({ profile: undefined }), 'waczProfileMissing')
  check('a custom profile', manifest({ profile: 'my-profile' }), 'waczProfileUnknown')
  check('no version', manifest({ wacz_version: undefined }), 'waczVersionMissing')
  check('a version to come', manifest({ wacz_version: '7.0' }), 'waczVersionUnknown')
  check('a title that is a number', manifest({ title: 7 }), 'waczFieldInvalid')
  check(
    'no list of resources',
    made({ manifest: ({ resources: _, ...same }) => same }),
    'waczResourceInvalid',
    'waczFileUnlisted',
    'waczFileUnlisted',
    'waczFileUnlisted',
  )
  check('a resource without hash', firstResource({ hash: undefined }), 'waczResourceInvalid')
  check('a resource without length', firstResource({ bytes: undefined }), 'waczResourceInvalid')
  check('a hash of another file', firstResource({ hash: hashed('sha256', 'other') }), 'waczResourceHashWrong')
  check('an unknown hash', firstResource({ hash: 'sha224:00' }), 'waczHashUnknown')
  check('another length', firstResource({ bytes: 1 }), 'waczResourceLengthWrong')
  check(
    'listed but missing',
    made({
      manifest: ({ resources, ...same }) => ({
        ...same,
        resources: [...resources, { path: 'logs/a.log', hash: 'md5:x', bytes: 1 }],
      }),
    }),
    'waczResourceAbsent',
  )
  check(
    'there, and not listed',
    made({ manifest: ({ resources, ...same }) => ({ ...same, resources: resources.slice(1) }) }),
    'waczFileUnlisted',
  )
  check('a custom file in archive/', made({ files: { 'archive/notes.txt': 'x' } }), 'waczForeignFile')
  check('a custom file elsewhere', made({ files: { 'logs/crawl.log': 'x' } }))

  check('no digest of the manifest', made({ digest: () => undefined }), 'waczDigestMissing')
  check('one without hash', made({ digest: () => ({ path: 'datapackage.json' }) }), 'waczDigestUnreadable')
  check('one of another file', made({ digest: (same) => ({ ...same, path: 'other.json' }) }), 'waczDigestUnreadable')
  check('one that differs', made({ digest: (same) => ({ ...same, hash: hashed('sha256', 'x') }) }), 'waczDigestWrong')
  check('one by SHA-512 that fits', made({ digest: (same, said) => ({ ...same, hash: hashed('sha512', said) }) }))
  check('an invalid signature', made({ digest: (same) => ({ ...same, signedData: 'x' }) }), 'waczSignatureInvalid')
  check('a signature without parts', made({ digest: (same) => ({ ...same, signedData: {} }) }), 'waczSignatureInvalid')

  check(
    'no archive',
    made({ files: { 'archive/data.warc.gz': undefined, 'indexes/index.cdx': '' } }),
    'waczArchiveMissing',
  )
  check(
    'gzip by another name',
    made({
      files: {
        'archive/data.warc.gz': undefined,
        'archive/data.warc': warc,
        'indexes/index.cdx': line('data.warc', 0, 9),
      },
    }),
    'waczArchiveNameWrong',
  )
  check(
    'plain by the name of gzip',
    made({ files: { 'archive/data.warc.gz': record, 'indexes/index.cdx': '' } }),
    'waczArchiveNameWrong',
  )
  check('an archive deflated', made({ deflated: ['archive/data.warc.gz'] }), 'waczArchiveDeflated')
  check('text deflated', made({ deflated: ['indexes/index.cdx', 'pages/pages.jsonl'] }))

  const packed = gzipSync(line('data.warc.gz', 0, warc.length))
  const blocks = (rows: string, index: string | Uint8Array = packed) =>
    made({ files: { 'indexes/index.cdx': undefined, 'indexes/index.cdx.gz': index, 'indexes/index.idx': rows } })
  const meta = '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'
  const pointer = (change = {}) =>
    `com,example)/ 20240101000000 ${JSON.stringify({ offset: 0, length: packed.length, digest: hashed('sha256', packed), ...change })}\n`
  check('no index', made({ files: { 'indexes/index.cdx': undefined } }), 'waczIndexMissing')
  check(
    'an index that is not CDXJ',
    made({ files: { 'indexes/index.cdx': 'com,example)/ 2024 {}\n' } }),
    'waczIndexLineInvalid',
  )
  check(
    'a line for a missing file',
    made({ files: { 'indexes/index.cdx': line('x.warc.gz', 0, 1) } }),
    'waczIndexLineOutside',
  )
  check(
    'a line past the end of its file',
    made({ files: { 'indexes/index.cdx': line('data.warc.gz', 1, warc.length) } }),
    'waczIndexLineOutside',
  )
  check(
    'lines out of order',
    made({ files: { 'indexes/index.cdx': line('data.warc.gz', 0, 1, 'b)/') + line('data.warc.gz', 0, 1, 'a)/') } }),
    'waczIndexUnsorted',
  )
  check('a line with its archive/', made({ files: { 'indexes/index.cdx': line('archive/data.warc.gz', 0, 1) } }))
  check('blocks that fit', blocks(meta + pointer()))
  check('blocks as ArchiveWeb.page has them', blocks(pointer({ filename: 'index.cdx.gz' }).trimEnd()))
  check('blocks elsewhere', blocks(meta + pointer({ offset: 1 })), 'waczIndexBlockWrong')
  check('blocks with another digest', blocks(meta + pointer({ digest: hashed('sha256', 'x') })), 'waczIndexBlockWrong')
  check('blocks of no file', blocks(pointer({ filename: 'other.cdx.gz' })), 'waczIndexBlockWrong')
  check('a block index of nonsense', blocks(`${meta}nonsense\n`), 'waczIndexBlockWrong')
  check('a truncated index', blocks(meta, packed.subarray(0, -9)), 'waczIndexDamaged')
  check(
    'an index deflated',
    made({ files: { 'indexes/index.cdx': undefined, 'indexes/i.cdx.gz': packed }, deflated: ['indexes/i.cdx.gz'] }),
    'waczIndexDeflated',
  )

  check('no pages', made({ files: { 'pages/pages.jsonl': undefined } }), 'waczPagesMissing')
  check('pages of nothing', made({ files: { 'pages/pages.jsonl': '' } }), 'waczPagesHeaderMissing')
  check('pages without a header', made({ files: { 'pages/pages.jsonl': page } }), 'waczPagesHeaderMissing')
  check(
    'pages of another format',
    made({ files: { 'pages/pages.jsonl': '{"format":"x"}\n' } }),
    'waczPagesHeaderMissing',
  )
  check('no line end at the end', made({ files: { 'pages/pages.jsonl': (pageHeader + page).trimEnd() } }))
  check(
    'a page without url',
    made({ files: { 'pages/pages.jsonl': `${pageHeader}{"ts":"2024-01-01T00:00:00Z"}\n` } }),
    'waczPageInvalid',
  )
  check(
    'a page without ts',
    made({ files: { 'pages/pages.jsonl': `${pageHeader}{"url":"http://a/"}\n` } }),
    'waczPageInvalid',
  )
  check(
    'a page at no time',
    made({ files: { 'pages/pages.jsonl': `${pageHeader}{"url":"http://a/","ts":"20240101000000"}\n` } }),
    'waczPageInvalid',
  )
  check(
    'a page that is not JSON, in another list',
    made({ files: { 'pages/extraPages.jsonl': `${pageHeader}page\n` } }),
    'waczPageInvalid',
  )

  const multi = (files: Record<string, Uint8Array>, change = {}, deflated: string[] = []) =>
    made({
      bare: true,
      files,
      deflated,
      manifest: ({ resources, wacz_version: _, ...same }) => ({
        ...same,
        profile: 'multi-wacz-package',
        resources,
        ...change,
      }),
    })
  check('a package of packages', multi({ 'one.wacz': made(), 'two.wacz': made() }))
  check(
    'one of the specification, with resources on the Web',
    multi(
      { 'one.wacz': made() },
      { profile: 'multi-wacz', resources: [{ path: 'one.wacz' }, { path: 'https://example.com/two.wacz' }] },
    ),
    'waczPartsElsewhere',
  )
  check(
    'what dedup needs and is not inside',
    manifest({ relation: { requires: [{ filename: 'first.wacz' }] } }),
    'waczPartsElsewhere',
  )
  check('a fault in a package inside', multi({ 'one.wacz': made({ digest: () => undefined }) }), 'waczDigestMissing')
  check('a package inside deflated', multi({ 'one.wacz': made() }, {}, ['one.wacz']), 'waczArchiveDeflated')
  check(
    'a package like a bomb',
    multi({ 'one.wacz': Buffer.alloc(100_000) }, {}, ['one.wacz']),
    'waczArchiveDeflated',
    'waczNestedBomb',
  )
  check('packages in packages', multi({ 'a.wacz': multi({ 'b.wacz': made() }) }))
  check(
    'packages in packages in packages',
    multi({ 'a.wacz': multi({ 'b.wacz': multi({ 'c.wacz': made() }) }) }),
    'waczNestedTooDeep',
  )
})

test('names the inner package of a finding', async () => {
  const inner = made({ digest: () => undefined })
  const outer = madeZip([{ name: 'inner.wacz', content: inner }])
  expect((await found(outer)).map(({ message, offset }) => [textOf(message), offset])).toEqual([
    ['The package has no datapackage.json.', undefined],
    ['inner.wacz: The package has no datapackage-digest.json.', undefined],
  ])
})

test('a directory that points beyond the end gives no finding a position there', async () => {
  const bytes = madeZip([
    { name: 'datapackage.json', content: '{"profile":"data-package","wacz_version":"1.1.1","resources":[]}' },
    { name: 'a.txt', content: 'a', falsified: { offset: 0x7fffffff } },
  ])
  const findings = await found(bytes)
  expect(findings.map(({ rule }) => rule)).toContain('waczFileUnlisted')
  for (const { offset = 0 } of findings) expect(offset).toBeLessThanOrEqual(bytes.length)
})

test('a damaged index names at most a hundred lines and counts the rest', async () => {
  const findings = await found(made({ files: { 'indexes/index.cdx': line('x.warc.gz', 0, 1).repeat(5000) } }))
  expect(findings).toHaveLength(101)
  expect(findings.at(-1)?.message).toEqual(message('found.more', { count: 4900 }))
})

test('truncated at every byte, or with any byte changed, it terminates without throwing and reports the fault', async () => {
  const bytes = made({ deflated: ['pages/pages.jsonl'] })
  for (const length of sampleOf([...bytes.keys()]))
    expect(
      (await found(bytes.subarray(0, length))).some(({ severity }) => severity === 'error'),
      `cut at ${length}`,
    ).toBe(true)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(bytes)
      changed[at] = value
      await found(changed)
    }),
    { numRuns: 400 },
  )
})

const samples: [file: string, version: string, ...rules: string[]][] = [
  ['webrecorder+py-wacz/tests/fixtures/valid_example_1.wacz', '1.0.0', 'waczArchiveNameWrong', 'waczDigestMissing'],
  ['webrecorder+py-wacz/tests/fixtures/valid_example_2.wacz', '1.1.1', 'waczArchiveNameWrong'],
  // dp_check: listed but missing; the existing file is neither listed nor an archive.
  [
    'webrecorder+py-wacz/tests/fixtures/invalid_example_1.wacz',
    '1.1.1',
    'waczVersionMissing',
    'waczResourceAbsent',
    'waczFileUnlisted',
    'waczArchiveMissing',
    'waczIndexMissing',
    'waczPagesMissing',
    'waczDigestMissing',
  ],
  ['webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz', '1.1.1', 'waczSignedByDomain'],
  // Its last two lines are in the order of capture.
  ['harvard-lil+scoop/assets/fixtures/example.com.wacz', '1.1.1', 'waczIndexUnsorted'],
  // dp_check: hash mismatch of archive/data.warc.gz.
  ['harvard-lil+scoop/.github/assets/example.wacz', '1.1.1', 'waczProfileMissing', 'waczResourceHashWrong'],
]
test.skipIf(!hasCorpora()).each(samples)(
  '%s has version %s (skipped without samples: npm run corpora)',
  async (file, version, ...expected) => {
    const bytes = readFileSync(new URL(file, corpora))
    const wacz = await openWacz(sourceOf(bytes), bytes.length, () => undefined)
    expect(wacz.dataPackage?.version).toBe(version)
    expect((await found(bytes)).map(({ rule }) => rule)).toEqual(expected)
  },
)

test('a manifest with very many faults gives a bounded number of findings', async () => {
  const manifest = `{"profile":"data-package","wacz_version":"1.1.1","resources":[${'1,'.repeat(1_000_000)}1]}`
  const bytes = madeZip([{ name: 'datapackage.json', content: manifest }])
  const rules: string[] = []
  await openWacz(sourceOf(bytes), bytes.length, ({ rule }) => rules.push(rule))
  expect(rules).toEqual(Array<string>(100).fill('waczResourceInvalid'))
})
