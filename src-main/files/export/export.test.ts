import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField } from '../../formats/records/record.ts'
import { newRecord, recordBytes, type RecordType } from '../../formats/records/warcWriter.ts'
import { strictRecords } from '../../formats/rewrite/testing/strictWarc.ts'
import { newSigningKey, proveSignature, publicKeyOf } from '../../formats/wacz/signature.ts'
import { openWacz } from '../../formats/wacz/wacz.ts'
import { entryChunks, zipEntry } from '../../formats/wacz/zip.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { duplicateLine, type ExportedDuplicate } from './duplicates.ts'
import { duplicatesAtOnceMax } from './limits.ts'
import { runExport, type ExportInput, type ExportOutcome, type ExportReport, type WaczForm } from './export.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

interface Sketch {
  type: RecordType
  id: string
  url?: string
  /** Seconds after noon. */
  at?: number
  block?: string | Uint8Array
  fields?: [string, string][]
}

const noonMs = Date.UTC(2026, 10, 20, 12)
const idOf = (id: string) => `<urn:uuid:${id}>`
const dateOf = (at: number) => new Date(noonMs + at * 1000).toISOString()

function record({ type, id, url, at = 0, block = '', fields = [] }: Sketch): Buffer {
  const made = newRecord({
    type,
    id,
    dateMs: noonMs + at * 1000,
    fields: url === undefined ? fields : [['WARC-Target-URI', url], ...fields],
    contentType: 'text/plain',
    block: [Buffer.from(block)],
  })
  return Buffer.concat(recordBytes(made))
}

