/** What every implementation of channels promises, as tests. A broker's must pass them too. */
import { expect, test } from 'vitest'
import type { Channels } from '../channels.ts'

/** Declares the tests. `open` gives empty channels. */
export function channelsConform(open: () => Promise<Channels>): void {
  test('a job comes out of the first channel that has one, in the order in which it was sent', async () => {
    const channels = await open()
    expect(await channels.receive(['high', 'low'])).toBeUndefined()
    for (const [channel, job] of [['low', 1], ['low', 2], ['high', 3]] as const) await channels.send(channel, job) // prettier-ignore
    expect([await channels.waiting('low'), await channels.waiting('high'), await channels.waiting('none')]).toEqual([
      2, 1, 0,
    ])
    const order: (number | undefined)[] = []
    for (let round = 0; round < 4; round += 1) {
      const received = await channels.receive(['high', 'low'])
      await received?.acknowledge()
      order.push(received?.job)
    }
    expect(order).toEqual([3, 1, 2, undefined])
    await channels.close()
  })

  test('a job that is put back is the first of its channel', async () => {
    const channels = await open()
    for (const job of [1, 2]) await channels.send('high', job)
    await (await channels.receive(['high']))?.putBack()
    expect(await channels.waiting('high')).toBe(2)
    expect((await channels.receive(['high']))?.job).toBe(1)
    await channels.close()
  })

  test('a channel that nobody listens to keeps its jobs', async () => {
    const channels = await open()
    await channels.send('other', 1)
    expect(await channels.receive(['high', 'low'])).toBeUndefined()
    expect(await channels.waiting('other')).toBe(1)
    await channels.close()
  })
}
