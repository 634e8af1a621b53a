import { expect, test } from 'vitest'
import { unlessAborted } from './unlessAborted.ts'

const never = new Promise<never>(() => undefined)

test('gives the value or the error of the promise, with and without a signal', async () => {
  const { signal } = new AbortController()
  for (const each of [signal, undefined]) {
    expect(await unlessAborted(Promise.resolve(7), each)).toBe(7)
    await expect(unlessAborted(Promise.reject(new Error('broken')), each)).rejects.toThrow('broken')
  }
})

test('rejects with the reason of an abort before and during the wait', async () => {
  const stopper = new AbortController()
  const waiting = unlessAborted(never, stopper.signal)
  stopper.abort(new Error('no longer needed'))
  await expect(waiting).rejects.toThrow('no longer needed')
  await expect(unlessAborted(Promise.resolve(7), stopper.signal)).rejects.toThrow('no longer needed')
})

test('a promise that rejects after the abort does not cause an unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  try {
    const late = Promise.withResolvers<never>()
    await expect(unlessAborted(late.promise, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
    late.reject(new Error('broken'))
    // Node reports unhandled rejections before timers and immediates.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
})
