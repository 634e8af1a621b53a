import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import fc from 'fast-check'
import { filesName, jobSet, setName } from './jobSet.ts'

const check = (jobs: number[], name: string) =>
  it(`the set ${jobs.join(', ')} is named ${name}`, () => expect(setName(jobs)).toBe(name))

check([3], '3')
check([17, 3], '3-17')
check([3, 17, 3], '3-17')
check([4, 3, 2, 1], '1-2-3-4')
check([10, 9, 2, 1], '1-2-9-10')
check([5, 4, 3, 2, 1], `1-2-3-4-${createHash('md5').update('1-2-3-4-5').digest('hex')}`)

const jobs = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 })

it('equal sets have equal names, different sets different ones', () => {
  fc.assert(
    fc.property(jobs, jobs, (one, other) => {
      expect(setName([...one].reverse())).toBe(setName([...one, ...one]))
      expect(setName(one) === setName(other)).toBe(JSON.stringify(jobSet(one)) === JSON.stringify(jobSet(other)))
    }),
  )
})

it('the files count whatever their order', () => {
  expect(filesName(['b', 'a'])).toBe(filesName(['a', 'b']))
  expect(filesName(['a', 'b'])).not.toBe(filesName(['a']))
  expect(filesName(['a', '-b'])).not.toBe(filesName(['a', 'b']))
})