const html = (title: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>${title}</title>`

function answer(id: string, url: string, at = 0, block = html(id)): Buffer {
  return pageRecord(id, url, at, Buffer.from(block))
}

/** A response with what writers put around it. */
function pageRecord(id: string, url: string, at: number, block: Buffer): Buffer {
  const made = newRecord({
    type: 'response',
    id,
    dateMs: noonMs + at * 1000,
    fields: [['WARC-Target-URI', url]],
    contentType: 'application/http; msgtype=response',
    block: [block],
    payload: { offset: block.indexOf('\r\n\r\n') + 4 },
  })
  return Buffer.concat(recordBytes(made))
}

const packed = (...records: Uint8Array[]) => Buffer.concat(records.map((bytes) => gzipSync(bytes)))

type Given = Partial<Pick<ExportInput, 'narrowing' | 'withOriginals' | 'form' | 'duplicates'>>

const remarksOf = (outcome: ExportOutcome) => (outcome.kind === 'written' ? outcome.remarks.map(textOf) : [])

interface Surroundings {
  world?: SeededWorld
  onReport?: (report: ExportReport) => void
  signal?: AbortSignal
}

async function exported(
  files: Record<string, Uint8Array>,
  given: Given = {},
  { world = seededWorld({ seed: 1 }), ...more }: Surroundings = {},
): Promise<{ outcome: ExportOutcome; bytes: Buffer; left: string[] }> {
  return world.run(exporting(world, files, given, more))
}

async function exporting(
  world: SeededWorld,
  files: Record<string, Uint8Array>,
  given: Given,
  { onReport = () => undefined, signal = new AbortController().signal }: Surroundings,
) {
  const { disk } = world
  for (const folder of ['/in', '/out', '/work']) await disk.makeFolder(folder)
  const named = Object.entries(files)
  for (const [name, bytes] of named) await disk.write(`/in/${name}`, bytes)
  const sha256 = '0'.repeat(64)
  const input: ExportInput = {
    files: named.map(([name, { length }]) => ({ name, path: `/in/${name}`, job: 7, bytes: length, sha256 })),
    selected: message('selection.jobs', { count: 1, names: '7', more: 0 }),
    narrowing: {},
    withOriginals: true,
    form: { format: 'warc' },
    software: 'Loupe/0',
    target: '/out/new',
    workFolder: '/work',
    ...given,
  }
  const outcome = await runExport(world, input, { signal, onReport })
  const left = [...(await disk.list('/out')), ...(await disk.list('/work'))].map(({ name }) => name)
  const bytes = outcome.kind === 'written' ? Buffer.from(await disk.read('/out/new', 1e9)) : Buffer.alloc(0)
  return { outcome, bytes, left }
}

/** What is read there has another byte than what was written. */
function changeOnDisk({ disk }: SeededWorld, path: string, at: number): void {
  const openRead = disk.openRead.bind(disk)
  disk.openRead = async (opened) => {
    const file = await openRead(opened)
    if (opened !== path) return file
    return {
      ...file,
      async read(into, position) {
        const read = await file.read(into, position)
        if (at >= position && at < position + read) into[at - position] = (into[at - position] ?? 0) ^ 0x40
        return read
      },
    }
  }
}

async function idsIn(bytes: Uint8Array): Promise<string[]> {
  const ids: string[] = []
  for await (const found of readRecords(sourceOf(bytes)))
    ids.push((recordField(found, 'warc-record-id') ?? '').replace(/^<urn:uuid:|>$/g, ''))
  return ids
}

const info = (id: string) => record({ type: 'warcinfo', id, block: 'software: made\r\n' })

describe('writing records', () => {
  const one = [info('i'), answer('a', 'http://a.test/'), record({ type: 'metadata', id: 'm', url: 'http://a.test/' })]
  const whole = Buffer.concat(one)

  test('copies members of single records byte for byte', async () => {
    // A level that Loupe never uses, so that compressing again would show.
    const bytes = Buffer.concat(one.map((record) => gzipSync(record, { level: 3 })))
    const { outcome, bytes: written, left } = await exported({ 'a.warc.gz': bytes })
    expect(outcome).toEqual({ kind: 'written', records: 3, bytes: bytes.length, complete: true, remarks: [] })
    expect(written.equals(bytes)).toBe(true)
    expect(left).toEqual(['new'])
  })

  test.each([
    ['plain', whole],
    ['one member for all', gzipSync(whole)],
  ])('%s: compressed again, each in its own member, with the same header and block', async (_, bytes) => {
    const { outcome, bytes: written } = await exported({ 'a.warc': bytes })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true, remarks: [] })
    expect(gunzipSync(written).equals(whole)).toBe(true)
    expect(await idsIn(written)).toEqual(['i', 'a', 'm'])
  })

  test('any blocks in any packing are restored unchanged', async () => {
    const packings = {
      plain: (all: Buffer[]) => Buffer.concat(all),
      members: (all: Buffer[]) => packed(...all),
      shared: (all: Buffer[]) => gzipSync(Buffer.concat(all)),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...Object.values(packings)),
        async (blocks, pack) => {
          const all = blocks.map((block, index) =>
            record({ type: 'resource', id: `r${index}`, url: `http://a.test/${index}`, block }),
          )
          const { outcome, bytes } = await exported({ a: pack(all) })
          expect(outcome).toMatchObject({ kind: 'written', records: all.length, complete: true })
          expect(gunzipSync(bytes).equals(Buffer.concat(all))).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a block larger than the memory limit goes through a temporary file, which is removed', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'abcdefg')
    const records = [info('i'), record({ type: 'resource', id: 'l', url: 'http://a.test/l', block: large })]
    const { outcome, bytes, left } = await exported({ 'a.warc': Buffer.concat(records) })
    expect(outcome).toMatchObject({ kind: 'written', records: 2, complete: true })
    expect(gunzipSync(bytes).equals(Buffer.concat(records))).toBe(true)
    expect(left).toEqual(['new'])
  })

  test('records of ARC files become WARC records', async () => {
    const body = html('arc')
    const description = '1 0 Made\nURL IP-address Archive-date Content-type Archive-length\n'
    const arc = [
      `filedesc://a.arc 0.0.0.0 20261120120000 text/plain ${description.length}\n${description}\n`,
      `http://a.test/ 192.0.2.1 20261120120000 text/html ${body.length}\n${body}\n`,
    ].join('')
    const { outcome, bytes } = await exported({ 'a.arc': Buffer.from(arc) }, { narrowing: { url: 'a.test' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true, remarks: [] })
    const text = gunzipSync(bytes).toString('latin1')
    expect(text.match(/^WARC-Type: .*/gm)).toEqual([
      'WARC-Type: warcinfo',
      'WARC-Type: metadata',
      'WARC-Type: response',
    ])
    expect(text).toContain(body)
  })

  test('leaves out and reports a damaged record, and writes the others', async () => {
    const torn = packed(...one).subarray(0, -10)
    const damaged = Buffer.concat([packed(...one), gzipSync(answer('b', 'http://a.test/b')).fill(0x55, 40, 60)])
    for (const [name, bytes, ids] of [
      ['torn', torn, ['i', 'a']],
      ['damaged', damaged, ['i', 'a', 'm']],
    ] as const) {
      const { outcome, bytes: written } = await exported({ [name]: bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: ids.length, complete: false })
      expect(remarksOf(outcome).join()).toContain(`(first: ${name} at `)
      expect(await idsIn(written)).toEqual(ids)
    }
  })

  describe('headers that other programs may refuse', () => {
    const b = answer('b', 'http://a.test/b').toString('latin1')
    const without = (name: string) => Buffer.from(b.replace(new RegExp(`^${name}: .*\r\n`, 'm'), ''), 'latin1')

    test.each([
      ['no id', without('WARC-Record-ID')],
      ['no type', without('WARC-Type')],
      [
        'lines that end with LF',
        Buffer.from(b.replace(/\r\n(?=[^]*\r\n\r\nHTTP)|\r\n(?=\r\nHTTP)|\r\n(?=HTTP)/g, '\n'), 'latin1'),
      ],
      ['another version', Buffer.from(b.replace('WARC/1.1', 'WARC/9.1'), 'latin1')],
    ])('%s: completed and reported', async (_what, odd) => {
      const bytes = packed(info('i'), answer('a', 'http://a.test/a'), odd)
      const { outcome, bytes: written } = await exported({ 'a.warc.gz': bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true })
      expect(remarksOf(outcome)).toEqual([expect.stringMatching(/^The header of 1 record .* a\.warc\.gz at \d+/)])
      const records = strictRecords(written)
      expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'response', 'response'])
      expect(records[2]?.block.toString()).toBe(html('b'))
    })

    test.each([
      ['no date', without('WARC-Date')],
      ['a date that cannot be read', Buffer.from(b.replace(/WARC-Date: .*/, 'WARC-Date: soon'), 'latin1')],
      [
        'neither type nor Content-Type',
        Buffer.from(
          without('WARC-Type')
            .toString('latin1')
            .replace(/^Content-Type: application.*\r\n/m, ''),
          'latin1',
        ),
      ],
    ])('%s: left out and reported', async (_what, odd) => {
      const bytes = packed(info('i'), odd, answer('a', 'http://a.test/a'))
      const { outcome, bytes: written } = await exported({ 'a.warc.gz': bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: 2, complete: false })
      expect(remarksOf(outcome)).toEqual([
        expect.stringMatching(/^1 record has no valid type or date and is not in this export/),
      ])
      expect(strictRecords(written).map(({ type }) => type)).toEqual(['warcinfo', 'response'])
    })

    test('a change of any header byte still gives a record with its fields and correct framing', async () => {
      const members = [info('i'), answer('a', 'http://a.test/a')]
      const odd = answer('b', 'http://a.test/b')
      for (let at = 0; at < odd.indexOf('\r\n\r\n') + 4; at++) {
        const changedRecord = Buffer.from(odd)
        changedRecord[at] = (changedRecord[at] ?? 0) ^ (1 << (at % 7))
        const { outcome, bytes } = await exported({ 'a.warc.gz': packed(...members, changedRecord) })
        expect(outcome.kind, `byte ${at}`).toBe('written')
        const records = strictRecords(bytes)
        if (outcome.kind === 'written') expect(records).toHaveLength(outcome.records)
        expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(['i', 'a'].map(idOf)))
      }
    })

    test.each(['\r\n', '\n\n\n\n', '\r\n\r\n\r\n', ''])(
      'a record that ends with %j is compressed again, with the correct end',
      async (end) => {
        const odd = Buffer.concat([Buffer.from(b.slice(0, -4), 'latin1'), Buffer.from(end)])
        const { bytes } = await exported({ 'a.warc.gz': packed(answer('a', 'http://a.test/a'), odd, info('i')) })
        expect(strictRecords(bytes).map(({ id }) => id)).toEqual(['a', 'b', 'i'].map(idOf))
      },
    )

    test('a record in several members gets a member of its own', async () => {
      const record = Buffer.from(b, 'latin1')
      const parts = [record.subarray(0, 100), record.subarray(100)]
      const { bytes } = await exported({ 'a.warc.gz': packed(answer('a', 'http://a.test/a'), ...parts) })
      expect(strictRecords(bytes).map(({ id }) => id)).toEqual(['a', 'b'].map(idOf))
    })
  })

  test('refuses a file without a readable record and leaves nothing behind', async () => {
    const { outcome, left } = await exported({ a: gzipSync(answer('a', 'http://a.test/')).subarray(0, -12) })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'damaged' })
    expect(left).toEqual([])
  })
})

