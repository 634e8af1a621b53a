import { expect, test } from 'vitest'
import { askedOf, filterOf, queryOf } from './generatedFilter.ts'

test.each(['', 'status=FAILED&harvest=3&run=2', 'domain=example.org&from=5&to=9'])('%j both ways', (query) => {
  const filter = filterOf(query)
  expect(Object.fromEntries(new URLSearchParams(queryOf(filter)))).toEqual(
    Object.fromEntries(new URLSearchParams(query)),
  )
})

test('leaves out what is empty or unknown', () => {
  expect(askedOf(filterOf('status=LOST&harvest=x&from=0&domain=%20'))).toEqual({})
  expect(askedOf(filterOf('status=DONE&domain=Example.ORG&to=7'))).toEqual({
    status: 'DONE',
    domain: 'example.org',
    to: 7,
  })
})
