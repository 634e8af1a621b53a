import { expect, test } from 'vitest'
import { askedOf, draftOf } from './growthDraft.ts'

test('the whole archive by month and host, unless an address names something else', () => {
  expect(askedOf(draftOf(''))).toEqual({
    ...{ jobs: [], all: true, period: 'month', by: 'host', groupsMax: 5, isCumulative: false },
  })
  expect(askedOf(draftOf('domain=a.test&jobs=1,2'))).toMatchObject({
    ...{ jobs: [1, 2], all: false, domain: 'a.test', isCumulative: true },
  })
})

test('nothing is asked while the jobs are no numbers, and no groups for the whole', () => {
  expect(askedOf({ ...draftOf(''), jobs: '1, x' })).toBeUndefined()
  expect(askedOf({ ...draftOf(''), by: 'whole' })).not.toHaveProperty('by')
})
