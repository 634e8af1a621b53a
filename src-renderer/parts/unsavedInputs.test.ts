import { expect, test } from 'vitest'
import { unsavedInputs } from './unsavedInputs.ts'

test('unsaved input of a dialog counts for the window, but not the reverse', () => {
  const window = unsavedInputs()
  const dialog = unsavedInputs(window)
  const endOther = window.hold()
  expect([window.isHeld(), dialog.isHeld()]).toEqual([true, false])
  const endOne = dialog.hold()
  const endTwo = dialog.hold()
  endOther()
  endOne()
  endOne()
  expect([window.isHeld(), dialog.isHeld()]).toEqual([true, true])
  endTwo()
  expect([window.isHeld(), dialog.isHeld()]).toEqual([false, false])
})
