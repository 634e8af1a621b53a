/** Deduplication indexes over a real archive. */
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { surt } from '../../formats/cdx/surt.ts'
import { openIndexes, openDedupFile, hashOf, type DedupFile } from '../indexes.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import { captureLines, lineFile } from '../lines/captureLines.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import type { Capture } from '../../formats/cdx/capture.ts'

const at = '2024-05-01T00:00:00Z'
const png: Row['fields'] = [['Content-Type', 'image/png']]
const picture = (url: string, body: string, more: Partial<Row> = {}): Row => ({ url, at, body, fields: png, ...more })

async function opened(made: ArchiveFixture, path: string): Promise<DedupFile> {
  const file = await openDedupFile(path, made.world.disk)
  if (file === undefined) throw new Error(`${path} is no index`)
  onTestFinished(() => file.close())
  return file
}

const types = (...excludedTypes: string[]) => ({ excludedTypes })
const filesIn = (made: ArchiveFixture) => readdir(join(made.folder, 'indexes', 'dedup'))

test('finds complete answers by URL and by payload, in equivalent spellings of the URL, without excluded types', async () => {
  const made = await archiveWith(
    {
      ...{ name: 'a.warc.gz', job: 1 },
      rows: [
        picture('http://www.a.example/1.png', 'one'),
        picture('http://a.example/2.png', 'one'),
        picture('http://a.example/gone.png', 'gone', { status: 404 }),
        { url: 'http://a.example/', at, body: 'page' },
        { url: 'http://a.example/r.png', at, type: 'revisit', fields: png },
      ],
    },
    { name: 'b.warc.gz', job: 2, rows: [picture('http://a.example/1.png', 'newer', { at: '2024-06-01T00:00:00Z' })] },
    { name: 'c.warc.gz', job: 3, rows: [picture('http://a.example/1.png', 'of another job')] },
  )
  const indexes = await indexesOver(made)
  const { path, manifest } = await indexes.dedupIndexFor({ jobs: [1, 2, 9], ...types('text/*') })
  expect(manifest).toMatchObject({
    jobsFound: [1, 2],
    jobsMissing: [9],
    filesMissing: [],
    entryCounts: { url: 3, payload: 3 },
  })
  const file = await opened(made, path)
  const ofUrl = async (url: string) =>
    (await file.find('url', hashOf(surt(url)), 9)).map(({ file: number }) => manifest.files[number])
  expect(await ofUrl('https://a.example/1.png')).toEqual(['b.warc.gz', 'a.warc.gz'])
  expect(await ofUrl('http://a.example/gone.png')).toEqual([])
  expect(await ofUrl('http://a.example/')).toEqual([])
  expect(await ofUrl('http://a.example/r.png')).toEqual([])
  const [newest] = await file.find('url', hashOf(surt('http://a.example/2.png')), 1)
  const same = await file.find('payload', newest?.payloadHash ?? 0n, 9)
  expect(same.map(({ urlHash }) => urlHash).toSorted()).toEqual(
    ['http://a.example/1.png', 'http://a.example/2.png'].map((url) => hashOf(surt(url))).toSorted(),
  )
})

