import { expect, test } from 'vitest'
import { nameRanker } from './nameMatch.ts'

test.each([
  ['mus', 'a museum', 'begins'],
  ['art mus', 'museum of art', 'begins'],
  ['b.e', 'a.b.example', 'begins'],
  ['useum', 'a museum', 'contains'],
  ['um of a', 'museum of art', 'contains'],
  ['.', 'a.test', 'contains'],
  ['', 'a museum', 'contains'],
  ['msm', 'a museum', 'inOrder'],
  ['u m', 'museum', 'inOrder'],
  ['mm', 'museu', undefined],
  ['museum!', 'museum', 'begins'],
  ['x', 'museum', undefined],
])('%s and %s: %s', (text, name, rank) => expect(nameRanker(text)(name)).toBe(rank))
