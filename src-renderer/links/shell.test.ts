import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { electronShell } from './shell.ts'
import type { LoupeWindow } from './window.ts'

/** A preload that refuses to show the exports in `absent`, and records those that it shows. */
function preload(absent: readonly number[]) {
  const shown: number[] = []
  const showExported: LoupeWindow['showExported'] = (number) => {
    if (absent.includes(number)) return Promise.resolve({ fault: { code: 'notFound', text: 'It was moved.' } })
    shown.push(number)
    return Promise.resolve({ value: null })
  }
  return { shown, loupe: { showExported } as LoupeWindow }
}

test('the application shows the file of an export in its folder', async () => {
  const { shown, loupe } = preload([])
  const { exported } = electronShell(loupe)
  expect(exported.is).toBe('folder')
  await exported.open(3)
  expect(shown).toEqual([3])
})

test('a file that cannot be shown is a fault', async () => {
  const { shown, loupe } = preload([3])
  await expect(electronShell(loupe).exported.open(3)).rejects.toEqual(new Fault('notFound', 'It was moved.'))
  expect(shown).toEqual([])
})
