import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyStates, fileOrders } from '../../../src-main/contract/services/archivedFiles.ts'
import { askedOf, everyFile, filterIn, isNarrow, queryOf, type FileFilter } from './fileFilter.ts'

const filters = fc.record<FileFilter>({
  text: fc.string(),
  job: fc.option(fc.integer({ min: 1, max: 1e9 })),
  state: fc.option(fc.constantFrom(...copyStates)),
  replica: fc.option(fc.string({ minLength: 1 })),
  order: fc.constantFrom(...fileOrders),
  direction: fc.constantFrom('ascending', 'descending'),
})

test('any filter survives a round trip through the URL', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(filterIn(queryOf(filter))).toEqual(filter)
    }),
  )
})

test.each<[string, FileFilter]>([
  ['', everyFile],
  ['state=lost&job=x&order=luck&direction=up&replica=', everyFile],
  ['job=0', everyFile],
  ['state=missing&replica=ONE', { ...everyFile, state: 'missing', replica: 'ONE' }],
])('%j is understood as far as it goes', (query, filter) => expect(filterIn(query)).toEqual(filter))

test('the order does not count as a filter, and unset filters are not requested', () => {
  expect(isNarrow({ ...everyFile, order: 'bytes', direction: 'descending' })).toBe(false)
  expect(isNarrow({ ...everyFile, job: 3 })).toBe(true)
  expect(askedOf(everyFile)).toEqual({ order: 'name', direction: 'ascending' })
  expect(askedOf({ ...everyFile, text: 'a', job: 2 })).toEqual({
    text: 'a',
    job: 2,
    order: 'name',
    direction: 'ascending',
  })
})
