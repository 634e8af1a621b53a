/** Behavior of the real threads only; `conformance.test.ts` tests the behavior of all implementations. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realThreads } from './realThreads.ts'

const module = new URL('./testing/conformanceTask.ts', import.meta.url)
const remember = (value: number) => realThreads.run<object, number[]>(module, { action: 'remember', value })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a worker of the pool is used again, and ends when it has no task for a minute', async () => {
  expect(await remember(1)).toEqual([1])
  vi.advanceTimersByTime(59_999)
  expect(await remember(2)).toEqual([1, 2])
  vi.advanceTimersByTime(59_999)
  expect(await remember(3)).toEqual([1, 2, 3])
  vi.advanceTimersByTime(60_000)
  expect(await remember(4)).toEqual([4])
})

test('a worker with a long task is not ended', async () => {
  await remember(5)
  const stop = new AbortController()
  const reported = Promise.withResolvers<void>()
  const input = { action: 'untilAborted', value: 0 }
  const onReport = () => reported.resolve()
  const ended = realThreads.run(module, input, { signal: stop.signal, onReport }).catch(String)
  await reported.promise
  vi.advanceTimersByTime(60_000)
  stop.abort(new Error('long enough'))
  expect(await ended).toBe('Error: long enough')
})
