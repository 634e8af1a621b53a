import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realMemory } from './realMemory.ts'

test('unreferenced objects are collected, unless the heap is too large', async () => {
  const references = Array.from({ length: 100 }, () => new WeakRef({ text: 'unused' }))
  // Weak references hold their objects to the end of the task that made them (ECMA-262 9.9).
  await sleep(0)
  realMemory.release(1)
  expect(references.every((reference) => reference.deref() !== undefined)).toBe(true)
  await sleep(0)
  realMemory.release()
  expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([])
  expect('gc' in globalThis).toBe(false)
})
