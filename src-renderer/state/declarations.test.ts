import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Setting } from '../../src-main/contract/services/settings.ts'
import { makeDeclarations } from './declarations.ts'
import { makeSettings } from './settings.ts'

const path = 'preservation.declared'

/** An engine with this one setting. `refused`: values that it does not save. */
function declarationsOver(start: string[], refused: string[] = []) {
  let saved = start
  let reports = 0
  const row = () => ({ path, value: saved }) as unknown as Setting
  const settings = makeSettings({
    settings: {
      list: () => Promise.resolve([row()]),
      set: ({ value }) => {
        const next = value as string[]
        if (next.some((one) => refused.includes(one))) return Promise.reject(new Fault('noSpace', 'The disk is full.'))
        saved = next
        return Promise.resolve(row())
      },
    },
  })
  const report = { getState: () => ({ report: null, making: false, make, made: () => Promise.resolve(undefined) }) }
  function make(): Promise<void> {
    reports += 1
    return Promise.resolve()
  }
  return { store: makeDeclarations({ settings, report }), saved: () => saved, reports: () => reports }
}

test('a change is shown at once, saved, and followed by a new report', async () => {
  const { store, saved, reports } = declarationsOver(['stableStorage'])
  const done = store.getState().declare('virusChecked', true)
  expect(store.getState().saving).toEqual({ virusChecked: true })
  await done
  expect(saved()).toEqual(['stableStorage', 'virusChecked'])
  await store.getState().declare('stableStorage', false)
  expect([saved(), reports(), store.getState().saving]).toEqual([['virusChecked'], 2, {}])
})

test('changes at the same time are all saved, with one report after the last', async () => {
  const { store, saved, reports } = declarationsOver([])
  const { declare } = store.getState()
  await Promise.all([declare('a', true), declare('b', true), declare('a', false), declare('c', true)])
  expect(saved()).toEqual(['b', 'c'])
  expect([reports(), store.getState().saving]).toEqual([1, {}])
})

test('a change that is not saved is reverted with its fault, until it is tried again', async () => {
  const refused = ['virusChecked']
  const { store, saved, reports } = declarationsOver([], refused)
  await store.getState().declare('virusChecked', true)
  expect(store.getState()).toMatchObject({ saving: {}, faults: { virusChecked: { code: 'noSpace' } } })
  expect([saved(), reports()]).toEqual([[], 0])
  refused.pop()
  const again = store.getState().declare('virusChecked', true)
  expect(store.getState().faults).toEqual({})
  await again
  expect([saved(), reports()]).toEqual([['virusChecked'], 1])
})
