import { expect, test } from 'vitest'
import { unsavedInputs } from './unsavedInputs.ts'

test('what a dialog holds the window holds too, and not the other way round', () => {
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