test('answers as a scan of all lines does', async () => {
  const url = fc.constantFrom(...Array.from({ length: 30 }, (_, number) => `http://a.example/${number}.png`))
  const row = fc.record({
    url,
    body: fc.constantFrom('a', 'b', 'c', ''),
    hour: fc.nat({ max: 23 }),
    isText: fc.boolean(),
  })
  const jobs = fc.array(fc.array(row, { maxLength: 40 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(jobs, async (rows) => {
      const made = await createArchive()
      try {
        for (const [number, ofJob] of rows.entries())
          await made.add({
            ...{ name: `${number}.warc.gz`, job: number + 1 },
            rows: ofJob.map(({ url: of, body, hour, isText }) => ({
              ...{ url: of, body, at: `2024-05-01T${String(hour).padStart(2, '0')}:00:00Z` },
              ...(isText ? {} : { fields: png }),
            })),
          })
        const { folder, world, archive, tasks } = made
        const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })
        const { path, manifest } = await indexes.dedupIndexFor({
          jobs: rows.map((_, number) => number + 1),
          ...types('text/*'),
        })
        const file = await openDedupFile(path, world.disk)
        const captures = (await allCaptures(made)).filter(({ mediaType }) => mediaType === 'image/png')
        for (const [order, keyOf] of [
          ['url', ({ key }: Capture) => key],
          ['payload', ({ payloadDigest }: Capture) => payloadDigest],
        ] as const)
          for (const [key, same] of Map.groupBy(captures, keyOf)) {
            const found = (await file?.find(order, hashOf(key), 16)) ?? []
            expect(found.map((entry) => entry.timestampMs)).toEqual(
              same
                .map(({ timestampMs }) => timestampMs)
                .toSorted((one, other) => other - one)
                .slice(0, 16),
            )
            for (const { file: number, offset } of found)
              expect(
                same.some((capture) => capture.filename === manifest.files[number] && capture.offset === offset),
              ).toBe(true)
          }
        expect(await file?.find('url', hashOf('no such key'), 16)).toEqual([])
        await file?.close()
        await indexes.close()
      } finally {
        await made[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 15 },
  )
})

async function allCaptures({ folder, world, archive }: ArchiveFixture): Promise<Capture[]> {
  const lineFolder = join(folder, 'indexes', 'cdx')
  const wanted = (await archive.everything()).files.map((file) => lineFile(lineFolder, file))
  const { files } = await captureLines({ folder: lineFolder, world, archive }, wanted, {
    signal: new AbortController().signal,
  })
  const captures: Capture[] = []
  for (const { lines } of files) {
    const file = await world.disk.openRead(lines)
    for await (const some of linesOf(file))
      captures.push(...some.flatMap((line) => (isCdxjHeader(line) ? [] : (parseCdxjLine(line) ?? []))))
    await file.close()
  }
  return captures
}

test('callers that want the same index share one build, which is a task, and later ones get the file', async () => {
  const made = await archiveWith({ name: 'a.warc.gz', job: 1, rows: [picture('http://a.example/1.png', 'one')] })
  const indexes = await indexesOver(made)
  const asked = { jobs: [1], ...types('text/*') }
  const all = await Promise.all(Array.from({ length: 50 }, () => indexes.dedupIndexFor(asked)))
  expect(new Set(all.map(({ path }) => path)).size).toBe(1)
  await indexes.dedupIndexFor(asked)
  expect(made.tasks.list({ kind: 'index', limit: 9 })).toHaveLength(1)
  const other = await indexes.dedupIndexFor({ jobs: [1], ...types() })
  expect(other.path).not.toBe(all[0]?.path)
  expect(await filesIn(made)).toHaveLength(2)
})

test('an index without a file that cannot be read has another name, and is completed when the file is back', async () => {
  const made = await archiveWith(
    { name: 'a.warc.gz', job: 1, rows: [picture('http://a.example/1.png', 'one')] },
    { name: 'b.warc.gz', job: 1, rows: [picture('http://a.example/2.png', 'two')] },
  )
  const indexes = await indexesOver(made)
  const copy = join(made.folder, 'one', 'b.warc.gz')
  const bytes = await made.world.disk.read(copy, 10_000)
  await rm(copy)
  const asked = { jobs: [1], ...types() }
  const part = await indexes.dedupIndexFor(asked)
  expect(part.manifest).toMatchObject({ files: ['a.warc.gz'], filesMissing: [{ name: 'b.warc.gz' }] })
  expect((await indexes.dedupIndexFor(asked)).path).toBe(part.path)
  part.leave()
  await writeFile(copy, bytes)
  const whole = await indexes.dedupIndexFor(asked)
  expect(whole.manifest).toMatchObject({ files: ['a.warc.gz', 'b.warc.gz'], filesMissing: [] })
  expect(await filesIn(made)).toEqual([whole.path.slice(whole.path.lastIndexOf('/') + 1)])
})

test('a file that was cut or removed is built again, and one in use is not evicted', async () => {
  const made = await archiveWith(
    { name: 'a.warc.gz', job: 1, rows: [picture('http://a.example/1.png', 'one')] },
    { name: 'b.warc.gz', job: 2, rows: [picture('http://a.example/1.png', 'one')] },
    { name: 'c.warc.gz', job: 3, rows: [picture('http://a.example/1.png', 'one')] },
  )
  const indexes = await indexesOver(made, { bytesMax: 1 })
  const first = await indexes.dedupIndexFor({ jobs: [1], ...types() })
  await truncate(first.path, 40)
  const rebuilt = await indexes.dedupIndexFor({ jobs: [1], ...types() })
  expect(rebuilt.manifest.entryCounts).toEqual({ url: 1, payload: 1 })
  await rm(first.path)
  const again = await indexes.dedupIndexFor({ jobs: [1], ...types() })
  const second = await indexes.dedupIndexFor({ jobs: [2], ...types() })
  expect(await filesIn(made)).toHaveLength(2)
  for (const index of [first, rebuilt, again]) index.leave()
  second.leave()
  await indexes.dedupIndexFor({ jobs: [3], ...types() })
  expect(await filesIn(made)).toHaveLength(1)
})

test('captures whose time fits into no entry are left out', async () => {
  const before1970 = picture('http://a.example/old.png', 'old', { at: '1969-12-31T23:59:59Z' })
  const made = await archiveWith({
    ...{ name: 'a.warc.gz', job: 1 },
    rows: [before1970, picture('http://a.example/1.png', 'one')],
  })
  const { manifest } = await (await indexesOver(made)).dedupIndexFor({ jobs: [1], ...types() })
  expect(manifest.entryCounts).toEqual({ url: 1, payload: 1 })
})

test.each([
  ['no JSON', (text: string) => text.replace('{', '[')],
  ['another number of entries', (text: string) => text.replace('"url":1', '"url":2')],
  ['a missing part', (text: string) => text.replace('"files"', '"filez"')],
])('an index with a damaged manifest is built again: %s', async (_, damage) => {
  const made = await archiveWith({ name: 'a.warc.gz', job: 1, rows: [picture('http://a.example/1.png', 'one')] })
  const indexes = await indexesOver(made)
  const asked = { jobs: [1], ...types() }
  const { path, leave } = await indexes.dedupIndexFor(asked)
  leave()
  const good = await readFile(path)
  await writeFile(path, Buffer.from(damage(good.toString('latin1')), 'latin1'))
  expect(await openDedupFile(path, made.world.disk)).toBeUndefined()
  expect((await indexes.list()).find(({ kind }) => kind === 'dedup')).toMatchObject({ selection: null })
  await indexes.dedupIndexFor(asked)
  expect(await readFile(path)).toEqual(good)
})
