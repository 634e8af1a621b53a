import { expect, test } from 'vitest'
import { rewindable } from './rewindableStore.ts'
import { openStore } from '../storage.ts'

const store = rewindable(openStore(':memory:'))
const add = (name: string) =>
  store
    .statement<{ name: string }>(
      `INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, 'event', '{}', 0)`,
    )
    .run({ name })
const rows = () => store.statement<object, { id: number; name: string }>('SELECT id, name FROM harvest').all({})

test.each(['transaction', 'unsyncedTransaction'] as const)(
  'what a %s wrote is gone, and numbers start again',
  (kind) => {
    store[kind](() => store.transaction(() => add('one')))
    add('two')
    expect(rows()).toEqual([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ])
    store.rewind()
    expect(rows()).toEqual([])
    add('three')
    expect(rows()).toEqual([{ id: 1, name: 'three' }])
    store.rewind()
  },
)

test.each(['transaction', 'unsyncedTransaction'] as const)('a %s that fails is undone alone, and whole', (kind) => {
  add('before')
  expect(() =>
    store[kind](() => {
      add('half')
      throw new Error('no other half')
    }),
  ).toThrow('no other half')
  expect(rows().map(({ name }) => name)).toEqual(['before'])
  store.rewind()
})
