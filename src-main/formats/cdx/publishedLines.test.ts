/** Index lines that other projects published of their own files, and what we make of the same files: every line is
 *  produced, or the difference is listed here with its reason. */
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { entryWhole, openZip, zipEntry } from '../wacz/zip.ts'
import { answeringTypes, captureTypes, type Capture, type CaptureType } from './capture.ts'
import { capturesOf, type CaptureOptions } from './captures.ts'
import { cdxHeaders, cdxLine, type CdxForm } from './cdxColumns.ts'
import { cdxjLine, parseCdxjLine } from './cdxj.ts'
import { parseTimestamp } from './timestamp.ts'
import { corpora, hasCorpora } from '../testing/corpora.ts'

const absent = !hasCorpora('tables')

async function indexed(bytes: Uint8Array, filename: string, options: Partial<CaptureOptions> = {}): Promise<Capture[]> {
  const captures: Capture[] = []
  const all: CaptureOptions = { digests: 'trust', post: false, ...options }
  for await (const found of capturesOf(sourceOf(bytes), filename, all))
    if ('capture' in found) captures.push(found.capture)
  return captures
}

const fileOf = (path: string) => readFileSync(new URL(path, corpora))
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

interface PublishedCase {
  test: string
  file: string
  local: string
  options: Record<string, string>
  cli: string[]
  expected: string
}

/** The options of cdxj-indexer as the table has them: Python's spelling of texts. */
async function asCdxjIndexer({ local, file, options, cli }: PublishedCase): Promise<string> {
  const list = (name: string) => options[name]?.replaceAll("'", '').split(',')
  const records = list('records')
  const fields = list('fields') ?? list('replace_fields')
  const filename = options['dir_root'] === undefined ? (local.split('/').at(-1) ?? '') : file
  const captures = await indexed(fileOf(local), filename, {
    post: options['post_append'] !== undefined || cli.join().includes('-p'),
    recordDigests: options['digest_records'] !== undefined || cli.join().includes('-d'),
    ...(records && { types: records[0] === 'all' ? captureTypes : (records as CaptureType[]) }),
    ...(fields && { fields }),
  })
  const form: CdxForm | undefined = options['cdx11'] ? 'cdx11' : options['cdx09'] ? 'cdx9' : undefined
  const line = (capture: Capture) =>
    form ? cdxLine(capture, form) : cdxjLine(capture, options['replace_fields'] ? fields : undefined)
  return [...(form ? [cdxHeaders[form]] : []), ...captures.map(line)].map((text) => `${text}\n`).join('')
}

/** Expected differences by test name of cdxj-indexer, with the change that turns our line into theirs. */
const indexerDiffers: Record<string, { why: string; theirs: (line: string) => string }> = {
  test_warc_request_only: {
    why: 'we add the type of records that are neither responses nor revisits',
    theirs: (line) => line.replace(/, "recordType": "\w+"/, ''),
  },
  test_warc_all_cdxj: {
    why: 'we add the type of records that are neither responses nor revisits',
    theirs: (line) => line.replace(/, "recordType": "\w+"/, ''),
  },
  test_arc_bad_edgecase: {
    why: 'a record that is not an HTTP response has the media type of its URL line, and its one byte is its payload',
    theirs: (line) =>
      line
        .replace(/ text\/(html|plain) - /, ' - - ')
        .replace('VXEDWGPHSNERWHDOUD6YWRWNT4ZOLEX4', '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'),
  },
  test_warc_index_add_custom_fields: {
    why: 'a revisit has a request too: without it the revisit of a POST would have the key of the GET',
    theirs: (line) =>
      line.includes('warc/revisit') ? line.replace(/, "method": "GET", "referrer": "[^"]*"/, '') : line,
  },
}

describe.skipIf(absent)('lines of cdxj-indexer (skipped without the tables of expected results)', () => {
  const cases = absent
    ? []
    : (JSON.parse(fileOf('tables/cdxj_indexer_expected.json').toString()) as { cases: PublishedCase[] }).cases

  test('the inventory lists nineteen samples', () => expect(cases).toHaveLength(19))

  test.each(cases)('$test $options', async (published) => {
    const ours = await asCdxjIndexer(published)
    const { theirs } = indexerDiffers[published.test] ?? {}
    if (theirs) {
      expect(ours).not.toBe(published.expected)
      expect(linesOf(ours).map(theirs)).toEqual(linesOf(published.expected))
    } else expect(ours).toBe(published.expected)
  })
})

