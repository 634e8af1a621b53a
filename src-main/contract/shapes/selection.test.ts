import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '../calls/refusedValue.ts'
import { textOf } from '../words/render.ts'
import { selecting, selectionOf, selectionShape, selectionText, type Selection } from './selection.ts'

const selections = fc.record({
  jobs: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 }),
  files: fc.array(fc.constantFrom('a.warc.gz', 'b.warc.gz', 'c.arc'), { maxLength: 6 }),
  all: fc.boolean(),
})

it('has one canonical form', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      const whole = selectionOf(selection)
      const { jobs, files, all } = selection
      expect(selectionOf(whole)).toEqual(whole)
      expect(selectionOf({ jobs: jobs.toReversed(), files: [...files, ...files], all })).toEqual(whole)
      expect(new Set(whole.jobs)).toEqual(new Set(all ? [] : jobs))
      expect(new Set(whole.files)).toEqual(new Set(all ? [] : files))
    }),
  )
})

test.each<[Selection, string]>([
  [{ jobs: [3] }, 'job 3'],
  [{ jobs: [4, 3] }, 'jobs 3, 4'],
  [{ jobs: [1, 2, 3, 4, 5, 6, 7] }, 'jobs 1, 2, 3, 4, 5 and 2 more'],
  [{ files: ['a.warc.gz'] }, 'file a.warc.gz'],
  [{ jobs: [3], files: ['b.warc', 'a.warc'] }, 'job 3 and files a.warc, b.warc'],
  [{ all: true, jobs: [3] }, 'everything in the archive'],
])('%j is described as "%s"', (selection, text) => expect(selectionText(selection)).toBe(text))

const shape = selecting(z.strictObject(selectionShape))

test.each<[string, unknown]>([
  ['nothing', {}],
  ['empty lists', { jobs: [], files: [] }],
  ['not everything', { all: false }],
])('%s is not a selection', (_, given) => {
  const { error } = shape.safeParse(given)
  expect(error && textOf(refusalOf(error, given))).toBe('The input must select jobs, files, or everything ("all").')
})

test('omits what is not selected', () => {
  expect(shape.parse({ jobs: [1] })).toEqual({ jobs: [1], files: [], all: false })
  expect(shape.parse({ all: true })).toEqual({ jobs: [], files: [], all: true })
})
