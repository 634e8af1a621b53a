import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { openSavedSearches } from './savedSearches.ts'

test('searches are saved under their names, also for the next start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-searches-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const opened = () => {
    const store = openStore(join(folder, 'loupe.db'))
    return { ...openSavedSearches(store), close: () => store.close() }
  }
  const first = opened()
  first.save({ name: 'Reports', mode: 'urls', query: '*.pdf', match: 'pattern', jobs: [3] })
  first.save({ name: 'fossils', mode: 'text', query: 'fossils lang:de', match: 'prefix', jobs: [] })
  // A name is the same whatever its case.
  first.save({ name: 'Fossils', mode: 'text', query: 'fossils', match: 'prefix', jobs: [] })
  first.close()
  const second = opened()
  expect(second.list()).toEqual([
    { name: 'Fossils', mode: 'text', query: 'fossils', match: 'prefix', jobs: [] },
    { name: 'Reports', mode: 'urls', query: '*.pdf', match: 'pattern', jobs: [3] },
  ])
  second.forget('fossils')
  second.forget('none')
  expect(second.list().map(({ name }) => name)).toEqual(['Reports'])
  second.close()
})
