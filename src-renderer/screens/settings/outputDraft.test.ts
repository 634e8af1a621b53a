import { expect, test } from 'vitest'
import { outputInput, type OutputRow } from '../../../src-main/contract/services/outputs.ts'
import {
  addedOutput,
  changedOutput,
  newOutput,
  outputControlOf,
  outputDraftOf,
  type OutputDraft,
} from './outputDraft.ts'

const rowOf = (given: object): OutputRow => ({
  ...outputInput.parse({ name: 'a', ...given }),
  ...{ destination: 1, problem: null, jobs: 0, pending: 0 },
  counts: { delivered: 0, waiting: 0, failed: 0, removed: 0, notTaken: 0 },
})
const url = 'http://localhost:8983/solr/pages'

test.each<[string, Partial<OutputDraft>, object]>([
  [
    'Solr',
    { url, fields: 'url, title', headers: 'Authorization: Basic eDp5\n\nA: b: c' },
    {
      connector: 'solr',
      url,
      fields: ['url', 'title'],
      headers: { Authorization: 'Basic eDp5', A: 'b: c' },
      idField: 'id',
      commitWithinMs: 10_000,
    },
  ],
  [
    'OpenSearch',
    { connector: 'openSearch', url, index: 'pages' },
    { connector: 'openSearch', url, index: 'pages', fields: [], headers: {} },
  ],
  ['a folder', { connector: 'folder', folder: ' /srv/copies ' }, { connector: 'folder', folder: '/srv/copies' }],
  [
    'a module',
    { connector: 'module:Shelf', settings: 'place=left' },
    { connector: 'module', name: 'Shelf', settings: { place: 'left' } },
  ],
])('%s is added, and its form is as it was typed', (_, typed, settings) => {
  const made = addedOutput({ ...newOutput, name: 'a', ...typed })
  expect(made).toMatchObject({ value: { name: 'a', settings, steps: ['title', 'text'], requestsMax: 2 } })
  if ('problems' in made) return
  const row = rowOf(made.value)
  const again = changedOutput(outputDraftOf(row), row)
  expect(again).toMatchObject({ value: { settings } })
})

test('a change keeps settings that the form does not show', () => {
  const row = rowOf({ settings: { connector: 'solr', url, commitWithinMs: 5 } })
  expect(changedOutput({ ...outputDraftOf(row), fields: 'title' }, row)).toMatchObject({
    value: { settings: { commitWithinMs: 5, fields: ['title'] } },
  })
})

test.each<[string, Partial<OutputDraft>, string]>([
  ['no name', { url }, 'output.name'],
  ['a name that is too long', { name: 'x'.repeat(33), url }, 'output.name'],
  ['a URL that is none', { name: 'a', url: 'solr' }, 'output.url'],
  ['an index in capitals', { name: 'a', connector: 'openSearch', url, index: 'Pages' }, 'output.index'],
  ['no folder', { name: 'a', connector: 'folder' }, 'output.folder'],
  ['no requests', { name: 'a', url, requestsMax: 0 }, 'output.requestsMax'],
])('%s is refused at its field', (_, typed, control) => {
  const made = addedOutput({ ...newOutput, ...typed })
  expect('problems' in made && made.problems.map(({ path }) => outputControlOf(path))).toEqual([control])
})