describe.skipIf(absent)('lines of CDX files next to archives (skipped without the tables of expected results)', () => {
  test.each(['test1', 'test2'])('outbackcdx: %s', async (name) => {
    const folder = 'nla+outbackcdx/test-integration/'
    // wget's list of files is a metadata record that is not warc-fields, so indexers treat it as a document.
    const captures = await indexed(fileOf(`${folder}${name}.warc.gz`), `${name}.warc.gz`, {
      types: [...answeringTypes, 'metadata'],
    })
    const lines = [cdxHeaders.cdx11, ...captures.map((capture) => cdxLine(capture, 'cdx11'))]
    expect(lines).toEqual(linesOf(fileOf(`${folder}${name}.cdx`).toString()))
  })

  /** Per kind of record: the columns that differ, how many lines, and why. */
  const heritrixDiffers: Record<string, { columns: string; lines: number; why: string }> = {
    warcinfo: {
      columns: 'Namk',
      lines: 1,
      why: 'ia-web-commons makes up an address of the name of the software; we have none',
    },
    dns: { columns: 'N', lines: 38, why: 'ia-web-commons takes the name for an address; surt and jwarc do not' },
    request: {
      columns: 'mk',
      lines: 261,
      why: 'ia-web-commons writes warc/request, and the digest of the whole block; we have the payload of the request',
    },
    metadata: {
      columns: 'm',
      lines: 261,
      why: 'ia-web-commons writes warc/metadata; we have the media type of the record',
    },
    redirect: { columns: 'r', lines: 9, why: 'we have no column for the redirect target: it is in the response' },
  }

  test('ia-web-commons: 822 records of Heritrix', async () => {
    const name = 'IAH-20080430204825-00000-blackbook.warc.gz'
    const [header, ...published] = linesOf(
      fileOf(`netarchivesuite+solrwayback/src/test/resources/example_warc/${name}.cdx`).toString(),
    )
    expect(header).toBe(cdxHeaders.cdx11)
    expect(published).toHaveLength(822)
    const captures = await indexed(fileOf(`netarchivesuite+jwat/jwat-warc/src/test/resources/${name}`), name, {
      types: captureTypes,
    })
    expect(captures).toHaveLength(822)
    const letters = cdxHeaders.cdx11.slice(5).split(' ')
    const different: Record<string, { columns: string; lines: number }> = {}
    for (const [index, capture] of captures.entries()) {
      const theirs = (published[index] ?? '').split(' ')
      const ours = cdxLine(capture, 'cdx11').split(' ')
      const columns = letters.filter((_, column) => ours[column] !== theirs[column]).join('')
      if (columns === '') continue
      const redirect = columns === 'r'
      const kind = redirect ? 'redirect' : capture.url.startsWith('dns:') ? 'dns' : capture.recordType
      const known = (different[kind] ??= { columns, lines: 0 })
      expect(columns, published[index]).toBe(known.columns)
      known.lines++
    }
    const expected = Object.entries(heritrixDiffers).map(([kind, { columns, lines }]) => [kind, { columns, lines }])
    expect(different).toEqual(Object.fromEntries(expected))
  })
})

/** The lines of a package, and its archive files. */
async function packageOf(path: string): Promise<{ lines: string[]; fileOf: (name: string) => Promise<Uint8Array> }> {
  const bytes = fileOf(path)
  const zip = await openZip(sourceOf(bytes), bytes.length, () => undefined)
  const read = async (name: string) => {
    const entry = zipEntry(zip, name)
    return entry && (await entryWhole(zip, entry, bytes.length * 10, () => undefined))
  }
  const packed = await read('indexes/index.cdx.gz')
  const text = packed ? gunzipSync(packed) : ((await read('indexes/index.cdx')) ?? new Uint8Array(0))
  return {
    lines: linesOf(Buffer.from(text).toString()),
    fileOf: async (name) => (await read(`archive/${name}`)) ?? new Uint8Array(0),
  }
}

