import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder } from './inOrder.ts'

/** Work that ends when the test resolves its promise in `ends`, independent of the order in which it began. */
function stage(count: number) {
  const ends = Array.from({ length: count }, () => Promise.withResolvers<number>())
  const begun: number[] = []
  const work = (item: number) => {
    begun.push(item)
    return ends[item]?.promise ?? Promise.reject(new Error('no such item'))
  }
  return { begun, work, end: (item: number) => ends[item]?.resolve(item * 10) }
}

test('results come in the order of the items, in whatever order they finish', async () => {
  const bounds = { atOnce: fc.integer({ min: 1, max: 5 }), aheadMax: fc.integer({ min: 1, max: 8 }) }
  const order = fc.integer({ min: 0, max: 12 }).chain((count) =>
    fc.shuffledSubarray(
      Array.from({ length: count }, (_, index) => index),
      { minLength: count, maxLength: count },
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.record(bounds), order, async (options, order) => {
      const { work, end, begun } = stage(order.length)
      const items = order.map((_, index) => index)
      const all = (async () => {
        const results: number[] = []
        for await (const result of inOrder(items, work, options)) results.push(result)
        return results
      })()
      for (const item of order) end(item)
      expect(await all).toEqual(items.map((item) => item * 10))
      expect(begun).toEqual(items)
    }),
  )
})

test('starts no more items than may run or wait', async () => {
  const { begun, work, end } = stage(10)
  const results = inOrder([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], work, { atOnce: 2, aheadMax: 4 })
  const first = results.next()
  await expect.poll(() => begun).toEqual([0, 1])
  end(1)
  await expect.poll(() => begun).toEqual([0, 1, 2])
  end(2)
  await expect.poll(() => begun).toEqual([0, 1, 2, 3])
  end(3)
  // Three wait for the first: no other is begun, although a place is free.
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([0, 1, 2, 3])
  end(0)
  expect((await first).value).toBe(0)
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4])
  for (let item = 4; item < 10; item++) end(item)
  await results.return(undefined)
})

test('throws a fault in its turn, and starts nothing more when the consumer has stopped', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await Promise.resolve()
    if (item >= 2) throw new Error(`item ${item}`)
    return item
  }
  const seen: number[] = []
  const all = async () => {
    for await (const result of inOrder([0, 1, 2, 3, 4, 5, 6, 7], work, { atOnce: 2, aheadMax: 3 })) seen.push(result)
  }
  await expect(all()).rejects.toThrow('item 2')
  expect(seen).toEqual([0, 1])
  const count = begun.length
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun.length).toBe(count)
})
