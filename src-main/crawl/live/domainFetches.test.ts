import { expect, test } from 'vitest'
import { domainFetches } from './domainFetches.ts'

test('requests are counted by registered domain until each has ended', () => {
  const fetches = domainFetches()
  const ends = ['http://www.example.org/', 'https://img.example.org:8443/', 'http://b.test/'].map(fetches.begin)
  expect([fetches.count('example.org'), fetches.count('b.test'), fetches.count('c.test')]).toEqual([2, 1, 0])
  for (const end of ends) end()
  expect([fetches.count('example.org'), fetches.count('b.test')]).toEqual([0, 0])
})
