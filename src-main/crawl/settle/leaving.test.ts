import { describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { inheritanceOf } from './carried/inheritance.ts'
import { openRange } from './hops/range.ts'
import { leave } from './leaving.ts'
import { crawlListFixture, type ListedDocument } from './testing/crawlListFixture.ts'

const parent = 'http://a.test/feed'
const child = 'http://a.test/entry'
const unlimited = harvestDefinition.parse({ seeds: ['http://a.test/'] })
const limited = harvestDefinition.parse({ seeds: ['http://a.test/'], maxHops: 3 })

/** A parent that is about to be removed, and its child in the given state. */
function trial(of: Pick<ListedDocument, 'state' | 'outcome'>, definition = unlimited) {
  const list = crawlListFixture()
  const id = list.add({ url: parent, state: 'BEINGCLEANED' })
  const { store, job } = list
  store.transaction(() => {
    inheritanceOf(store, job).replace(parent, [{ url: child, name: 'title', value: 'Roses' }], 0)
    const range = openRange(store, job, definition)
    range?.setSeeds([parent])
    range?.read({ url: parent, role: 'page' }, [{ url: child, kind: 'navigation' }], [])
  })
  // Added last, so that the data of its parent does not change it.
  const entry = list.add({ url: child, ...of })
  const go = (...ids: { id: number; url: string }[]) =>
    store.transaction(() => leave({ store, job, definition }, ids, 'notFound', 7))
  return { ...list, go, id, entry }
}

describe('a removed document', () => {
  test.each([
    ['COMPLETE', 'fetched', 'PENDINGPURGATORY'],
    ['COMPLETE', 'excluded', 'COMPLETE'],
    ['ACTIVEPURGATORY', null, 'ACTIVENEEDRESCANPURGATORY'],
    ['BEINGCLEANED', null, 'PENDINGPURGATORY'],
    ['PURGATORY', null, 'PURGATORY'],
  ] as const)('its child that is %s (%s) becomes %s', (state, outcome, after) => {
    const { go, id, states, column, store, job } = trial({ state, outcome })
    const waits = after === 'PENDINGPURGATORY'
    expect(go({ id, url: parent })).toBe(true)
    expect(states()).toEqual({ [child]: after })
    if (waits) expect([column('needs_priority'), column('due_ms')]).toEqual([{ [child]: 1 }, { [child]: 7 }])
    expect(inheritanceOf(store, job).of(child)).toEqual([])
  })

  test.each([
    ['PENDING', null, 'HOPCOUNTREMOVED'],
    ['PENDINGPURGATORY', 'fetched', 'HOPCOUNTREMOVED'],
    ['COMPLETE', 'fetched', 'HOPCOUNTREMOVED'],
    ['COMPLETE', 'excluded', 'COMPLETE'],
    // Updated when its turn has ended.
    ['ACTIVEPURGATORY', null, 'ACTIVENEEDRESCANPURGATORY'],
  ] as const)(
    'its child without any other path, %s (%s), becomes %s in the same transaction',
    (state, outcome, after) => {
      const { go, id, states, store, job } = trial({ state, outcome }, limited)
      const beyond = () => openRange(store, job, limited)?.beyond({ url: child, role: 'page' })
      expect(beyond()).toBeUndefined()
      expect(go({ id, url: parent })).toBe(true)
      expect(states()).toEqual({ [child]: after })
      expect(beyond()).toMatchObject({ code: 'hops.unreachable' })
    },
  )

  test('a child that is removed with it is not updated', () => {
    const { go, id, entry, states } = trial({ state: 'BEINGCLEANED' })
    go({ id, url: parent }, { id: entry, url: child })
    expect(states()).toEqual({})
  })
})
