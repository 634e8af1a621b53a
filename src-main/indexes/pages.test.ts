import { expect, it } from 'vitest'
import { surt } from '../formats/cdx/surt.ts'
import { openDerived } from '../storage/storage.ts'
import { seededWorld } from '../world/seeded.ts'
import { wholeIndexOver } from './captureIndex.ts'
import { buildStatements, captureSchema } from './captureIndex.sql.ts'
import { pagesMax } from './limits.ts'
import { manifestOf } from './manifest.ts'

it.each([
  ['as many as can be listed', pagesMax, 0],
  ['some more', pagesMax + 7, 7],
])('of %s it is known how many there are, each address once', async (_, count, leftOut) => {
  const store = openDerived(':memory:', captureSchema)
  const { addFile, addCapture, addIndexes } = buildStatements(store)
  const file = addFile.get({ name: '1-1-a.warc.gz', job: 1 })?.id ?? 0
  for (let number = 0; number < count * 2; number++) {
    const url = `http://site.example/${number % count}`
    addCapture.run([surt(url), number, file, number, 1, url, 'text/html', 200, '', 'response', ''])
  }
  for (const index of addIndexes) index.run({})
  const manifest = manifestOf({ jobs: [1], jobsFound: [1], files: [], filesMissing: [] })
  const index = wholeIndexOver(store, { kept: { manifest, captures: count * 2 }, world: seededWorld({ seed: 1 }) })
  expect(index.pagesLeftOut()).toBe(leftOut)
  expect(await index.pages({ text: '', limit: count })).toHaveLength(pagesMax)
  index.close()
})