describe('selection', () => {
  const request = record({
    type: 'request',
    id: 'qa',
    url: 'http://a.test/1',
    at: 10,
    fields: [['WARC-Concurrent-To', idOf('a')]],
  })
  const files = {
    'one.warc.gz': packed(
      info('i1'),
      answer('a', 'http://a.test/1', 0),
      request,
      // Says by its ID alone to what it belongs.
      record({ type: 'metadata', id: 'ma', at: 10, fields: [['WARC-Refers-To', idOf('a')]] }),
      answer('b', 'http://b.test/', 5),
      record({ type: 'metadata', id: 'mb', url: 'http://b.test/', at: 5 }),
    ),
    'two.warc.gz': packed(info('i2'), answer('c', 'http://a.test/2', 20), answer('d', 'http://c.test/', 30)),
  }
  const at = (seconds: number) => noonMs + seconds * 1000
  const rows: [what: string, narrowing: ExportInput['narrowing'], ids: string[]][] = [
    ['all', {}, ['i1', 'a', 'qa', 'ma', 'b', 'mb', 'i2', 'c', 'd']],
    ['an address', { url: 'a.test' }, ['i1', 'a', 'qa', 'ma', 'i2', 'c']],
    ['a part of one file', { url: 'http://b.test/' }, ['i1', 'b', 'mb']],
    ['a time: what belongs to a capture by ID comes along', { toMs: at(0) }, ['i1', 'a', 'qa', 'ma']],
    ['from a moment on', { fromMs: at(20) }, ['i2', 'c', 'd']],
    ['an address and a time', { url: 'a.test', fromMs: at(20), toMs: at(29) }, ['i2', 'c']],
  ]
  test.each(rows)('%s', async (_, narrowing, ids) => {
    const { outcome, bytes } = await exported(files, { narrowing })
    expect(await idsIn(bytes)).toEqual(ids)
    expect(outcome).toMatchObject({ records: ids.length, complete: true, remarks: [] })
  })

  test.each([
    [{ url: 'nowhere.test' }, 'No file was written: job 7 has no records under nowhere.test.'],
    [{ fromMs: at(100) }, `No file was written: job 7 has no records from ${dateOf(100)} on.`],
  ])('refuses an empty selection: %j', async (narrowing, problem) => {
    for (const form of [{ format: 'warc' }, { format: 'csv' }] as const) {
      const { outcome, left } = await exported(files, { narrowing, form })
      expect(outcome).toMatchObject({ kind: 'failed', code: 'notFound' })
      expect(outcome.kind === 'failed' && textOf(outcome.problem)).toBe(problem)
      expect(left).toEqual([])
    }
  })

  test('refuses a whole job that has nothing but its metadata file', async () => {
    const { outcome, left } = await exported({ a: packed(info('i')) })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'notFound' })
    expect(left).toEqual([])
  })
})

