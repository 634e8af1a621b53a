import { expect, test } from 'vitest'
import { hasValue, toggleValue, type Facet } from './queryFields.ts'

test.each<[query: string, facet: Facet, value: string, expected: string]>([
  ['fossils', 'host', 'a.example', 'fossils host:a.example'],
  ['fossils host:b.example', 'host', 'a.example', 'fossils host:b.example host:a.example'],
  ['"two words" -hotel', 'language', 'de', '"two words" -hotel lang:de'],
  ['', 'job', '3', 'job:3'],
  ['fossils', 'type', 'text/html', 'fossils type:text/html'],
  ['fossils', 'type', 'a b', 'fossils type:"a b"'],
  ['fossils', 'year', '2024', 'fossils after:2024 before:2025'],
  ['fossils after:2019-05 before:2020', 'year', '2024', 'fossils after:2024 before:2025'],
  ['fossils', 'year', '2024-05', 'fossils after:2024-05 before:2024-06'],
  ['fossils', 'year', '2024-12', 'fossils after:2024-12 before:2025-01'],
  ['an open "phrase', 'status', '404', 'an open "phrase status:404'],
])('%s with %s %s is %s, and without it what it was', (query, facet, value, expected) => {
  expect(hasValue(query, facet, value)).toBe(false)
  const added = toggleValue(query, facet, value)
  expect(added).toBe(expected)
  // A quotation mark that is not closed takes in everything after it.
  if (query.includes('open "phrase')) return
  expect(hasValue(added, facet, value)).toBe(true)
  const period = query.includes('after:') ? 'fossils' : query
  expect(toggleValue(added, facet, value)).toBe(period)
})

test('a field is found whatever its case', () => {
  expect(hasValue('x HOST:A.example', 'host', 'a.example')).toBe(true)
  expect(toggleValue('x HOST:A.example', 'host', 'a.example')).toBe('x')
})
