import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realMemory } from './realMemory.ts'

test('what nobody needs any more is collected', async () => {
  const references = Array.from({ length: 100 }, () => new WeakRef({ text: 'unused' }))
  // Weak references hold their objects to the end of the task that made them (ECMA-262 9.9).
  await sleep(0)
  realMemory.release()
  expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([])
  expect('gc' in globalThis).toBe(false)
})
