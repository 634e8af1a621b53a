import { expect, test } from 'vitest'
import { oneAtATime } from './oneAtATime.ts'

test('work starts when the work before it has ended, even if that failed', async () => {
  const inTurn = oneAtATime()
  const events: string[] = []
  const first = Promise.withResolvers<string>()
  const results = [
    inTurn(() => {
      events.push('first begins')
      return first.promise
    }),
    inTurn(() => {
      events.push('second begins')
      throw new Error('second fails')
    }),
    inTurn(() => {
      events.push('third begins')
      return 'third'
    }),
  ]
  await Promise.resolve()
  expect(events).toEqual(['first begins'])
  first.resolve('first')
  expect(await Promise.allSettled(results)).toEqual([
    { status: 'fulfilled', value: 'first' },
    { status: 'rejected', reason: new Error('second fails') },
    { status: 'fulfilled', value: 'third' },
  ])
  expect(events).toEqual(['first begins', 'second begins', 'third begins'])
})