describe('revisits', () => {
  const original = answer('o', 'http://a.test/', 0)
  const digest = /WARC-Payload-Digest: (\S+)/.exec(original.toString('latin1'))?.[1] ?? ''
  const revisit = (id: string, fields: [string, string][]) =>
    record({ type: 'revisit', id, url: 'http://b.test/', at: 50, fields })
  const references: [by: string, fields: [string, string][]][] = [
    ['ID', [['WARC-Refers-To', idOf('o')]]],
    [
      'address and date',
      [
        ['WARC-Refers-To-Target-URI', 'https://www.a.test/'],
        ['WARC-Refers-To-Date', dateOf(0)],
      ],
    ],
    ['digest', [['WARC-Payload-Digest', digest]]],
  ]
  const request = record({
    type: 'request',
    id: 'q',
    url: 'http://a.test/',
    fields: [['WARC-Concurrent-To', idOf('o')]],
  })
  const others = [answer('x', 'http://a.test/other', 0, html('another')), request]
  const narrowing = { url: 'b.test' }

  test.each(references)('by %s: includes the original and its request', async (_, fields) => {
    const file = packed(revisit('r', fields), info('i'), original, ...others)
    const { outcome, bytes } = await exported({ a: file }, { narrowing })
    expect(await idsIn(bytes)).toEqual(['r', 'i', 'o', 'q'])
    expect(outcome).toMatchObject({ complete: true })
    expect(remarksOf(outcome)).toEqual(['1 record was added: the original of a revisit in the selection.'])
  })

  test('without originals, reports how many revisits lack one', async () => {
    const file = packed(original, revisit('r1', references[0]?.[1] ?? []), revisit('r2', references[0]?.[1] ?? []))
    const { outcome, bytes } = await exported({ a: file }, { narrowing, withOriginals: false })
    expect(await idsIn(bytes)).toEqual(['r1', 'r2'])
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    expect(remarksOf(outcome)[0]).toMatch(/^2 revisits refer to originals that are not in the export/)
  })

  test('reports an original that is in none of the files, also for whole jobs', async () => {
    for (const given of [{}, { narrowing }]) {
      const { outcome } = await exported({ a: packed(revisit('r', references[0]?.[1] ?? [])) }, given)
      expect(outcome).toMatchObject({ kind: 'written', records: 1, complete: false })
    }
  })

  test('writes an original once that was selected anyway', async () => {
    const { outcome, bytes } = await exported(
      { a: packed(original, revisit('r', references[0]?.[1] ?? [])) },
      { narrowing: { fromMs: 0 } },
    )
    expect(await idsIn(bytes)).toEqual(['o', 'r'])
    expect(outcome).toMatchObject({ complete: true, remarks: [] })
  })
})

