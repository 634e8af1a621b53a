import { expect, it } from 'vitest'
import type { Indexes } from '../indexes.ts'
import { pagesMax } from '../model/limits.ts'
import type { Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'

const urlOf = (name: string) => `http://site.example/${name}`
const contentOf = (name: string, mediaType = 'text/html'): Row => ({
  url: urlOf(name),
  at: '2026-01-01T00:00:00Z',
  fields: [['Content-Type', mediaType]],
  body: `the content of ${name}`,
})
const originals = { name: '1-1-a.warc.gz', job: 1, rows: [contentOf('page'), contentOf('picture', 'image/png')] }
const others = { name: '2-1-a.warc.gz', job: 2, rows: [contentOf('other')] }

/** Revisits of captures of these names, as a harvester writes them that also names the file. */
async function revisitsOf(indexes: Indexes, names: Record<string, string | undefined>): Promise<Row[]> {
  using index = held(await indexes.captureIndexFor({ jobs: [1, 2] }))
  return Object.entries(names).map(([name, filename]) => ({
    url: urlOf(name),
    at: '2026-02-01T00:00:00Z',
    type: 'revisit',
    block: Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'),
    warcFields: [
      ['WARC-Payload-Digest', index.captures(urlOf(name))[0]?.payloadDigest ?? 'sha1:WYFSLGDZKAD7LTC4KJGTNI2GQJLIPWZ5'],
      ...(filename === undefined ? [] : [['WARC-Refers-To-Filename', filename] as const]),
    ],
  }))
}

const held = <T extends { close(): void }>(closed: T) =>
  Object.assign(closed, { [Symbol.dispose]: () => closed.close() })

/** An archive whose job 3 consists of revisits, with no capture database. */
async function archiveOf(names: Record<string, string | undefined>) {
  const made = await archiveWith(originals, others)
  const before = await indexesOver(made)
  await made.add({ name: '3-1-a.warc.gz', job: 3, rows: await revisitsOf(before, names) })
  for (const index of await before.list()) await before.drop(index)
  return { made, indexes: await indexesOver(made) }
}

const databases = async (indexes: Indexes) => (await indexes.list()).filter(({ kind }) => kind === 'captures').length

it('pages that a job has only revisits of are listed, with the capture of the other job that has their content', async () => {
  const { indexes } = await archiveOf({ page: originals.name, picture: originals.name, other: others.name })
  using index = held(await indexes.captureIndexFor({ jobs: [3] }))
  const pages = () => index.pages({ text: '', limit: pagesMax })
  await expect
    .poll(async () => (await pages()).map(({ url }) => url), { timeout: 60_000 })
    .toEqual([urlOf('page'), urlOf('other')])
  const [page] = await pages()
  expect(page).toMatchObject({ status: 200, mediaType: 'text/html', timestampMs: Date.UTC(2026, 1, 1) })
  expect(page?.original).toMatchObject({ filename: originals.name, job: 1, offset: 0, recordType: 'response' })
  // Those of the jobs 1, 2 and 3.
  expect(await databases(indexes)).toBe(3)
  expect(await index.pages({ text: 'oth', limit: 10 })).toHaveLength(1)
})

it('a database that has the file is searched, and no other is built', async () => {
  const { indexes } = await archiveOf({ page: originals.name, other: others.name })
  ;(await indexes.captureIndexFor({ jobs: [1, 2] })).close()
  using index = held(await indexes.captureIndexFor({ jobs: [3] }))
  const pages = async () => (await index.pages({ text: '', limit: pagesMax })).length
  await expect.poll(pages, { timeout: 60_000 }).toBe(2)
  expect(await databases(indexes)).toBe(2)
})

it('a revisit is found by its payload, whichever file it names, and not listed if no searched job has that', async () => {
  const names = { page: '9-1-absent.warc.gz', other: undefined, changed: originals.name }
  const { indexes } = await archiveOf(names)
  using index = held(await indexes.captureIndexFor({ jobs: [3] }))
  const pages = async () => (await index.pages({ text: '', limit: pagesMax })).map(({ url }) => url)
  expect(await pages()).toEqual([])
  // The database of the one job that is named has the payload of the page.
  await expect.poll(pages, { timeout: 60_000 }).toEqual([urlOf('page')])
  expect(await databases(indexes)).toBe(2)
  await indexes.close()
  expect(await pages()).toEqual([urlOf('page')])
})
