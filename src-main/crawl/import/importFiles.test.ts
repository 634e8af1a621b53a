/** Imports from start to end, with the complete engine in a seeded world: the result of each kind of file, and of power cuts at any
 *  moment. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { openJobs } from '../jobs/jobs.ts'
import { defaultCrawlSettings } from '../model/limits.ts'
import { listQuarantine } from '../ownership/quarantine.ts'
import { openImports } from './imports.ts'
import { imported, inReplica, metadataOf, run, startedAgain, trial, type Trial } from './testing/importFixture.ts'
import * as made from './testing/archiveSamples.ts'
import { sampleOf } from '../../world/testing/sample.ts'

const url = (name: string) => `http://${name}.test/`

/** Each file of the catalogue as one line: name, kind, job, and whether it is stored. */
function archived({ store }: Trial): string[] {
  return store
    .statement<object, { name: string; kind: string; job: number; stored: number | null }>(
      `SELECT name, kind, job_id AS job, stored_ms AS stored FROM archive_file ORDER BY name`,
    )
    .all({})
    .map(({ name, kind, job, stored }) => `${name} ${kind} ${job} ${stored === null ? 'not stored' : 'stored'}`)
}

describe('names that are taken', () => {
  const metadata = made.plain(made.warcRecords('http://of.another.archive/'))

  test.each(['1-metadata-1.warc', '1-METADATA-1.WARC'])(
    'a file named %s, like the metadata file of the job, is imported under another name',
    async (name) => {
      const it = await trial({
        [`/elsewhere/${name}`]: metadata,
        '/elsewhere/a.warc': made.plain(made.warcRecords(url('a'))),
      })
      const { summary, files } = await imported(it, '/elsewhere')
      expect(summary).toMatchObject({ status: 'Done', reason: null })
      expect(files.map(({ state }) => state)).toEqual(['IMPORTED', 'IMPORTED'])
      expect(archived(it)).toEqual(
        expect.arrayContaining(['1-metadata-1.warc metadata 1 stored', 'a.warc content 1 stored']),
      )
      expect(archived(it)).toHaveLength(3)
    },
  )

  test('a job that an earlier version left with both files under one name is repaired at the next start', async () => {
    const it = await trial({ '/elsewhere/x.warc': metadata })
    // Like the earlier version: the imported file gets the name first, then the metadata file of the job gets it too.
    const heal = it.world.disk.fail({ path: /^\/replicas\/one/, code: 'denied' })
    const { job, summary } = await imported(it, '/elsewhere/x.warc')
    expect(summary.status).toBe('Error')
    heal()
    const move = async () => {
      await it.world.disk.rename('/archive/jobs/1/x.warc', '/archive/jobs/1/1-metadata-1.warc')
      await it.world.disk.syncFolder('/archive/jobs/1')
    }
    await it.world.run(move())
    for (const table of ['harvest_file', 'imported_file'])
      it.store.statement<object>(`UPDATE ${table} SET name = '1-metadata-1.warc' WHERE name = 'x.warc'`).run({})
    it.store.statement<object>(`DELETE FROM replica_file`).run({})
    it.store.statement<object>(`DELETE FROM archive_file`).run({})
    await startedAgain(it)
    expect(archived(it)).toEqual(['1-metadata-1.warc content 1 stored', '1-metadata-2.warc metadata 1 stored'])
    expect(openJobs(it.store, it.world).summary(job)).toMatchObject({ status: 'Done', reason: null })
    const names = await it.world.run(it.world.disk.list('/archive/jobs/1'))
    expect(names).toEqual([])
  })

  test('files are renamed when a replica that was disconnected has other files of their names, and nothing is overwritten', async () => {
    const it = await trial({ '/elsewhere/a.warc': made.plain(made.warcRecords(url('a'))) })
    const heal = it.world.disk.fail({ path: /^\/replicas\/one/, code: 'denied' })
    const { job, summary } = await imported(it, '/elsewhere/a.warc')
    expect(summary.status).toBe('Error')
    heal()
    it.store.statement<object>(`DELETE FROM replica_file`).run({})
    it.store.statement<object>(`DELETE FROM archive_file`).run({})
    const put = async () => {
      await it.world.disk.makeFolder('/replicas/one')
      for (const name of ['a.warc', '1-metadata-1.warc'])
        await it.world.disk.write(`/replicas/one/${name}`, Buffer.from('of another history'))
    }
    await it.world.run(put())
    await startedAgain(it)
    expect(openJobs(it.store, it.world).summary(job)).toMatchObject({ status: 'Done', reason: null })
    expect(archived(it)).toEqual(['1-metadata-2.warc metadata 1 stored', 'a-2.warc content 1 stored'])
    for (const name of ['a.warc', '1-metadata-1.warc'])
      expect((await inReplica(it, name)).toString()).toBe('of another history')
    expect(openImports(it.store).ofJob(job)).toMatchObject([{ name: 'a-2.warc' }])
    expect(await it.world.run(it.world.disk.list('/archive/jobs/1'))).toEqual([])
  })
})

