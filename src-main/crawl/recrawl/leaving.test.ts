import { describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/contract.ts'
import { inheritanceOf } from '../carried/inheritance.ts'
import { openRange } from '../hops/range.ts'
import { leave } from './leaving.ts'
import { madeList, type ListedDocument } from './madeList.ts'

const parent = 'http://a.test/feed'
const child = 'http://a.test/entry'
const definition = harvestDefinition.parse({ seeds: ['http://a.test/'], maxHops: 3 })

/** A parent that is about to leave, and its child in the given state. */
function trial(of: Pick<ListedDocument, 'state' | 'outcome'>) {
  const list = madeList()
  const id = list.add({ url: parent, state: 'BEINGCLEANED' })
  const { store, job } = list
  store.transaction(() => {
    inheritanceOf(store, job).replace(parent, [{ url: child, name: 'title', value: 'Roses' }], 0)
    const range = openRange(store, job, definition)
    range?.setSeeds([parent])
    range?.read({ url: parent, role: 'page' }, [{ url: child, kind: 'navigation' }], [])
  })
  // Last: it has heard of nothing yet.
  const entry = list.add({ url: child, ...of })
  const go = (...ids: { id: number; url: string }[]) =>
    store.transaction(() => leave({ store, job, definition }, ids, 'notFound', 7))
  return { ...list, go, id, entry }
}

describe('a document that leaves', () => {
  test.each([
    ['COMPLETE', 'fetched', 'PENDINGPURGATORY'],
    ['COMPLETE', 'excluded', 'COMPLETE'],
    ['ACTIVEPURGATORY', null, 'ACTIVENEEDRESCANPURGATORY'],
    ['BEINGCLEANED', null, 'PENDINGPURGATORY'],
    ['PURGATORY', null, 'PURGATORY'],
  ] as const)('its child that is %s (%s) is %s then', (state, outcome, after) => {
    const { go, id, states, column, store, job } = trial({ state, outcome })
    const waits = after === 'PENDINGPURGATORY'
    expect(go({ id, url: parent })).toEqual(waits ? [child] : [])
    expect(states()).toEqual({ [child]: after })
    if (waits) expect([column('needs_priority'), column('due_ms')]).toEqual([{ [child]: 1 }, { [child]: 7 }])
    expect(inheritanceOf(store, job).of(child)).toEqual([])
  })

  test('its links lead nowhere any more', () => {
    const { go, id, store, job } = trial({ state: 'COMPLETE', outcome: 'fetched' })
    const beyond = () => openRange(store, job, definition)?.beyond({ url: child, role: 'page' })
    expect(beyond()).toBeUndefined()
    go({ id, url: parent })
    store.transaction(() => openRange(store, job, definition)?.follow())
    expect(beyond()).toMatch(/no way leads there/)
  })

  test('a child that leaves with it is not looked at', () => {
    const { go, id, entry, states } = trial({ state: 'BEINGCLEANED' })
    expect(go({ id, url: parent }, { id: entry, url: child })).toEqual([])
    expect(states()).toEqual({})
  })
})
