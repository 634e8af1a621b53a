import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '../contract/words/render.ts'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicaliserVersion, canonicaliserVersionOfUrls, cdxjHeader } from '../formats/cdx/canonicaliser.ts'
import { momentAt, openIndexes, type CaptureIndex, type Moment } from './indexes.ts'
import { digester } from '../formats/bytes/digest.ts'
import { createArchive, type ArchiveFixture, type Row } from './testing/archiveFixture.ts'

const digestOf = (text: string) => {
  const digest = digester('sha1')
  digest.update(Buffer.from(text))
  return digest.base32()
}

const page = (url: string, at: string, more: Partial<Row> = {}): Row => ({ url, at, body: `<p>${url} ${at}`, ...more })

describe('which capture answers', () => {
  let made: ArchiveFixture
  let index: CaptureIndex
  beforeAll(async () => {
    made = await createArchive()
    await made.add({
      name: '1-1-a.warc.gz',
      job: 1,
      rows: [
        page('http://example.com/', '2020-01-01T00:00:00Z'),
        page('http://example.com/', '2022-01-01T00:00:00Z', { status: 404 }),
        page('https://example.com/', '2021-01-01T00:00:00Z'),
        page('http://www.example.com/', '2023-01-01T00:00:00Z'),
        page('http://tie.example/', '2022-05-05T00:00:00Z', { status: 503 }),
        page('http://tie.example/', '2022-05-05T00:00:00Z', { status: 200 }),
        page('http://tie.example/', '2022-05-05T00:00:00Z', { status: 500 }),
        page('http://args.example/?b=2&a=1', '2022-01-01T00:00:00Z'),
        page('http://args.example/?a=1&b=2', '2020-01-01T00:00:00Z'),
        page('https://only.example/x', '2020-01-01T00:00:00Z'),
        page('http://moved.example/', '2011-01-01T00:00:00Z'),
        page('http://moved.example/', '2024-01-01T00:00:00Z', { status: 301 }),
        page('https://moved.example/', '2024-01-01T00:00:02Z'),
        page('http://crowd.example/', '2001-01-01T00:00:00Z'),
        ...Array.from({ length: 70 }, (_, minute) =>
          page('https://crowd.example/', new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString()),
        ),
        page('http://example.com/logo.png', '2020-01-01T00:00:00Z', { fields: [['Content-Type', 'image/png']] }),
      ],
    })
    const indexes = await openIndexes({
      folder: join(made.folder, 'indexes'),
      world: made.world,
      archive: made.archive,
      tasks: made.tasks,
    })
    index = await indexes.captureIndexFor({ jobs: [1] })
  })
  afterAll(async () => {
    index.close()
    await made[Symbol.asyncDispose]()
  })

  const check = (url: string, at: string | undefined, expected: string | undefined) =>
    it(`${url} at ${at ?? 'its newest'} is ${expected}`, () => {
      const found = index.nearest({ url, moment: momentAt(at === undefined ? undefined : Date.parse(at)) })
      expect(found && `${found.url} ${new Date(found.timestampMs).toISOString().slice(0, 10)} ${found.status}`).toBe(
        expected,
      )
    })

  check('http://example.com/', undefined, 'http://www.example.com/ 2023-01-01 200')
  check('http://example.com/', '2022-02-01T00:00:00Z', 'http://example.com/ 2022-01-01 404')
  check('http://example.com/', '2020-06-01T00:00:00Z', 'http://example.com/ 2020-01-01 200')
  check('http://example.com/', '1999-01-01T00:00:00Z', 'http://example.com/ 2020-01-01 200')
  check('https://example.com/', undefined, 'http://www.example.com/ 2023-01-01 200')
  check('https://example.com/', '2020-01-01T00:00:00Z', 'http://example.com/ 2020-01-01 200')
  check('http://www.example.com/', '2020-01-01T00:00:00Z', 'http://example.com/ 2020-01-01 200')
  check('https://www.example.com/', '2022-12-01T00:00:00Z', 'http://www.example.com/ 2023-01-01 200')
  check('http://tie.example/', undefined, 'http://tie.example/ 2022-05-05 200')
  check('http://args.example/?a=1&b=2', undefined, 'http://args.example/?b=2&a=1 2022-01-01 200')
  check('http://moved.example/', '2024-01-01T00:00:00Z', 'http://moved.example/ 2024-01-01 301')
  check('https://moved.example/', '2024-01-01T00:00:00Z', 'https://moved.example/ 2024-01-01 200')
  check('https://moved.example/', '2011-01-01T00:00:00Z', 'http://moved.example/ 2011-01-01 200')
  check('http://only.example/x', undefined, 'https://only.example/x 2020-01-01 200')
  check('http://only.example/y', undefined, undefined)
  check('not an address', undefined, undefined)

  it('puts exact matches of about that time first, and the others by distance', () => {
    const addresses = (at: string) =>
      index
        .candidates({ url: 'https://moved.example/', moment: { kind: 'nearest', atMs: Date.parse(at) } }, 3)
        .map(({ url, timestampMs }) => `${url} ${new Date(timestampMs).getUTCFullYear()}`)
    const [now, redirect, then] = [
      'https://moved.example/ 2024',
      'http://moved.example/ 2024',
      'http://moved.example/ 2011',
    ]
    expect(addresses('2024-01-01T00:00:00Z')).toEqual([now, redirect, then])
    expect(addresses('2012-01-01T00:00:00Z')).toEqual([then, redirect, now])
  })

  it.each([
    [{ kind: 'newest' }, 1, [2022, 2020]],
    [{ kind: 'oldest' }, 1, [2020, 2022]],
    [{ kind: 'nearest', atMs: Date.UTC(2021, 11, 30) }, 3 * 86_400_000, [2022]],
    [{ kind: 'nearest', atMs: Date.UTC(2020, 0, 3) }, 2 * 86_400_000, [2020]],
    [{ kind: 'nearest', atMs: Date.UTC(2020, 0, 3) }, 2 * 86_400_000 - 1, []],
  ] satisfies [Moment, number, number[]][])('%j within %d ms: %j', (moment, withinMs, years) => {
    const url = 'http://example.com/'
    const found = index.candidates({ url, moment, withinMs }, 9).filter((each) => each.url === url)
    expect(found.map(({ timestampMs }) => new Date(timestampMs).getUTCFullYear())).toEqual(years)
  })

  it('the first candidate is the nearest at every time', () => {
    const addresses = ['example.com/', 'www.example.com/', 'tie.example/', 'crowd.example/', 'args.example/?a=1&b=2', 'only.example/x'] // prettier-ignore
    const moments: Moment[] = [{ kind: 'newest' }, { kind: 'oldest' }]
    for (let day = 0; day < 6 * 365; day += 30)
      moments.push({ kind: 'nearest', atMs: Date.UTC(2019, 0, 1) + day * 86_400_000 })
    for (const url of addresses.flatMap((address) => [`http://${address}`, `https://${address}`]))
      for (const moment of moments)
        for (const withinMs of [undefined, 400 * 86_400_000]) {
          const asked = { url, moment, ...(withinMs !== undefined && { withinMs }) }
          expect(index.nearest(asked), JSON.stringify(asked)).toEqual(index.candidates(asked, 1)[0])
        }
  })

  it('returns every capture of a URL, the oldest first', () => {
    expect(
      index.captures('http://example.com/').map(({ timestampMs }) => new Date(timestampMs).getUTCFullYear()),
    ).toEqual([2020, 2021, 2022, 2023])
  })

  it('finds pages by word beginnings, then by content, and no images', async () => {
    expect((await index.pages({ text: '', limit: 2 })).map(({ url }) => url)).toEqual([
      'http://example.com/',
      'http://tie.example/',
    ])
    expect((await index.pages({ text: 'onl', limit: 5 })).map(({ url }) => url)).toEqual(['https://only.example/x'])
    expect((await index.pages({ text: 'nly.exam', limit: 5 })).map(({ url }) => url)).toEqual([
      'https://only.example/x',
    ])
    expect(await index.pages({ text: 'logo', limit: 5 })).toEqual([])
    expect((await index.pages({ text: 'example', limit: 3 })).length).toBe(3)
  })

  it('lists what it covers', () => {
    expect(index.count()).toBe(85)
    expect(index.completeness).toEqual({
      isAll: false,
      jobsAsked: [1],
      filesAsked: [],
      jobsFound: [1],
      jobsMissing: [],
      files: [{ name: '1-1-a.warc.gz', job: 1 }],
      filesMissing: [],
      quarantined: { count: 0, first: [] },
    })
  })
})