interface Package {
  path: string
  lines: number
  options?: Partial<CaptureOptions>
  /** Fields that may differ in any line, with the reason. */
  differs: Partial<Record<keyof Capture, string>>
}

const milliseconds = 'warcio.js writes seconds; we keep the precision of the record, because revisits refer to it'

const packages: Package[] = [
  { path: 'webrecorder+py-wacz/tests/fixtures/valid_example_1.wacz', lines: 1, differs: {} },
  {
    path: 'webrecorder+py-wacz/tests/fixtures/valid_example_2.wacz',
    lines: 1,
    options: { post: true, recordDigests: true },
    differs: {},
  },
  {
    path: 'webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz',
    lines: 2,
    options: { post: true, recordDigests: true, fields: ['referrer'] },
    differs: {},
  },
  {
    path: 'harvard-lil+scoop/assets/fixtures/example.com.wacz',
    lines: 3,
    differs: {
      key: 'warcio.js uses a URL that is not http(s) as its key; surt transforms any URL with a host',
      length: 'warcio.js omits the two line ends after a record in uncompressed files',
      timestampMs: milliseconds,
    },
  },
  {
    path: 'harvard-lil+scoop/.github/assets/example.wacz',
    lines: 34,
    options: { post: true },
    differs: {
      fields:
        'warcio.js writes the method without a body; with our post option it means that the key contains the request',
      key: 'warcio.js keeps a trailing slash, does not decode escapes, and keeps URLs that are not http(s) unchanged',
      method: 'see fields',
      requestBody: 'see fields',
      timestampMs: milliseconds,
    },
  },
]

describe.skipIf(absent)('lines inside packages (skipped without the tables of expected results)', () => {
  test.each(packages)('$path', async ({ path, lines: count, options, differs }) => {
    const { lines, fileOf: partOf } = await packageOf(path)
    expect(lines).toHaveLength(count)
    const captures = new Map<string, Capture>()
    const parts = new Set(lines.map((line) => parseCdxjLine(line)?.filename ?? ''))
    for (const part of parts)
      for (const capture of await indexed(await partOf(part), part, options))
        captures.set(`${part} ${capture.offset}`, capture)
    const different = new Set<string>()
    for (const line of lines) {
      const theirs = parseCdxjLine(line)
      const ours = theirs && captures.get(`${theirs.filename} ${theirs.offset}`)
      if (!theirs || !ours) different.add('line')
      else
        for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)]) as Set<keyof Capture>)
          if (JSON.stringify(theirs[name]) !== JSON.stringify(ours[name])) different.add(name)
    }
    expect([...different].toSorted()).toEqual(Object.keys(differs))
  })
})

/** InterPlanetary Wayback lists captures by the address of their content in IPFS, so its lines are compared by what they say of
 *  the capture: moment, media type, status, and the address by its key. */
describe.skipIf(absent)('lines of InterPlanetary Wayback (skipped without the tables of expected results)', () => {
  const folder = 'oduwsdl+ipwb/samples/'
  const rows: [index: string, archive: string, lines: number][] = [
    ['sample-1.cdxj', 'sample-1.warc.gz', 65],
    ['salam-home.cdxj', 'salam-home.warc', 1],
    ['froggie_badHeaderHash.cdxj', 'froggie.warc.gz', 3],
  ]
  test.each(rows)('%s', async (index, archive, count) => {
    const captures = await indexed(fileOf(`${folder}warcs/${archive}`), archive)
    const ours = new Set(
      captures.map(({ key, timestampMs, mediaType, status }) => [key, timestampMs, mediaType, status].join(' ')),
    )
    const lines = linesOf(fileOf(`${folder}indexes/${index}`).toString()).filter((line) => !line.startsWith('!'))
    expect(lines).toHaveLength(count)
    for (const line of lines) {
      const [, key = '', time = '', json = ''] = /^(\S+) (\d+) (.*)$/.exec(line) ?? []
      const { mime_type: mediaType, status_code: status } = JSON.parse(json) as Record<string, string>
      // Its keys keep a slash at the end.
      const wanted = [key.replace(/(?<!\))\/$/, ''), parseTimestamp(time), mediaType, status].join(' ')
      expect(ours.has(wanted), line).toBe(true)
    }
  })
})
