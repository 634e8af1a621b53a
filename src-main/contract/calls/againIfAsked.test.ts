import { expect, test } from 'vitest'
import { againIfAsked } from './againIfAsked.ts'

test('calls share the work, and what is asked meanwhile is done by one more round', async () => {
  const rounds: PromiseWithResolvers<void>[] = []
  const ask = againIfAsked(() => {
    const round = Promise.withResolvers<void>()
    rounds.push(round)
    return round.promise
  })
  const [first, second, third] = [ask(), ask(), ask()]
  expect(rounds).toHaveLength(1)
  rounds[0]?.resolve()
  await expect.poll(() => rounds.length).toBe(2)
  rounds[1]?.resolve()
  await Promise.all([first, second, third])
  expect(rounds).toHaveLength(2)
})

test('after an error the next call works again', async () => {
  let calls = 0
  const ask = againIfAsked(async () => {
    calls += 1
    if (calls === 1) throw new Error('first')
  })
  await expect(ask()).rejects.toThrow('first')
  await ask()
  expect(calls).toBe(2)
})
