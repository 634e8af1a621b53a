import { expect, test } from 'vitest'
import { awaitedActions } from './awaitedActions.ts'

test('the end waits for every action, and each caller gets its own result', async () => {
  let ends = 0
  const actions = awaitedActions(() => (ends += 1))
  const first = Promise.withResolvers<number>()
  const answered = actions.add(first.promise)
  const refused = actions.add(Promise.reject(new Error('no')))
  await expect(refused).rejects.toThrow('no')
  let isEnded = false
  const ended = actions.ended().then(() => (isEnded = true))
  await Promise.resolve()
  expect([isEnded, ends]).toEqual([false, 1])
  first.resolve(7)
  await ended
  expect([await answered, ends]).toEqual([7, 2])
  await actions.ended()
})
