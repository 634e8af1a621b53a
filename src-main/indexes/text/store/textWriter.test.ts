import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExtractedText } from '../../../formats/text/extracted.ts'
import type { Store } from '../../../storage/storage.ts'
import { textSearcher } from '../query/searchIndex.ts'
import { openTextStore } from './textStore.ts'
import { textWriter, type TextDocument } from './textWriter.ts'

let store: Store
beforeEach(() => void (store = openTextStore(':memory:')))
afterEach(() => store.close())

function textOf(text: string, more: Partial<ExtractedText> = {}): ExtractedText {
  return { title: '', headings: [], description: '', text, language: 'en', findings: [], ...more }
}

function documentOf(path: string, key: string, text: ExtractedText | undefined, more: Partial<TextDocument> = {}) {
  const place = { job: 1, capturedMs: Date.UTC(2026, 0, 1), part: '', status: 200, mediaType: 'text/html', offset: 0 }
  return { ...place, url: `http://a.test/${path}`, file: '1-1-a.warc.gz', key, text, ...more }
}

/** Paths of the documents with a word, in the order of the search. */
function found(query: string): string[] {
  const answer = textSearcher(store).search({ query, offset: 0, limit: 20, withFacets: false })
  if ('fault' in answer) throw new Error(JSON.stringify(answer.fault))
  return answer.results.map(({ url }) => url.slice('http://a.test/'.length))
}

const contents = () =>
  store.statement<object, { title: string; heading: string }>('SELECT title, heading FROM content ORDER BY key').all({})
const words = () => store.statement<object, { rowid: number }>('SELECT rowid FROM words').all({}).length

test('a content that an earlier version read is replaced with all that was read', () => {
  const writer = textWriter(store)
  writer.write([documentOf('a', 'k', textOf('earlier', { title: 'Old', headings: ['Past'] }))])
  store.statement('UPDATE content SET extraction = 0').run({})
  expect(writer.has('k')).toBe(false)
  writer.write([documentOf('a', 'k', textOf('later', { title: 'New', headings: ['Present'] }))])
  expect(contents()).toEqual([{ title: 'New', heading: 'Present' }])
  expect(['earlier', 'old', 'past', 'later', 'new', 'present'].map((word) => found(word).length)).toEqual([
    ...[0, 0, 0],
    ...[1, 1, 1],
  ])
})

test('a content that a batch adds and makes unused is not there', () => {
  // Of two contents of one capture, that with the smaller key counts.
  textWriter(store).write([
    documentOf('a', 'z', textOf('first')),
    documentOf('a', 'b', textOf('second')),
    documentOf('b', 'c', textOf('other')),
  ])
  expect([found('first'), found('second'), found('other')]).toEqual([[], ['a'], ['b']])
  expect(words()).toBe(2)
  expect(contents()).toHaveLength(2)
})

test('a batch that fails leaves nothing for the next one', () => {
  const writer = textWriter(store)
  const broken = documentOf('b', 'k2', textOf('broken'), { offset: Symbol('not a number') as unknown as number })
  expect(() => writer.write([documentOf('a', 'k1', textOf('whole')), broken])).toThrow()
  writer.write([documentOf('c', 'k3', textOf('later'))])
  expect([found('whole'), found('broken'), found('later')]).toEqual([[], [], ['c']])
  expect(words()).toBe(1)
})

test('a revisit has the text of an original that comes later, also in the same batch', () => {
  textWriter(store).write([documentOf('again', 'k', undefined), documentOf('original', 'k', textOf('said once'))])
  const answer = textSearcher(store).search({ query: 'said', offset: 0, limit: 20, withFacets: false })
  expect(answer).toMatchObject({ results: [{ captures: 2, urls: 2 }] })
})