describe('CSV tables', () => {
  test('a row for each capture, with its position', async () => {
    const first = gzipSync(info('i'))
    const file = Buffer.concat([
      first,
      packed(answer('a', 'http://a.test/?q=1,2'), record({ type: 'request', id: 'q', url: 'http://a.test/' })),
    ])
    const { outcome, bytes } = await exported({ 'a.warc.gz': file }, { form: { format: 'csv' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 1, complete: true })
    const length = gzipSync(answer('a', 'http://a.test/?q=1,2')).length
    const [header, row] = bytes.toString('utf8').split('\r\n')
    expect(header).toBe('url,timestamp,status,media type,digest,bytes,file,offset,job')
    expect(row?.replace(/sha1:\w+/, 'D')).toBe(
      `"http://a.test/?q=1,2",${dateOf(0)},200,text/html,D,${length},a.warc.gz,${first.length},7`,
    )
  })
})

test('reports for a table too that all selected records are damaged', async () => {
  const torn = packed(answer('a', 'http://a.test/')).subarray(0, -40)
  const { outcome, left } = await exported({ a: torn }, { form: { format: 'csv' } })
  expect(outcome).toMatchObject({
    kind: 'failed',
    code: 'damaged',
    problem: { code: 'export.lost.damaged' },
  })
  expect(left).toEqual([])
})

describe('WACZ packages', () => {
  const page = (head: string, body: Uint8Array) =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), body])
  const records = [
    info('i'),
    pageRecord('late', 'http://a.test/late', 20, page('Content-Type: text/html', Buffer.from('<title>Late</title>'))),
    pageRecord(
      'early',
      'http://a.test/',
      10,
      page('Content-Type: text/html; charset=windows-1252', Buffer.from('<title>Caf\xe9</title>', 'latin1')),
    ),
    pageRecord(
      'packed',
      'http://b.test/',
      30,
      page('Content-Type: text/html\r\nContent-Encoding: gzip', gzipSync('<title>Packed</title>')),
    ),
    pageRecord('untitled', 'http://a.test/untitled', 40, page('Content-Type: text/html', Buffer.from('x'))),
    pageRecord(
      'lost',
      'http://a.test/lost',
      50,
      Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<title>No</title>'),
    ),
    pageRecord('style', 'http://a.test/style.css', 60, page('Content-Type: text/css', Buffer.from('a{}'))),
  ]
  const form = (more: Partial<WaczForm> = {}): ExportInput['form'] => ({
    format: 'wacz',
    version: '1.1.1',
    title: 'Job 7',
    beginAt: [],
    key: undefined,
    ...more,
  })

  async function packageOf(given: Given) {
    const { outcome, bytes, left } = await exported({ 'a.warc.gz': packed(...records) }, given)
    expect(outcome).toMatchObject({ kind: 'written', complete: true, bytes: bytes.length })
    expect(left).toEqual(['new'])
    const odd: string[] = []
    const wacz = await openWacz(sourceOf(bytes), bytes.length, ({ message }) => odd.push(textOf(message)))
    const entry = async (path: string) => {
      const found = zipEntry(wacz.zip, path)
      if (!found) throw new Error(`there is no ${path}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of entryChunks(wacz.zip, found, ({ message }) => odd.push(textOf(message))))
        chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    expect(odd).toEqual([])
    return { wacz, entry }
  }

  test('pages are HTML with status 200 in the order of their times, with titles in any charset and coding', async () => {
    const { entry } = await packageOf({ form: form() })
    const lines = (await entry('pages/pages.jsonl')).toString('utf8').trim().split('\n')
    expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
      { url: 'http://a.test/', ts: dateOf(10), title: 'Café' },
      { url: 'http://a.test/late', ts: dateOf(20), title: 'Late' },
      { url: 'http://b.test/', ts: dateOf(30), title: 'Packed' },
      { url: 'http://a.test/untitled', ts: dateOf(40) },
    ])
  })

  test.each([
    [[], 'http://a.test/', dateOf(10)],
    [['http://c.test/', 'https://www.b.test'], 'http://b.test/', dateOf(30)],
  ])('for crawls that began at %j it opens %s', async (beginAt, url, ts) => {
    for (const version of ['1.1.1', '1.2.0'] as const) {
      const { wacz } = await packageOf({ form: form({ beginAt, version }) })
      expect(wacz.dataPackage).toMatchObject({ version, title: 'Job 7', home: { url, ts } })
    }
  })

  test('every index line points at its record', async () => {
    const { entry } = await packageOf({ form: form() })
    const data = await entry('archive/data.warc.gz')
    const lines = gunzipSync(await entry('indexes/index.cdx.gz'))
      .toString('utf8')
      .trim()
      .split('\n')
    const captures = lines.map((line) => parseCdxjLine(line))
    expect(captures.map((capture) => capture?.url).toSorted()).toEqual(
      ['', 'late', 'lost', 'style.css', 'untitled'].map((path) => `http://a.test/${path}`).concat('http://b.test/'),
    )
    for (const capture of captures) {
      const { offset = 0, length = 0, url = '?', filename } = capture ?? {}
      expect(filename).toBe('data.warc.gz')
      expect(gunzipSync(data.subarray(offset, offset + length)).toString('latin1')).toContain(
        `WARC-Target-URI: ${url}\r\n`,
      )
    }
  })

  test('a signed package verifies against its key', async () => {
    const key = newSigningKey()
    const { entry } = await packageOf({ form: form({ key }) })
    const { hash, signedData } = JSON.parse((await entry('datapackage-digest.json')).toString('utf8')) as {
      hash: string
      signedData: Record<string, unknown>
    }
    expect(proveSignature(signedData, hash)).toMatchObject({ result: 'right', by: publicKeyOf(key) })
  })
})

