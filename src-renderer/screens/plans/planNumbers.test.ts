import { expect, test } from 'vitest'
import type { DeliveryProgress } from '../../../src-main/contract/services/deliveries.ts'
import { documentPlace } from './documentPlace.ts'
import { conditionOf, planNumbers } from './planNumbers.ts'

const progress: DeliveryProgress = {
  ...{ version: 1, started: '2026-11-20T12:00:00Z', ended: null },
  edges: [{ from: 's', to: 'd', documents: 7 }],
  steps: [{ step: 'd', done: 6, dropped: 0, failed: 1 }],
}
const destination = { id: 1, scanner: 's', destination: 'd<-via->a', step: 'd', counts: { INDEXED: 2 } }

test('without a run lines have no numbers; with one that has not reported yet, they have 0', () => {
  expect(planNumbers(null, []).passed('s', 'd')).toBeUndefined()
  expect(planNumbers(null, []).step('d')).toBeUndefined()
  const begun = planNumbers({ ...progress, edges: [], steps: [] }, [])
  expect([begun.passed('s', 'd'), begun.step('d')?.done]).toEqual([0, 0])
  expect(planNumbers(progress, []).passed('s', 'd')).toBe(7)
})

test('a destination that is reached over several branches has the documents of all', () => {
  const numbers = planNumbers(progress, [destination, { ...destination, id: 2, destination: 'd<-via->b' }])
  expect(numbers.now('d')).toMatchObject({ INDEXED: 4 })
  expect(numbers.now('s')).toBeUndefined()
})

test.each([
  [{ kind: 'all' }, null],
  [
    { kind: 'field', field: 'f', values: { a: 'x', b: 'y', c: 'x' } },
    { values: ['a', 'c'], isOtherwise: false },
  ],
  [
    { kind: 'field', field: 'f', values: {}, otherwise: 'x' },
    { values: [], isOtherwise: true },
  ],
  [
    { kind: 'stepName', field: 'f', values: { a: 'x' } },
    { values: ['x', 'a'], isOtherwise: false },
  ],
] as const)('router %j leads to x by %j', (router, condition) => {
  const step = { name: 's', kind: 'k', role: 'scanner', effect: 'safe', isMutating: false, guarantee: null } as const
  expect(conditionOf({ ...step, after: [], router }, 'x')).toEqual(condition)
})

test.each([
  ['captures', '12 http://a.test/b c', { place: 'capture', job: 12, url: 'http://a.test/b c' }],
  ['captures', '12 http://a.test/⇛0⇛3', { place: 'capture', job: 12, url: 'http://a.test/' }],
  ['captures', 'x http://a.test/', null],
  ['selection', 'a b.warc.gz 512', { place: 'record', file: 'a b.warc.gz', offset: 512, number: null }],
  ['selection', 'a.warc', null],
  ['warcFolder', 'a.warc 512', null],
])('%s %s leads to %j', (kind, document, place) => expect(documentPlace(kind, document)).toEqual(place))
