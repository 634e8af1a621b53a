import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import fc from 'fast-check'
import { selectionOf, type Selection } from '../../contract/shapes/selection.ts'
import { filesName, selectionName } from './selectionName.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const check = (selection: Selection, name: string) =>
  it(`${JSON.stringify(selection)} is named ${name}`, () => expect(selectionName(selection)).toBe(name))

check({ jobs: [3] }, '3')
check({ jobs: [17, 3] }, '3-17')
check({ jobs: [3, 17, 3] }, '3-17')
check({ jobs: [4, 3, 2, 1] }, '1-2-3-4')
check({ jobs: [10, 9, 2, 1] }, '1-2-9-10')
check({ jobs: [5, 4, 3, 2, 1] }, `1-2-3-4-${md5('1-2-3-4-5')}`)
check({ files: ['b.warc', 'a.warc'] }, `files-${md5('a.warc\nb.warc')}`)
check({ jobs: [17, 3], files: ['a.warc'] }, `3-17-files-${md5('a.warc')}`)
check({ all: true }, 'all')

const selections = fc.record({
  jobs: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 8 }),
  files: fc.array(fc.stringMatching(/^[a-c1-3.-]{1,3}$/), { maxLength: 3 }),
  all: fc.boolean(),
})

it('equal selections have equal names, different ones different names, and no name has a dot', () => {
  fc.assert(
    fc.property(selections, selections, (one, other) => {
      expect(selectionName({ ...one, jobs: one.jobs.toReversed() })).toBe(selectionName(one))
      const areSame = JSON.stringify(selectionOf(one)) === JSON.stringify(selectionOf(other))
      expect(selectionName(one) === selectionName(other)).toBe(areSame)
      expect(selectionName(one)).not.toContain('.')
    }),
  )
})

it('the order of the files does not matter', () => {
  expect(filesName(['b', 'a'])).toBe(filesName(['a', 'b']))
  expect(filesName(['a', 'b'])).not.toBe(filesName(['a']))
  expect(filesName(['a', '-b'])).not.toBe(filesName(['a', 'b']))
})
