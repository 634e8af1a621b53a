import { expect, it } from 'vitest'
import { selectionOf } from '../../contract/shapes/selection.ts'
import { revisitMediaType } from '../../formats/cdx/capture.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { openDerived } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { wholeIndexOver } from './captureIndex.ts'
import { buildStatements, captureSchema } from './captureIndex.sql.ts'
import { pagesMax, revisitedAtOnce } from '../model/limits.ts'
import { manifestOf } from './manifest.ts'

/** An index in memory. A revisit counts as a page if the original with its digest does. */
function indexOf(rows: readonly { url: string; mediaType?: string; status?: number | null; digest?: string }[]) {
  const store = openDerived(':memory:', captureSchema)
  const { addFile, addCapture, addIndexes } = buildStatements(store)
  const file = addFile.get({ name: '1-1-a.warc.gz', job: 1 })?.id ?? 0
  for (const [at, { url, mediaType = 'text/html', status = 200, digest = '' }] of rows.entries()) {
    const type = mediaType === revisitMediaType ? 'revisit' : 'response'
    addCapture.run([surt(url), at, file, at, 1, url, mediaType, status, digest, type, ''])
  }
  for (const index of addIndexes) index.run({})
  const selecting = { selection: selectionOf({ jobs: [1] }), jobs: [1], jobsMissing: [] }
  const manifest = manifestOf(selecting, { files: [], filesMissing: [] })
  return wholeIndexOver(store, { kept: { manifest, captures: rows.length }, world: seededWorld({ seed: 1 }) })
}

it.each([
  ['as many as the limit', pagesMax, 0],
  ['more than the limit', pagesMax + 7, 7],
])('counts the pages beyond the limit, each URL once: %s', async (_, count, leftOut) => {
  const addresses = Array.from({ length: count }, (_, number) => ({ url: `http://site.example/${number}` }))
  const index = indexOf([...addresses, ...addresses])
  expect(await index.pagesLeftOut()).toBe(leftOut)
  expect(await index.pages({ text: '', limit: count })).toHaveLength(pagesMax)
  index.close()
})

it('lists a URL with revisits only, when the original is a page', async () => {
  const url = (name: string) => `http://site.example/${name}`
  const revisit = { mediaType: revisitMediaType, status: null }
  const revisited = Array.from({ length: revisitedAtOnce * 2 }, (_, at) => ({ ...revisit, url: url(`b${1_000 + at}`), digest: 'page' })) // prettier-ignore
  const index = indexOf([
    { url: url('a'), digest: 'page' },
    { url: url('picture'), mediaType: 'image/png', digest: 'picture' },
    { url: url('gone'), status: 404, digest: 'gone' },
    ...['page', 'picture', 'gone', 'lost', ''].map((digest) => ({ ...revisit, url: url(`of-${digest}`), digest })),
    { ...revisit, url: url('a'), digest: 'page' },
    { ...revisit, url: url('unchanged'), status: 304, digest: 'page' },
    { ...revisit, url: url('redirects'), status: 301, digest: 'page' },
    ...revisited,
  ])
  const pages = await index.pages({ text: '', limit: pagesMax })
  const expected = [url('a'), url('of-page'), url('unchanged'), ...revisited.map((row) => row.url)]
  expect(pages.map((page) => page.url).toSorted()).toEqual(expected.toSorted())
  expect(pages.find((page) => page.url === url('of-page'))).toMatchObject({ status: 200, mediaType: 'text/html' })
  expect(await index.pagesLeftOut()).toBe(0)
  index.close()
})
