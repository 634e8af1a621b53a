import { expect, test } from 'vitest'
import { makeDialogs } from './dialogs.ts'

test('dialogs: one at a time, each with its initial values', () => {
  const store = makeDialogs()
  store.getState().show('export', { jobs: [3] })
  expect(store.getState()).toMatchObject({ open: 'export', selection: { jobs: [3] }, replica: null })
  store.getState().showCheck('checkChecksums', 'TWO')
  expect(store.getState()).toMatchObject({ open: 'checkChecksums', selection: {}, replica: 'TWO' })
  store.getState().show('checkMissing')
  expect(store.getState()).toMatchObject({ open: 'checkMissing', replica: null })
  store.getState().close()
  expect(store.getState().open).toBeNull()
})
