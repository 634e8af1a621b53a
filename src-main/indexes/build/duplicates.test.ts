/** Captures known only from a line in a crawl log: they are in the index of their own job, with the position of their original. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Indexes } from '../indexes.ts'
import type { Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'

const [y2010, y2011] = ['2010-01-01T00:00:00Z', '2011-06-23T17:12:09Z']
const image = 'http://a.example/image.png'
const digest = 'sha1:AXH2IFNXC4MUT26SRHRJZHGR3FDAJDNR'

function line(
  url: string,
  annotations: string,
  { logged = '2011-06-23T17:12:08.802Z', began = '20110623171207546' } = {},
) {
  const source = 'http://a.example/'
  return `${logged}   200       4 ${url} LE http://a.example/ image/png #025 ${began}+9 ${digest} ${source} ${annotations}`
}

function logRow(lines: readonly string[], name = 'logs/crawl.log', at = y2011): Row {
  const url = `metadata://netarkivet.dk/crawl/${name}?heritrixVersion=3.4.0&harvestid=3&jobid=7`
  return { url, at, type: 'resource', contentType: 'text/plain', block: Buffer.from(`${lines.join('\n')}\n`) }
}

async function captures(indexes: Indexes, url = image, jobs = [2]) {
  const index = await indexes.captureIndexFor({ jobs })
  onTestFinished(() => index.close())
  return index.captures(url)
}

const content = { name: '1-1-a.warc.gz', job: 1, rows: [{ url: image, at: y2010, body: 'png' }] }
const metadata = (lines: string[], more: Row[] = []) => ({
  name: '7-metadata-1.warc.gz',
  job: 2,
  rows: [...more, logRow(lines)],
})

test('a duplicate is a capture of its own job, with date, status, type and digest of its line and the position of its original', async () => {
  const annotation = 'duplicate:"1-1-a.warc.gz,31,20100101000000",content-size:400'
  const made = await archiveWith(content, metadata([line(image, annotation), line('http://a.example/other', '2t')]))
  const indexes = await indexesOver(made)
  expect(await captures(indexes)).toEqual([
    {
      ...{ key: 'com,example', job: 2, url: image, timestampMs: Date.UTC(2011, 5, 23, 17, 12, 8, 802), status: 200 },
      ...{ key: 'example,a)/image.png', mediaType: 'image/png', payloadDigest: digest, recordType: 'duplicate' },
      ...{ filename: '1-1-a.warc.gz', offset: 31, length: 0 },
      duplicate: { log: '7-metadata-1.warc.gz', url: image, timestampMs: Date.UTC(2010, 0) },
    },
  ])
  expect(await captures(indexes, 'http://a.example/other')).toEqual([])
  // Both jobs together: the original and its duplicate, each at its own date.
  expect((await captures(indexes, image, [1, 2])).map(({ recordType }) => recordType)).toEqual([
    'response',
    'duplicate',
  ])
  const index = await indexes.captureIndexFor({ jobs: [2] })
  expect(index.completeness).toMatchObject({ filesMissing: [], quarantined: { count: 0 } })
  expect(index.originalFiles()).toEqual([{ name: '1-1-a.warc.gz', captures: 1 }])
  const query = { url: 'a.example', matchType: 'domain', limit: 5 } as const
  const found = await index.query({
    ...query,
    filters: [{ field: 'filename', how: 'is', text: '1-1-a.warc.gz', negated: false }],
  })
  expect(found.captures.map(({ offset }) => offset)).toEqual([31])
  index.close()
})

test('a line adds no capture where the job has a record of the same fetch', async () => {
  const revisit: Row = { url: image, at: '2011-06-23T17:12:07Z', type: 'revisit', body: '' }
  const annotation = 'duplicate:"1-1-a.warc.gz,31",warcRevisit:digest'
  const made = await archiveWith(
    metadata([line(image, annotation), line(image, annotation, { began: '20110623171208000' })]),
    { name: '7-1-a.warc.gz', job: 2, rows: [revisit] },
    { name: 'other.warc.gz', job: 3, rows: [{ ...revisit, at: '2011-06-23T17:12:08Z' }] },
  )
  const indexes = await indexesOver(made)
  const found = await captures(indexes, image, [2, 3])
  expect(found.map(({ recordType, job }) => [recordType, job])).toEqual([
    ['revisit', 2],
    ['revisit', 3],
    ['duplicate', 2],
  ])
  const index = await indexes.captureIndexFor({ jobs: [2, 3] })
  expect([index.count(), index.originalFiles()]).toEqual([4, [{ name: '1-1-a.warc.gz', captures: 1 }]])
  index.close()
})

test('a file that was compressed later is found by its migration record', async () => {
  const migration = {
    ...logRow(['1-1-a.warc 31 17 1282069269000', 'other.arc 31 5 1', 'nonsense']),
    url: 'metadata://crawl/index/deduplicationmigration?majorversion=0&minorversion=0',
  }
  const lines = [line(image, 'duplicate:"1-1-a.warc,31"'), line(`${image}2`, 'duplicate:"1-1-a.warc,32"')]
  const made = await archiveWith(metadata(lines, [migration]))
  const indexes = await indexesOver(made)
  expect(await captures(indexes)).toMatchObject([{ filename: '1-1-a.warc.gz', offset: 17 }])
  expect(await captures(indexes, `${image}2`)).toMatchObject([{ filename: '1-1-a.warc', offset: 32 }])
})

test('lines without the needed details are quarantined with the reason', async () => {
  const made = await archiveWith(
    metadata([
      line(image, 'duplicate:"ORIGIN"'),
      line(image, 'duplicate:"a.arc,1"', { logged: '-', began: '-' }),
      'duplicate:"a.arc,1"',
    ]),
  )
  const indexes = await indexesOver(made)
  const index = await indexes.captureIndexFor({ jobs: [2] })
  expect(index.captures(image)).toEqual([])
  expect(index.completeness.quarantined.first.map(({ file, reason }) => [file, textOf(reason).slice(0, 100)])).toEqual([
    [
      '7-metadata-1.warc.gz',
      'Line 1 of its crawl log mentions a duplicate without the file and offset of the original: 2011-06-23',
    ],
    [
      '7-metadata-1.warc.gz',
      'Line 2 of its crawl log mentions a duplicate without a date: -   200       4 http://a.example/image.',
    ],
    [
      '7-metadata-1.warc.gz',
      'Line 3 of its crawl log mentions a duplicate but is not a valid crawl log line: duplicate:"a.arc,1"',
    ],
  ])
  index.close()
})

test('parsed lines of a log are kept, and an index without them says so and is completed later', async () => {
  const annotation = 'duplicate:"1-1-a.warc.gz,31"'
  const made = await archiveWith(metadata([line(image, annotation)]), { ...content, job: 2, name: '7-1-a.warc.gz' })
  const setState = (state: string) =>
    made.store.statement<{ state: string }>(
      `UPDATE replica_file SET preservation_state = @state WHERE file_id = (SELECT id FROM archive_file WHERE name LIKE '%metadata%')`,
    ).run({ state }) // prettier-ignore
  // Its index lines are built while the file exists, but its log is not read.
  const lines = await indexesOver(made)
  ;(await lines.crawlLogs([{ job: 2, isDeleted: false }])).close()
  await lines.close()
  setState('MISSING')
  const without = await indexesOver(made)
  const lacking = await without.captureIndexFor({ jobs: [2] })
  expect(lacking.captures(image)).toHaveLength(1)
  const reason: unknown = expect.objectContaining({ code: 'index.log.unreadable' })
  expect(lacking.completeness.filesMissing).toEqual([{ name: '7-metadata-1.warc.gz', reason }])
  lacking.close()
  setState('OK')
  const whole = await without.captureIndexFor({ jobs: [2] })
  expect([whole.captures(image).length, whole.completeness.filesMissing]).toEqual([2, []])
  whole.close()
  await without.close()
  // The file itself is no longer needed.
  setState('MISSING')
  for (const name of await readdir(join(made.folder, 'indexes', 'capture')))
    await made.world.disk.remove(join(made.folder, 'indexes', 'capture', name))
  const again = await indexesOver(made)
  const index = await again.captureIndexFor({ jobs: [2] })
  expect([index.captures(image).length, index.completeness.filesMissing]).toEqual([2, []])
  index.close()
})

test('of a truncated log the readable lines are indexed, and the truncation is reported', async () => {
  const lines = Array.from({ length: 3_000 }, (_, number) => line(`${image}?${number}`, 'duplicate:"a.arc,1"'))
  const cut = (bytes: Buffer) => void bytes.fill(0, bytes.length - 60, bytes.length - 20)
  const made = await archiveWith({ ...metadata(lines), spoil: cut })
  const indexes = await indexesOver(made)
  const index = await indexes.captureIndexFor({ jobs: [2] })
  expect(index.captures(`${image}?0`)).toHaveLength(1)
  const reason = message('index.log.damaged')
  expect(index.completeness.filesMissing).toEqual([{ name: '7-metadata-1.warc.gz', reason }])
  index.close()
})

test('all duplicates are listed in the order of their originals', async () => {
  const places = Array.from({ length: 1_200 }, (_, number) => `${number % 7}.arc,${number}`)
  const made = await archiveWith(
    metadata(places.map((place, number) => line(`${image}?${number}`, `duplicate:"${place}"`))),
  )
  const indexes = await indexesOver(made)
  const index = await indexes.captureIndexFor({ jobs: [2] })
  const listed: string[] = []
  for await (const few of index.duplicates()) listed.push(...few.map(({ filename, offset }) => `${filename},${offset}`))
  expect(listed).toHaveLength(1_200)
  const byPlace = (text: string): [string, number] => [text.split(',')[0] ?? '', Number(text.split(',')[1])]
  const sorted = places.toSorted((a, b) => {
    const [[aFile, aOffset], [bFile, bOffset]] = [byPlace(a), byPlace(b)]
    return aFile < bFile ? -1 : aFile > bFile ? 1 : aOffset - bOffset
  })
  expect(listed).toEqual(sorted)
  expect(index.originalFiles()).toHaveLength(7)
  index.close()
})