describe('building', () => {
  const open = (made: ArchiveFixture) =>
    openIndexes({ folder: join(made.folder, 'indexes'), world: made.world, archive: made.archive, tasks: made.tasks })
  const files = async (made: ArchiveFixture, ...parts: string[]) =>
    (await readdir(join(made.folder, 'indexes', ...parts))).toSorted()

  const inMetadata = (name: string, text: string): Row => ({
    url: `metadata://loupe/crawl/index/cdx?majorversion=2&minorversion=0&jobid=7&filename=${name}`,
    at: '2020-01-02T00:00:00Z',
    type: 'resource',
    contentType: 'application/x-cdxj',
    block: Buffer.from(text),
  })
  const importReport: Row = {
    url: 'metadata://loupe/crawl/reports/import-report.jsonl?harvestid=1&jobid=7',
    at: '2020-01-02T00:00:00Z',
    type: 'resource',
    contentType: 'application/jsonl',
    block: Buffer.from('{}\n'),
  }

  it('uses the lines of the metadata, and reads the files that they do not cover', async () => {
    await using made = await createArchive()
    const listed = page('http://listed.example/', '2020-01-01T00:00:00Z')
    await made.add({ name: '7-1-a.warc.gz', job: 7, rows: [listed] })
    await made.add({ name: '7-1-b.warc.gz', job: 7, rows: [page('http://read.example/', '2020-01-01T00:00:00Z')] })
    const line = (name: string, url: string) =>
      `example,listed)/ 20200101000000 {"url": "${url}", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "${name}"}\n`
    const header = cdxjHeader(canonicaliserVersion)
    await made.add({
      name: '7-metadata-1.warc.gz',
      job: 7,
      kind: 'metadata',
      // The offset is one that no reading would give, so it shows where the line came from. One line is of a foreign file.
      rows: [
        inMetadata(
          '7-1-a.warc.gz',
          `${header}\n` +
            line('7-1-a.warc.gz', 'http://listed.example/') +
            line('other.warc.gz', 'http://listed.example/2'),
        ),
      ],
    })
    const index = await (await open(made)).captureIndexFor({ jobs: [7] })
    expect(index.nearest({ url: 'http://listed.example/', moment: { kind: 'newest' } })).toMatchObject({
      offset: 5,
      length: 10,
      filename: '7-1-a.warc.gz',
      job: 7,
    })
    expect(index.nearest({ url: 'http://read.example/', moment: { kind: 'newest' } })).toMatchObject({
      offset: 0,
      filename: '7-1-b.warc.gz',
    })
    expect(index.count()).toBe(2)
    index.close()
  })

  it.each([
    ['other rules', cdxjHeader('surt-0')],
    ['no rules named', undefined],
    ['less than a header', cdxjHeader(canonicaliserVersion).slice(0, 20)],
  ])('does not use lines with unknown key rules, from metadata or an earlier index: %s', async (_, header) => {
    await using made = await createArchive()
    await made.add({ name: '7-1-a.warc.gz', job: 7, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    const stale =
      'example,a)/ 20200101000000 {"url": "http://a.example/", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "7-1-a.warc.gz"}\n'
    const text = header === undefined ? stale : header.endsWith('}') ? `${header}\n${stale}` : header
    await made.add({
      name: '7-metadata-1.warc.gz',
      job: 7,
      kind: 'metadata',
      rows: [inMetadata('7-1-a.warc.gz', text)],
    })
    await mkdir(join(made.folder, 'indexes', 'cdx', '7'), { recursive: true })
    const lines = join(made.folder, 'indexes', 'cdx', '7', '7-1-a.warc.gz.cdxj')
    await writeFile(lines, text)
    const index = await (await open(made)).captureIndexFor({ jobs: [7] })
    expect(index.captures('http://a.example/')).toMatchObject([{ offset: 0 }])
    index.close()
    expect((await readFile(lines, 'utf8')).split('\n')[0]).toBe(cdxjHeader(canonicaliserVersion))
  })

  it.each([
    ['a harvest are used, because it sends only GET requests', [], 5],
    ['an import are not used, because its captures may answer other requests', [importReport], 0],
  ])('older lines without requests in their keys, of %s', async (_, before, offset) => {
    await using made = await createArchive()
    await made.add({ name: '7-1-a.warc.gz', job: 7, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    const line =
      'example,a)/ 20200101000000 {"url": "http://a.example/", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "7-1-a.warc.gz"}\n'
    const rows = [...before, inMetadata('7-1-a.warc.gz', `${cdxjHeader(canonicaliserVersionOfUrls)}\n${line}`)]
    await made.add({ name: '7-metadata-1.warc.gz', job: 7, kind: 'metadata', rows })
    const index = await (await open(made)).captureIndexFor({ jobs: [7] })
    expect(index.captures('http://a.example/')).toMatchObject([{ offset }])
    index.close()
    const lines = await readFile(join(made.folder, 'indexes', 'cdx', '7', '7-1-a.warc.gz.cdxj'), 'utf8')
    expect(lines.split('\n')[0]).toBe(cdxjHeader(canonicaliserVersion))
  })

  it('never answers a GET with the response to a POST, or the reverse', async () => {
    await using made = await createArchive()
    const at = '2020-01-01T00:00:00Z'
    const asked = (method: string, url: string, body: string): Row => ({
      url,
      at,
      type: 'request',
      contentType: 'application/http;msgtype=request',
      block: Buffer.from(
        `${method} ${new URL(url).pathname} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    })
    const url = 'http://a.example/api'
    await made.add({
      name: '1-1-a.warc.gz',
      job: 1,
      rows: [
        ...[page(url, at, { body: 'got' }), asked('GET', url, '')],
        ...[page(url, at, { body: 'posted 1' }), asked('POST', url, '{"n":1}')],
        ...[page(url, at, { body: 'posted 2' }), asked('POST', url, '{"n":2}')],
        ...[page(`${url}/only`, at, { body: 'put' }), asked('PUT', `${url}/only`, '{"n":1}')],
      ],
    })
    const index = await (await open(made)).captureIndexFor({ jobs: [1] })
    const found = (method: string, address: string, body: string) =>
      index
        .candidates(
          {
            url: address,
            ...(method !== 'GET' && { sent: { method, mediaType: 'application/json', content: Buffer.from(body) } }),
            moment: { kind: 'newest' },
          },
          9,
        )
        .map(({ method: of = 'GET', payloadDigest }) => [of, payloadDigest])
    expect(found('GET', url, '')).toEqual([['GET', digestOf('got')]])
    expect(found('POST', url, '{"n":1}')).toEqual([['POST', digestOf('posted 1')]])
    expect(found('POST', url, '{ "n": 2 }')).toEqual([['POST', digestOf('posted 2')]])
    expect(found('PUT', url, '{"n":1}')).toEqual([])
    expect(found('GET', `${url}/only`, '')).toEqual([])
    expect(found('GET', `${url}/only?__wb_method=PUT&n=1`, '')).toEqual([])
    expect(found('PUT', `${url}/only`, '{"n":1}')).toEqual([['PUT', digestOf('put')]])
    expect(index.captures(url)).toHaveLength(1)
    index.close()
  })

  it.each([['"surt-0"'], [undefined]])('rebuilds a database whose keys were made by %s', async (rules) => {
    await using made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    const indexes = await open(made)
    ;(await indexes.captureIndexFor({ jobs: [1] })).close()
    const [name = ''] = (await files(made, 'capture')).filter((each) => each.endsWith('.db'))
    const database = new Database(join(made.folder, 'indexes', 'capture', name))
    database.exec(`UPDATE capture SET key = 'other'`)
    database.exec(
      rules === undefined
        ? `DELETE FROM manifest WHERE name = 'canonicaliser'`
        : `UPDATE manifest SET value = '${rules}' WHERE name = 'canonicaliser'`,
    )
    database.close()
    const index = await indexes.captureIndexFor({ jobs: [1] })
    expect(index.captures('http://a.example/')).toHaveLength(1)
    index.close()
  })

  it('is reused for the same files, and not when a job has one more', async () => {
    await using made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [page('http://b.example/', '2020-01-01T00:00:00Z')] })
    const indexes = await open(made)
    const first = await indexes.captureIndexFor({ jobs: [2, 1] })
    const names = await files(made, 'capture')
    let built = 0
    const again = await indexes.captureIndexFor(
      { jobs: [1, 2, 2] },
      { onProgress: ({ captures }) => (built += captures) },
    )
    expect(built).toBe(0)
    expect(await files(made, 'capture')).toEqual(names)
    expect(again.count()).toBe(2)
    again.close()
    await made.add({ name: '1-1-b.warc.gz', job: 1, rows: [page('http://c.example/', '2020-01-01T00:00:00Z')] })
    const grown = await indexes.captureIndexFor({ jobs: [1, 2] })
    expect(grown.count()).toBe(3)
    expect(first.count()).toBe(2)
    first.close()
    grown.close()
    expect((await files(made, 'capture')).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  })

  it('lists missing jobs and files, and is never reused as complete', async () => {
    await using made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    await made.add({ name: '1-1-b.warc.gz', job: 1, rows: [page('http://b.example/', '2020-01-01T00:00:00Z')] })
    const lost = join(made.folder, 'one', '1-1-b.warc.gz')
    const bytes = await made.archive.readableFrom('one', '1-1-b.warc.gz')
    const kept = Buffer.alloc(bytes.bytes)
    await bytes.file.read(kept, 0)
    await bytes.file.close()
    await rm(lost)
    const indexes = await open(made)
    const partial = await indexes.captureIndexFor({ jobs: [1, 99] })
    const reason: unknown = expect.objectContaining({ code: 'copy.unreadable' })
    expect(partial.completeness).toEqual({
      isAll: false,
      jobsAsked: [1, 99],
      filesAsked: [],
      jobsFound: [1],
      jobsMissing: [99],
      files: [{ name: '1-1-a.warc.gz', job: 1 }],
      filesMissing: [{ name: '1-1-b.warc.gz', reason }],
      quarantined: { count: 0, first: [] },
    })
    partial.close()
    await writeFile(lost, kept)
    const whole = await indexes.captureIndexFor({ jobs: [1, 99] })
    expect(whole.completeness).toMatchObject({
      filesMissing: [],
      files: [{ name: '1-1-a.warc.gz' }, { name: '1-1-b.warc.gz' }],
    })
    expect(whole.count()).toBe(2)
    whole.close()
  })

  it('quarantines bad records and lines, names them, and continues', async () => {
    await using made = await createArchive()
    const at = '2020-01-01T00:00:00Z'
    const offsets = await made.add({
      name: '1-1-read.warc.gz',
      job: 1,
      rows: [page('http://a.example/', at), page('http://torn.example/', at), page('http://b.example/', at)],
      // The middle of the second member: its bytes make no sense from there on.
      spoil: (bytes) =>
        bytes.fill(0xff, bytes.indexOf('1f8b08', 40, 'hex') + 60, bytes.indexOf('1f8b08', 40, 'hex') + 120),
    })
    await made.add({ name: '1-1-listed.warc.gz', job: 1, rows: [page('http://c.example/', at)] })
    const line = (key: string, url: string, filename = '1-1-listed.warc.gz') =>
      `${key} 20200101000000 {"url": "${url}", "mime": "text/html", "status": "200", "length": "10", "offset": "0", "filename": "${filename}"}`
    const lines = [
      cdxjHeader(canonicaliserVersion),
      line('example,c)/', 'http://c.example/'),
      'half a line',
      line('example,bank)/', 'http://evil.example/'),
      line('example,d)/', 'http://d.example/', 'other.warc.gz'),
      'x'.repeat(3_000_000),
      line('example,e)/', 'http://e.example/'),
    ]
    await made.add({
      name: '1-metadata-1.warc.gz',
      job: 1,
      kind: 'metadata',
      rows: [inMetadata('1-1-listed.warc.gz', `${lines.join('\n')}\n`)],
    })
    const index = await (await open(made)).captureIndexFor({ jobs: [1] })
    for (const host of ['a', 'b', 'c', 'e']) expect(index.captures(`http://${host}.example/`), host).toHaveLength(1)
    expect(index.captures('http://bank.example/')).toEqual([])
    const { count, first } = index.completeness.quarantined
    expect(count).toBe(first.length)
    const listed = first.filter(({ file }) => file === '1-1-listed.warc.gz').map(({ reason }) => textOf(reason))
    expect(listed).toEqual([
      'Line 3 of its index is not a valid CDXJ line: half a line',
      'Line 4 of its index has the wrong key for its URL, http://evil.example/.',
      'Line 5 of its index belongs to another file, other.warc.gz.',
      'Line 6 of its index is too long.',
    ])
    const read = first.filter(({ file }) => file === '1-1-read.warc.gz')
    expect(read.length).toBeGreaterThan(0)
    for (const { offset } of read) expect(offset).toBeGreaterThanOrEqual(offsets[1] ?? NaN)
    index.close()
  })

  it('refuses jobs without archived files', async () => {
    await using made = await createArchive()
    await expect((await open(made)).captureIndexFor({ jobs: [4] })).rejects.toMatchObject({ code: 'notFound' })
  })

  it('rebuilds what is damaged, deleted or was left unfinished by a kill', async () => {
    await using made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    const built = await (await open(made)).captureIndexFor({ jobs: [1] })
    built.close()
    const capture = join(made.folder, 'indexes', 'capture')
    const [name = ''] = await readdir(capture)
    await writeFile(join(capture, name), 'this is not a database, whatever its name says')
    await writeFile(join(capture, `${name}.5f.part`), 'half')
    await writeFile(join(capture, `${name}.5f.part-wal`), 'half')
    await writeFile(join(made.folder, 'indexes', 'cdx', '1', 'x.cdxj.6a.part'), 'half')
    const rebuilt = await (await open(made)).captureIndexFor({ jobs: [1] })
    expect(rebuilt.count()).toBe(1)
    rebuilt.close()
    expect(await files(made, 'cdx', '1')).toEqual(['1-1-a.warc.gz.cdxj'])
    await rm(join(made.folder, 'indexes'), { recursive: true })
    const again = await (await open(made)).captureIndexFor({ jobs: [1] })
    expect(again.count()).toBe(1)
    again.close()
  })

  it('stops when nothing needs it any more, and leaves nothing that a start would not remove', async () => {
    await using made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page('http://a.example/', '2020-01-01T00:00:00Z')] })
    const indexes = await open(made)
    await expect(
      indexes.captureIndexFor({ jobs: [1] }, { signal: AbortSignal.abort(new Error('no longer wanted')) }),
    ).rejects.toThrow('no longer wanted')
    expect(await files(made, 'capture')).toEqual([])
    const built = await indexes.captureIndexFor({ jobs: [1] })
    expect(built.count()).toBe(1)
    built.close()
  })
})
