import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'
import { numberingOf } from './numbering.ts'

function fixture() {
  const stored = new Map<string, number>()
  const counters = {
    get: (bin: string) => stored.get(bin),
    set: (bin: string, value: number) => void stored.set(bin, value),
  }
  const limitsOf = () => ({ fetchesPerMs: Infinity })
  return { stored, batches: batchesOf(() => numberingOf({ counters, depthMin: 0, limitsOf })) }
}

test('batches that are counted together share their numbers and save them once, at the end', () => {
  const { stored, batches } = fixture()
  batches.together(() => {
    batches.begin(0).numbering.take(['a'])
    batches.together(() => batches.begin(1).numbering.take(['a']))
    expect(stored.size).toBe(0)
  })
  expect([...stored]).toEqual([['a', 2]])
})

test('nothing is saved of a batch that fails, and the next one counts from the stored numbers', () => {
  const { stored, batches } = fixture()
  const failing = () =>
    batches.together(() => {
      batches.begin(0).numbering.take(['a'])
      throw new Error('rolled back')
    })
  expect(failing).toThrow('rolled back')
  expect(stored.size).toBe(0)
  batches.together(() => batches.begin(0).numbering.take(['a']))
  expect([...stored]).toEqual([['a', 1]])
})
