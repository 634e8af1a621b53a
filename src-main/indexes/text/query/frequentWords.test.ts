import { expect, test } from 'vitest'
import { frequentWords } from './frequentWords.ts'

const index = (documents: Record<string, number>) => ({
  contents: 1_000,
  documentsWith: (word: string) => documents[word] ?? 0,
})
const wordsOf = (texts: string[], documents: Record<string, number> = {}, query: string[] = [], limit = 10) =>
  frequentWords(texts, { queryWords: new Set(query), limit, index: index(documents) })

test('what is frequent in the results and rare elsewhere comes first', () => {
  const found = wordsOf(['the museum of lanterns', 'the lanterns', 'the harbour'], {
    the: 990,
    lanterns: 4,
    museum: 30,
    harbour: 900,
  })
  expect(found.map(({ word, documents }) => [word, documents])).toEqual([
    ['lanterns', 2],
    ['museum', 1],
    ['harbour', 1],
    ['the', 3],
  ])
  expect(found[0]?.weight).toBeGreaterThan(10 * (found[3]?.weight ?? 0))
})

test('a word counts once per result, in any case and with any accents, and words of the query do not', () => {
  expect(wordsOf(['Café café CAFE', 'cafe lantern'], {}, ['lantern']).map(({ word, documents }) => [word, documents])).toEqual([['cafe', 2]]) // prettier-ignore
})

test('numbers and very short words are left out, and the number of words is bounded', () => {
  expect(wordsOf(['in 2024 we saw 17 owls']).map(({ word }) => word)).toEqual(['owls', 'saw'])
  expect(wordsOf([Array.from({ length: 500 }, (_, at) => `word${at}x`).join(' ')], {}, [], 60)).toHaveLength(60)
})

test('scripts without spaces are divided into words', () => {
  expect(wordsOf(['東京の博物館', '博物館']).map(({ word, documents }) => [word, documents])[0]).toEqual(['博物館', 2])
})

test('no results have no words', () => expect(wordsOf([])).toEqual([]))
