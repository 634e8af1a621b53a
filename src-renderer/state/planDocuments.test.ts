import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { DeliveredDocument } from '../../src-main/contract/services/deliveries.ts'
import { makePlanDocuments } from './planDocuments.ts'
import { now, servicesWith } from './testing/storeFixtures.ts'

const row = (id: number): DeliveredDocument => ({ id, document: `d${id}`, state: 'DEAD', changed: now, message: null })

/** An engine with this many documents, which ends each answer with a step of the event loop. */
function opened(count: number) {
  const asked: { after?: number | undefined; limit?: number | undefined }[] = []
  const engine = { count, fault: false }
  const services = servicesWith({
    deliveries: {
      async documents({ after = 0, limit = 0 }) {
        asked.push({ after, limit })
        if (engine.fault) throw new Fault('unreachable', 'away')
        return Array.from({ length: Math.min(limit, engine.count - after) }, (_, at) => row(after + at + 1))
      },
    },
  })
  return { asked, engine, store: makePlanDocuments(services, { destination: 1, state: 'DEAD' }) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the list grows when its end is in sight, until there is nothing more', async () => {
  const { asked, store } = opened(450)
  store.getState().refresh()
  await settled()
  expect(store.getState()).toMatchObject({ isComplete: false })
  expect(store.getState().rows).toHaveLength(200)
  store.getState().want(120)
  expect(asked).toHaveLength(1)
  for (const rows of [400, 450]) {
    store.getState().want(store.getState().rows.length)
    store.getState().want(store.getState().rows.length)
    await settled()
    expect(store.getState().rows).toHaveLength(rows)
  }
  store.getState().want(450)
  await settled()
  expect(asked.map(({ after }) => after)).toEqual([0, 200, 400])
  expect(store.getState().isComplete).toBe(true)
})

test('a refresh loads as many rows again, at most what the engine gives at once', async () => {
  const { asked, engine, store } = opened(2_000)
  store.getState().refresh()
  await settled()
  for (let page = 0; page < 6; page += 1) {
    store.getState().want(store.getState().rows.length)
    await settled()
  }
  expect(store.getState().rows).toHaveLength(1_400)
  store.getState().follow()
  await settled()
  expect(asked.at(-1)).toEqual({ after: 1_200, limit: 200 })
  engine.count = 3
  store.getState().refresh()
  await settled()
  expect(asked.at(-1)).toEqual({ after: 0, limit: 1_000 })
  expect(store.getState()).toMatchObject({ rows: [row(1), row(2), row(3)], isComplete: true })
  engine.count = 2
  store.getState().follow()
  await settled()
  expect(store.getState()).toMatchObject({ rows: [row(1), row(2)], isComplete: true })
})

test('an answer from before a refresh is dropped, and a failure keeps the rows', async () => {
  const { engine, store } = opened(450)
  store.getState().refresh()
  await settled()
  store.getState().want(200)
  store.getState().refresh()
  await settled()
  expect(store.getState().rows).toHaveLength(200)
  engine.fault = true
  store.getState().refresh()
  await settled()
  expect(store.getState()).toMatchObject({ fault: { code: 'unreachable' } })
  expect(store.getState().rows).toHaveLength(200)
})
