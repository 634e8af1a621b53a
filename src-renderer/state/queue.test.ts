import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { QueueWhole } from '../../src-main/contract/services/live.ts'
import { message } from '../../src-main/contract/words/message.ts'
import { makeQueue } from './queue.ts'

const queue = (waiting: number): QueueWhole => ({
  ...{ job: 1, priority: 5, doing: message('text', { text: 'fetching' }), waiting, inFlight: 0 },
  ...{ hosts: [], hostsTotal: 0, head: [], rules: [], budgets: [] },
})

test('a refresh that fails keeps the queue before it, and the next one that succeeds replaces it', async () => {
  const fault = new Fault('internal', message('text', { text: 'away' }))
  const answers = [
    async () => Promise.reject(fault),
    async () => queue(7),
    async () => Promise.reject(fault),
    async () => queue(8),
  ]
  const show = async () => (await answers.shift()?.()) ?? queue(0)
  const store = makeQueue({ queue: { show }, jobs: { changed: () => () => undefined } }, 1)
  const loaded = async () => {
    await store.getState().load()
    const { queue, refreshFault } = store.getState()
    return [queue.is === 'ready' ? queue.value.waiting : queue.is, refreshFault]
  }
  expect(await loaded()).toEqual(['refused', null])
  expect(await loaded()).toEqual([7, null])
  expect(await loaded()).toEqual([7, fault])
  expect(await loaded()).toEqual([8, null])
})