describe('faults while writing', () => {
  const files = {
    a: packed(info('i'), ...Array.from({ length: 50 }, (_, index) => answer(`a${index}`, `http://a.test/${index}`))),
  }

  test('reports the stage of comparing, and has read everything at the end', async () => {
    const reports: ExportReport[] = []
    await exported(files, {}, { onReport: (report) => reports.push(report) })
    const steps = reports.map(({ step }) => step)
    expect(steps.toSorted((a, b) => (a === b ? 0 : a === 'writing' ? -1 : 1))).toEqual(steps)
    expect(steps).toContain('verifying')
    const last = reports.at(-1)
    expect(last).toMatchObject({ step: 'verifying', records: 51, filesDone: 1 })
    expect(last?.bytesDone).toBe(last?.bytesTotal)
  })

  test('any byte that is read back differently fails the export and leaves nothing behind', async () => {
    const few = { a: packed(info('i'), answer('a', 'http://a.test/'), answer('b', 'http://a.test/b')) }
    const wacz: WaczForm = { version: '1.1.1', title: 'T', beginAt: [], key: undefined }
    for (const form of [{ format: 'warc' }, { format: 'csv' }, { format: 'wacz', ...wacz }] as const) {
      const { bytes } = await exported(few, { form })
      const unheard: number[] = []
      // Steps that meet every part of a member and of a package.
      for (let at = 0; at < bytes.length; at += form.format === 'wacz' ? 29 : 3) {
        const world = seededWorld({ seed: 1 })
        changeOnDisk(world, '/out/new.part', at)
        const { outcome, left } = await exported(few, { form }, { world })
        if (outcome.kind === 'written') unheard.push(at)
        else expect([outcome.code, left]).toEqual(['damaged', []])
      }
      expect([form.format, unheard]).toEqual([form.format, []])
    }
  })

  test('stopped at any step, leaves nothing behind', async () => {
    for (const step of ['writing', 'verifying']) {
      const world = seededWorld({ seed: 2 })
      const stop = new AbortController()
      const onReport = (report: ExportReport) => {
        if (report.step === step) stop.abort(new Error('enough'))
      }
      await expect(exported(files, {}, { world, onReport, signal: stop.signal })).rejects.toThrow('enough')
      expect(await world.run(world.disk.list('/out'))).toEqual([])
    }
  })

  test('after a power failure at any step the new file is complete or absent', async () => {
    const undisturbed = seededWorld({ seed: 5 })
    const { bytes } = await exported(files, {}, { world: undisturbed })
    let cut = 0
    for (let calls = 1; calls < undisturbed.calls; calls += 5) {
      const world = seededWorld({ seed: 5 })
      if (await world.runUntilCut(exporting(world, files, {}, {}), calls)) continue
      cut += 1
      const { disk, run } = world.crash()
      const there = await run(disk.stat('/out/new'))
      if (there) expect(bytes.equals(Buffer.from(await run(disk.read('/out/new', 1e9))))).toBe(true)
    }
    expect(cut).toBeGreaterThan(5)
  })

  test('refuses before writing when the disk lacks room', async () => {
    const world = seededWorld({ seed: 6 })
    world.disk.freeBytesLeft = 100_000
    const { outcome, left } = await exported(files, { narrowing: { url: 'a.test' } }, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'noSpace' })
    expect(left).toEqual([])
  })

  test('does not overwrite a file that appears in the meantime', async () => {
    const world = seededWorld({ seed: 3 })
    await world.run(world.disk.makeFolder('/out'))
    await world.run(world.disk.write('/out/new', Buffer.from('mine')))
    const { outcome, left } = await exported(files, {}, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'refused' })
    expect(left).toEqual(['new'])
    expect(Buffer.from(await world.run(world.disk.read('/out/new', 10))).toString()).toBe('mine')
  })

  test('keeps a file that another program is writing there', async () => {
    const world = seededWorld({ seed: 4 })
    await world.run(world.disk.makeFolder('/out'))
    await world.run(world.disk.write('/out/new.part', Buffer.from('theirs')))
    const { outcome, left } = await exported(files, {}, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'refused' })
    expect(left).toEqual(['new.part'])
  })
})