test('an unknown file in the folder of a job is moved to quarantine, not removed', async () => {
  const bytes = made.plain(made.warcRecords(url('a')))
  const it = await trial({
    '/elsewhere/a.warc': bytes,
    '/archive/jobs/1/of another history.warc': Buffer.from('the only copy'),
  })
  const { job, summary } = await imported(it, '/elsewhere/a.warc')
  expect(summary).toMatchObject({ status: 'Done' })
  const found = await it.world.run(listQuarantine({ world: it.world, folder: it.input.quarantineFolder }))
  expect(found).toMatchObject([{ name: 'of another history.warc', bytes: 13, job: 1 }])
  const log = openJobs(it.store, it.world).log(job, 0, 100)
  expect(log.map(({ message }) => textOf(message)).join(' ')).toMatch(
    /A file in the folder of job 1 that this database does not know/,
  )
})

describe('every kind of file', () => {
  const kept: [name: string, bytes: Buffer, kind: string, captures: number][] = [
    ['a.warc', made.plain(made.warcRecords(url('a'))), 'WARC', 1],
    ['b.warc.gz', made.gzipped(made.warcRecords(url('b'), url('b2'))), 'WARC, gzip', 2],
    ['c.warc.zst', made.zstandard(made.warcRecords(url('c'))), 'WARC, zstd', 1],
    ['d.arc', made.plain(made.arcRecords(url('d'))), 'ARC', 1],
    ['e.arc.gz', made.gzipped(made.arcRecords(url('e'))), 'ARC, gzip', 1],
    // The format is detected from the bytes, not from the name.
    ['f.warc', made.gzipped(made.warcRecords(url('f'))), 'WARC, gzip', 1],
    ['g.arc.gz', made.plain(made.warcRecords(url('g'))), 'WARC', 1],
    ['h', made.gzipped(made.arcRecords(url('h'))), 'ARC, gzip', 1],
  ]

  test.each(kept)('%s is kept byte for byte', async (name, bytes, kind, captures) => {
    const it = await trial({ [`/elsewhere/${name}`]: bytes })
    const { files, summary } = await imported(it, `/elsewhere/${name}`)
    expect(files).toMatchObject([
      { from: `/elsewhere/${name}`, name, state: 'IMPORTED', captures, bytesTotal: bytes.length, message: null },
    ])
    expect(files.map((file) => textOf(file.kind))).toEqual([kind])
    expect(files[0]).toMatchObject({ bytesDone: bytes.length, records: captures + 1, findings: { errors: 0 } })
    expect((await inReplica(it, name)).equals(bytes)).toBe(true)
    expect(Buffer.from(await it.world.run(it.world.disk.read(`/elsewhere/${name}`, 1e6))).equals(bytes)).toBe(true)
    expect(summary).toMatchObject({ status: 'Done', documents: { fetched: captures } })
  })

  test('truncated captures are findings of the job, by reason, and the job ends as incomplete', async () => {
    const marked = (name: string, reason: string) => made.truncatedRecord(url(name), reason)
    const it = await trial({
      '/elsewhere/a.warc': made.plain([
        ...made.warcRecords(url('a')),
        marked('b', 'length'),
        marked('c', 'disconnect'),
      ]),
      '/elsewhere/d.warc': made.plain([...made.warcRecords(url('d')), marked('e', 'length')]),
    })
    const { job, summary, files } = await imported(it, '/elsewhere')
    expect(files.map(({ findings }) => findings.errors)).toEqual([0, 0])
    expect(summary).toMatchObject({ status: 'Done, incomplete', documents: { fetched: 5, truncated: 3 } })
    const detail = openJobs(it.store, it.world).show(job)
    expect(detail.byTruncation).toMatchObject([
      { truncation: 'length', documents: 2 },
      { truncation: 'disconnect', documents: 1 },
    ])
    const metadata = await metadataOf(it, job)
    const report = metadata.get('metadata://loupe/crawl/reports/import-report.jsonl?harvestid=1&jobid=1') ?? ''
    const rows = report
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(rows).toMatchObject([{ truncated: { length: 1, disconnect: 1 } }, { truncated: { length: 1 } }])
    expect(metadata.get('metadata://loupe/crawl/reports/crawl-report.txt?harvestid=1&jobid=1')).toMatch(
      /^truncated 3\ntruncated-length 2\ntruncated-disconnect 1$/m,
    )
  })

  test('an import with rejected files or errors in files ends as Done, with errors', async () => {
    const good = made.plain(made.warcRecords(url('a')))
    const torn = made.plain(made.warcRecords(url('b'))).subarray(0, -30)
    // Some tools write no WARC-Truncated field when the connection broke.
    const brokenOff = made.plain([...made.warcRecords(url('c')), made.brokenOffRecord(url('d'))])
    const rows: [files: Record<string, Buffer>, counts: { refused: number; errors: number; truncated: number }][] = [
      [
        { '/elsewhere/a.warc': good, '/elsewhere/b.warc.gz': Buffer.from('no record') },
        { refused: 1, errors: 0, truncated: 0 },
      ],
      [
        { '/elsewhere/a.warc': good, '/elsewhere/b.warc': torn },
        { refused: 0, errors: 1, truncated: 0 },
      ],
      [{ '/elsewhere/c.warc': brokenOff }, { refused: 0, errors: 1, truncated: 1 }],
    ]
    for (const [files, { refused, errors, truncated }] of rows) {
      const it = await trial(files)
      const { job } = await imported(it, '/elsewhere')
      const shown = openJobs(it.store, it.world).show(job)
      const errorFindings = shown.findings.filter(({ level }) => level === 'error')
      expect(errorFindings.reduce((sum, { count }) => sum + count, 0)).toBe(refused + errors)
      expect(shown).toMatchObject({
        ...{ status: 'Done, with errors' },
        ...{ documents: { truncated }, byTruncation: truncated ? [{ truncation: 'unspecified', documents: 1 }] : [] },
      })
    }
  })

  test('records that share one gzip member are compressed separately, with a finding', async () => {
    const records = made.warcRecords(url('a'), url('b'))
    const it = await trial({ '/elsewhere/whole.warc.gz': made.gzippedWhole(records) })
    const { job, files } = await imported(it, '/elsewhere/whole.warc.gz')
    expect(files).toMatchObject([{ name: 'whole.warc.gz', state: 'IMPORTED', records: 3, captures: 2 }])
    expect(files[0]?.message).toEqual(message('import.remark.recompressed'))
    const rules = openImports(it.store)
      .findings({ job, offset: 0, limit: 100 })
      .byRule.map(({ rule }) => rule)
    expect(rules).toEqual(expect.arrayContaining(['recordsShareMember', 'importRecompressed']))
    const bytes = await inReplica(it, 'whole.warc.gz')
    expect(bytes.equals(made.gzippedWhole(records))).toBe(false)
    const seen: string[] = []
    const source = { read: async (into: Uint8Array, at: number) => bytes.copy(into, 0, at, at + into.length) }
    for await (const record of readRecords(source)) {
      expect(record.addressable).toBe(true)
      seen.push(record.type)
    }
    expect(seen).toEqual(['warcinfo', 'response', 'response'])
  })

  test('a HAR, also one in gzip, is converted to WARC', async () => {
    const it = await trial({
      '/elsewhere/page.har': made.har(url('a'), url('b')),
      '/elsewhere/packed.json': gzipSync(made.har(url('c'))),
    })
    const { files } = await imported(it, '/elsewhere/page.har', '/elsewhere/packed.json')
    const remark = message('import.remark.converted')
    expect(files.map((file) => [file.name, file.captures, file.state, file.message])).toEqual([
      ['packed.json.warc.gz', 1, 'IMPORTED', remark],
      ['page.har.warc.gz', 2, 'IMPORTED', remark],
    ])
  })

  test('each archive file of a WACZ is imported, and its documents become part of the metadata of the job', async () => {
    const data = made.gzipped(made.warcRecords(url('a')))
    const other = made.gzipped(made.arcRecords(url('b')))
    const pages = made.pagesFile(url('b'), url('a'))
    const wacz = await made.zip({
      'archive/data.warc.gz': data,
      'archive/old.arc.gz': other,
      'pages/pages.jsonl': pages,
      'indexes/index.cdx.gz': gzipSync('none'),
      'datapackage.json': Buffer.from('{"profile": "data-package", "wacz_version": "1.1.1", "resources": []}'),
    })
    const it = await trial({ '/elsewhere/crawl.wacz': wacz })
    const { job, files, summary } = await imported(it, '/elsewhere/crawl.wacz')
    expect(files.map(({ from, name, state }) => [from, name, state])).toEqual([
      ['/elsewhere/crawl.wacz', null, 'IMPORTED'],
      ['/elsewhere/crawl.wacz!archive/data.warc.gz', 'crawl-data.warc.gz', 'IMPORTED'],
      ['/elsewhere/crawl.wacz!archive/old.arc.gz', 'crawl-old.arc.gz', 'IMPORTED'],
    ])
    expect(files.map(({ kind }) => textOf(kind))).toEqual(['WACZ', 'WARC, gzip', 'ARC, gzip'])
    expect((await inReplica(it, 'crawl-data.warc.gz')).equals(data)).toBe(true)
    expect((await inReplica(it, 'crawl-old.arc.gz')).equals(other)).toBe(true)
    expect(summary.seeds.slice(0, 2)).toEqual([url('b'), url('a')])
    const metadata = await metadataOf(it, job)
    const at = (entry: string) => metadata.get(`metadata://loupe/import/crawl.wacz/${entry}?harvestid=1&jobid=1`)
    expect(at('pages/pages.jsonl')).toBe(pages.toString())
    expect(at('datapackage.json')).toMatch(/wacz_version/)
    const report = metadata.get('metadata://loupe/crawl/reports/import-report.jsonl?harvestid=1&jobid=1')
    const sha256 = createHash('sha256').update(data).digest('hex')
    expect(report?.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)))).toContainEqual(
      expect.objectContaining({ name: 'crawl-data.warc.gz', sha256, treatment: 'kept' }),
    )
  })

  test('the logs of a package are kept, and its other entries are reported as not imported', async () => {
    const wacz = await made.zip({
      'archive/data.warc.gz': made.gzipped(made.warcRecords(url('a'))),
      'indexes/index.cdx.gz': gzipSync('none'),
      'logs/crawl-1.log': Buffer.from('{"context":"general"}\n'),
      'notes/readme.txt': Buffer.from('why we did this'),
    })
    const it = await trial({ '/elsewhere/crawl.wacz': wacz })
    const { job } = await imported(it, '/elsewhere/crawl.wacz')
    const metadata = await metadataOf(it, job)
    const log = 'metadata://loupe/import/crawl.wacz/logs/crawl-1.log?harvestid=1&jobid=1'
    expect(metadata.get(log)).toBe('{"context":"general"}\n')
    const { rows } = openImports(it.store).findings({ job, rule: 'importLeftInPackage', offset: 0, limit: 10 })
    expect(rows.map(({ message }) => textOf(message))).toEqual(['"notes/readme.txt" (15 bytes) stays in the package.'])
  })

  test('of several entries with one name the last is imported, with a finding', async () => {
    const last = made.gzipped(made.warcRecords(url('last')))
    const written = await made.zip({
      'datapackage.jsoX': Buffer.from('{"title": "first"}'),
      'archive/datX.warc.gz': made.gzipped(made.warcRecords(url('first'))),
      'archive/data.warc.gz': last,
      'datapackage.json': Buffer.from('{"title": "last"}'),
    })
    const renamed = written.toString('latin1').replaceAll('.jsoX', '.json').replaceAll('datX', 'data')
    const wacz = Buffer.from(renamed, 'latin1')
    const it = await trial({ '/elsewhere/crawl.wacz': wacz })
    const { job, files } = await imported(it, '/elsewhere/crawl.wacz')
    expect(files.map(({ name, state }) => [name, state])).toEqual([
      [null, 'IMPORTED'],
      ['crawl-data.warc.gz', 'IMPORTED'],
    ])
    expect((await inReplica(it, 'crawl-data.warc.gz')).equals(last)).toBe(true)
    const metadata = await metadataOf(it, job)
    expect(metadata.get('metadata://loupe/import/crawl.wacz/datapackage.json?harvestid=1&jobid=1')).toMatch(/last/)
    const { byRule } = openImports(it.store).findings({ job, offset: 0, limit: 10 })
    expect(byRule).toContainEqual({ rule: 'zipNameTwice', severity: expect.anything() as string, count: 2 })
  })

  test('files of the same name in nested and in several packages get names of their packages', async () => {
    const inner = (name: string) => made.zip({ 'archive/data.warc.gz': made.gzipped(made.warcRecords(url(name))) })
    const it = await trial({
      '/elsewhere/all.wacz': await made.zip({ 'one.wacz': await inner('one'), 'two.wacz': await inner('two') }),
      '/elsewhere/x/all.wacz': await inner('three'),
    })
    const { files } = await imported(it, '/elsewhere')
    expect(files.flatMap(({ name }) => name ?? []).toSorted()).toEqual([
      'all-data.warc.gz',
      'all-one-data.warc.gz',
      'all-two-data.warc.gz',
    ])
  })
})