describe('duplicates that only a crawl log names', () => {
  const original = answer('original', 'http://a.test/image', 10, html('x'))
  const other = answer('other', 'http://a.test/other', 11, html('y'))
  const elsewhere = packed(info('e'), original, other)
  const [infoBytes = 0, originalBytes = 0] = [info('e'), original].map((bytes) => gzipSync(bytes).length)
  const at = (second: number) => noonMs + 86_400_000 + second * 1000
  const digestOf = (bytes: Buffer) => /WARC-Payload-Digest: (\S+)/.exec(bytes.toString('latin1'))?.[1] ?? ''
  const duplicate = (more: Partial<ExportedDuplicate> = {}): ExportedDuplicate => ({
    ...{ url: 'http://a.test/image', timestampMs: at(0), status: 200, mediaType: 'image/png' },
    ...{ payloadDigest: digestOf(original), job: 7 },
    original: { filename: 'old.warc.gz', offset: infoBytes, url: 'http://a.test/image', timestampMs: null },
    ...more,
  })
  const files = { 'new.warc.gz': packed(info('i'), answer('page', 'http://a.test/', 20)) }

  async function exportedWith(duplicates: ExportedDuplicate[], given: Given = {}) {
    const world = seededWorld({ seed: 1 })
    return world.run(
      (async () => {
        await world.disk.makeFolder('/old')
        await world.disk.write('/old/old.warc.gz', elsewhere)
        await world.disk.write('/old/list', Buffer.from(duplicates.map(duplicateLine).join('')))
        const source = { name: 'old.warc.gz', path: '/old/old.warc.gz', job: 3, bytes: elsewhere.length, sha256: '0' }
        const listed = { list: '/old/list', originals: [source], lacking: [] }
        return exporting(world, files, { ...given, duplicates: listed }, {})
      })(),
    )
  }

  async function recordsIn(bytes: Uint8Array) {
    const found: string[][] = []
    const findings: string[] = []
    for await (const record of readRecords(sourceOf(bytes), {
      onFinding: ({ message }) => findings.push(textOf(message)),
    })) {
      const fields = [
        'warc-target-uri',
        'warc-date',
        'warc-refers-to-target-uri',
        'warc-refers-to-date',
        'warc-payload-digest',
      ]
      found.push([record.type, ...fields.map((name) => recordField(record, name) ?? '-')])
    }
    expect(findings).toEqual([])
    return found
  }

  test('writes each as a revisit after its original, with the source of the reference', async () => {
    const { outcome, bytes } = await exportedWith([
      duplicate(),
      duplicate({ url: 'http://a.test/again', timestampMs: at(1) }),
    ])
    expect(outcome).toMatchObject({ kind: 'written', records: 6, complete: true })
    expect(outcome).toMatchObject({ remarks: [message('export.duplicates', { count: 2 })] })
    const refersTo = ['http://a.test/image', dateOf(10), digestOf(original)]
    expect((await recordsIn(bytes)).slice(2)).toEqual([
      ['warcinfo', ...Array<string>(1).fill('-'), expect.any(String) as string, '-', '-', '-'],
      ['response', 'http://a.test/image', dateOf(10), '-', '-', digestOf(original)],
      ['revisit', 'http://a.test/image', new Date(at(0)).toISOString(), ...refersTo],
      ['revisit', 'http://a.test/again', new Date(at(1)).toISOString(), ...refersTo],
    ])
  })

  test('a filtered export includes those that match by URL and time, and finds them where there is no other record', async () => {
    const all = [duplicate(), duplicate({ url: 'http://b.test/', timestampMs: at(1) })]
    const { outcome, bytes } = await exportedWith(all, { narrowing: { url: 'b.test' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true })
    expect((await recordsIn(bytes)).map(([type, url]) => [type, url])).toEqual([
      ['warcinfo', '-'],
      ['response', 'http://a.test/image'],
      ['revisit', 'http://b.test/'],
    ])
    const later = await exportedWith(all, { narrowing: { fromMs: at(1) } })
    expect((await recordsIn(later.bytes)).filter(([type]) => type === 'revisit')).toHaveLength(1)
  })

  test('writes an original once that is in the files of the export', async () => {
    const { length } = gzipSync(info('i'))
    const own = { filename: 'new.warc.gz', offset: length, url: 'http://a.test/', timestampMs: null }
    const given = duplicate({ url: 'http://b.test/', original: own, payloadDigest: '' })
    for (const narrowing of [{}, { url: 'b.test' }]) {
      const { outcome, bytes } = await exportedWith([given], { narrowing })
      expect(outcome).toMatchObject({ complete: true })
      const types = (await recordsIn(bytes)).map(([type]) => type)
      expect(types.filter((type) => type === 'response' || type === 'revisit')).toEqual(['response', 'revisit'])
    }
  })

  test('writes an original once that has more duplicates than are written at once', async () => {
    const all = Array.from({ length: duplicatesAtOnceMax + 1 }, (_, second) => duplicate({ timestampMs: at(second) }))
    const { outcome, bytes } = await exportedWith(all)
    expect(outcome).toMatchObject({ complete: true })
    const types = (await recordsIn(bytes)).slice(3).map(([type]) => type)
    expect(types).toEqual(['response', ...all.map(() => 'revisit')])
  })

  test.each([
    ['in a file that is not there', { filename: 'gone.arc' }],
    ['where no record begins', { offset: 3 }],
    ['of another URL', { offset: infoBytes + originalBytes }],
  ])('writes and reports one whose original should be %s', async (_, place) => {
    const base = duplicate()
    const lost = duplicate({ original: { ...base.original, ...place } })
    const { outcome } = await exportedWith([lost])
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    const { filename, offset } = lost.original
    expect(remarksOf(outcome)[1]).toBe(
      `The archive does not have the original of 1 duplicate from crawl logs (first: ${filename} at ${offset}). The export alone cannot show the duplicate.`,
    )
  })

  test('without originals, writes the revisits only and reports that they cannot be replayed', async () => {
    const { outcome, bytes } = await exportedWith([duplicate()], { withOriginals: false })
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    expect((await recordsIn(bytes)).map(([type]) => type)).toEqual(['warcinfo', 'response', 'warcinfo', 'revisit'])
  })

  test('a table has a row for each, with the position of its original', async () => {
    const { bytes } = await exportedWith([duplicate()], { form: { format: 'csv' } })
    expect(bytes.toString().split('\r\n')[2]).toBe(
      `http://a.test/image,${new Date(at(0)).toISOString()},200,image/png,${digestOf(original)},,old.warc.gz,${infoBytes},7`,
    )
  })

  test('a package has index lines for original and revisit', async () => {
    const wacz: WaczForm = { version: '1.1.1', title: 'T', beginAt: [], key: undefined }
    const { outcome } = await exportedWith([duplicate()], { form: { format: 'wacz', ...wacz } })
    expect(outcome).toMatchObject({ kind: 'written', complete: true, records: 5 })
  })
})