describe('files, folders and disks', () => {
  test('a folder is searched, formats are detected from the bytes, and a bad file stops no other', async () => {
    const good = made.gzipped(made.warcRecords(url('a')))
    const it = await trial({
      '/elsewhere/b/one.dat': good,
      '/elsewhere/b/readme.txt': Buffer.from('not an archive'),
      '/elsewhere/c/broken.warc.gz': Buffer.from('nothing of a record'),
      '/elsewhere/c/torn.warc': made.plain(made.warcRecords(url('b'))).subarray(0, -30),
    })
    const { files, job } = await imported(it, '/elsewhere', '/elsewhere/nothing.warc', '/elsewhere/b/readme.txt')
    expect(files.map(({ from, state, message: why }) => [from.slice(11), state, why && textOf(why)])).toEqual([
      ['b/one.dat', 'IMPORTED', null],
      ['c/broken.warc.gz', 'REJECTED', 'No record could be read in the file.'],
      ['c/torn.warc', 'IMPORTED', null],
      ['b/readme.txt', 'REJECTED', 'Not an archive file: text.'],
      ['nothing.warc', 'REJECTED', 'There is no such file or folder.'],
    ])
    expect(files[2]?.findings.errors).toBeGreaterThan(0)
    const { rows, total, byRule } = openImports(it.store).findings({
      job,
      file: 'torn.warc',
      severity: 'error',
      offset: 0,
      limit: 10,
    })
    expect(total).toBe(rows.length)
    expect(rows[0]).toMatchObject({ rule: 'recordTorn', file: 'torn.warc', record: 2, severity: 'error' })
    expect(byRule).toContainEqual({ rule: 'recordTorn', severity: 'error', count: 1 })
  })

  test('an identical file is not imported again, and a different one of the same name gets a number', async () => {
    const first = made.gzipped(made.warcRecords(url('a')))
    const second = made.gzipped(made.warcRecords(url('b')))
    const it = await trial({ '/one/x.warc.gz': first, '/two/x.warc.gz': second })
    await imported(it, '/one')
    const { files } = await imported(it, '/one', '/two')
    expect(files.map(({ name, message: remark }) => [name, remark && textOf(remark)])).toEqual([
      [null, 'The archive already has this file as x.warc.gz, in job 1.'],
      ['x-2.warc.gz', 'The archive has a different file named x.warc.gz, so this one is named x-2.warc.gz.'],
    ])
  })

  test('an identical file with a missing copy: its remark says how to restore the copy', async () => {
    const it = await trial({ '/one/x.warc.gz': made.gzipped(made.warcRecords(url('a'))) })
    await imported(it, '/one')
    it.store.statement<object>(`UPDATE replica_file SET preservation_state = 'MISSING'`).run({})
    const { files } = await imported(it, '/one')
    expect(files[0]?.message && textOf(files[0].message)).toBe(
      'The archive already has this file as x.warc.gz, in job 1. ' +
        'Its copy is missing in one. To restore it, upload the file under that name (loupe upload).',
    )
  })

  test('names that differ only in case are numbered, because many file systems ignore case', async () => {
    const [lower, upper, third] = ['a', 'b', 'c'].map((page) => made.gzipped(made.warcRecords(url(page))))
    if (!lower || !upper || !third) throw new Error('three files are expected')
    const it = await trial({ '/one/x.warc.gz': lower, '/one/X.warc.gz': upper, '/two/X.WARC.gz': third })
    const { files } = await imported(it, '/one', '/two')
    const names = files.map(({ name }) => name)
    expect(new Set(names.map((name) => name?.toLowerCase())).size).toBe(3)
    expect(names.filter((name) => name?.includes('-'))).toHaveLength(2)
    const again = await imported(it, '/one', '/two')
    expect(again.files.map(({ name }) => name)).toEqual([null, null, null])
  })

  test('all findings of one rule are counted, and the first hundred are stored', async () => {
    const [info = Buffer.alloc(0), page = Buffer.alloc(0)] = made.warcRecords(url('a'))
    const wrong = Buffer.from(
      page.toString('latin1').replace(/WARC-Block-Digest: \S+/, `WARC-Block-Digest: sha1:${'A'.repeat(32)}`),
    )
    const it = await trial({ '/many.warc': Buffer.concat([info, ...Array.from({ length: 250 }, () => wrong)]) })
    const { job } = await imported(it, '/many.warc')
    const found = openImports(it.store).findings({ job, rule: 'blockDigestWrong', offset: 90, limit: 100 })
    expect(found.byRule).toContainEqual({ rule: 'blockDigestWrong', severity: 'error', count: 250 })
    expect(found).toMatchObject({ total: 100 })
    expect(found.rows).toHaveLength(10)
  })

  test('a file that would fill the disk is rejected, and a smaller one is still imported', async () => {
    const large = Buffer.concat([made.plain(made.warcRecords(url('a'))), Buffer.alloc(3_000_000, '\r\n')])
    const it = await trial({ '/a.warc': large, '/b.warc': made.plain(made.warcRecords(url('b'))) })
    // The replica is on this disk, too, and keeps half a gigabyte free.
    it.world.disk.freeBytesLeft = 502_000_000
    it.input.settings = { ...defaultCrawlSettings, freeBytesMin: 500_000_000 }
    const { files } = await imported(it, '/a.warc', '/b.warc')
    expect(files.map(({ state }) => state)).toEqual(['REJECTED', 'IMPORTED'])
    expect(files[0]?.code).toBe('noSpace')
    const text = textOf(files[0]?.message ?? message('text', { text: 'no message' }))
    expect(text).toMatch(/needs 3\sMB\. The disk of the archive has 502\sMB free, and 500\sMB must stay free\./)
  })

  test('a disk that fills up during the copy is reported as full, and the partial copy is removed', async () => {
    const it = await trial({
      '/a.warc': made.plain(made.warcRecords(...Array.from({ length: 200 }, (_, page) => url(`a${page}`)))),
    })
    const { disk } = it.world
    // Enough space is reported before the copy begins.
    disk.freeBytes = () => Promise.resolve(1e12)
    disk.freeBytesLeft = 20_000
    const { files, job } = await imported(it, '/a.warc')
    expect(files).toMatchObject([{ state: 'REJECTED', code: 'noSpace', message: { code: 'disk.full' } }])
    expect(await it.world.run(disk.list(`/archive/jobs/${job}`))).toEqual([])
  })

  test('a disk that fails in the index thread rejects the file with the fault of the disk', async () => {
    const it = await trial({ '/a.warc': made.plain(made.warcRecords(url('a'))) })
    // Only the index thread writes the index lines; the thread that checks the file meanwhile has no fault.
    it.world.disk.fail({ path: /\.a\.warc\.cdxj/, code: 'failed' })
    const { files, job } = await imported(it, '/a.warc')
    expect(files).toMatchObject([
      { state: 'REJECTED', name: null, code: 'unreachable', message: { code: 'disk.failed' } },
    ])
    expect(files[0]?.message && textOf(files[0].message)).toContain('.a.warc.cdxj')
    const log = openJobs(it.store, it.world).log(job, 0, 100)
    expect(log.filter(({ level }) => level === 'error').map(({ message }) => message.code)).toContain('import.rejected')
    expect(log.map(({ message }) => textOf(message)).join('\n')).not.toContain('error in Loupe')
  })

  test('files that a browser uploaded are removed once they are archived; all others stay', async () => {
    const it = await trial({
      '/archive/incoming/a.warc': made.plain(made.warcRecords(url('a'))),
      '/elsewhere/b.warc': made.plain(made.warcRecords(url('b'))),
    })
    await imported(it, '/archive/incoming/a.warc', '/elsewhere/b.warc')
    const { disk } = it.world
    expect(await it.world.run(disk.stat('/archive/incoming/a.warc'))).toBeUndefined()
    expect(await it.world.run(disk.stat('/elsewhere/b.warc'))).toBeDefined()
  })
})

describe('a power cut at any moment', () => {
  test('the import continues where it was: each file once, complete, with its findings', async () => {
    const wrong = made.plain(made.warcRecords(url('c'))).subarray(0, -30)
    const data = made.gzipped(made.warcRecords(url('d')))
    const wacz = await made.zip({ 'archive/data.warc.gz': data, 'pages/pages.jsonl': made.pagesFile(url('d')) })
    // Changes the time in the first gzip member: all records stay valid, and only the checksum in the package is wrong.
    wacz[wacz.indexOf(data) + 4] = 1
    const files = {
      '/elsewhere/a.warc': made.plain(made.warcRecords(url('a'))),
      '/elsewhere/b.warc.gz': made.gzippedWhole(made.warcRecords(url('b'))),
      '/elsewhere/c.warc': wrong,
      '/elsewhere/d.wacz': wacz,
      '/elsewhere/e.har': made.har(url('e')),
    }
    const end = async (it: Trial, job: number) => {
      const rows = openImports(it.store).ofJob(job)
      const { byRule } = openImports(it.store).findings({ job, offset: 0, limit: 1000 })
      const { documents, status } = openJobs(it.store, it.world).summary(job)
      const stored = (await it.world.run(it.world.disk.list('/replicas/one'))).map(({ name, bytes }) => [name, bytes])
      const metadata = [...(await metadataOf(it, job)).keys()].toSorted()
      const left = (await it.world.run(it.world.disk.list(`/archive/jobs/${job}`))).map(({ name }) => name)
      return {
        rows,
        byRule,
        documents,
        status,
        names: stored.filter(([name]) => !/metadata/.test(String(name))),
        metadata,
        left,
      }
    }
    const undisturbed = await trial(files)
    const job = openJobs(undisturbed.store, undisturbed.world).createImport(['/elsewhere'])
    const before = undisturbed.world.calls
    await run(undisturbed, job)
    const calls = undisturbed.world.calls - before
    const expected = await end(undisturbed, job)
    expect(expected.rows.map(({ state }) => state)).toEqual(Array(6).fill('IMPORTED'))
    expect(expected.left).toEqual([])
    expect(expected.rows.find(({ name }) => name === 'd-data.warc.gz')?.findings.errors).toBe(1)
    // A cut every few calls, each with another seed.
    const step = Math.max(1, Math.floor(calls / 60))
    const cuts = Array.from({ length: Math.ceil((calls - 1) / step) }, (_, at) => ({
      cut: 1 + at * step,
      seed: at + 1,
    }))
    for (const { cut, seed } of sampleOf(cuts)) {
      let it = await trial(files, seed)
      const begun = openJobs(it.store, it.world).createImport(['/elsewhere'])
      for (let life = 0; ; life += 1) {
        const ended = await run(it, begun, life === 0 ? it.world.calls + cut : life < 4 ? cut * 2 : Infinity)
        if (ended) break
        it = { ...it, world: it.world.crash() }
      }
      expect(await end(it, begun), `cut after ${cut} calls, seed ${seed}`).toEqual(expected)
      it.store.close()
    }
  })
})
