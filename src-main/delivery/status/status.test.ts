/** Statuses that people change, versions of a plan, compaction, and the query plans of hot statements. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { completeVersion } from '../plan/keeping.ts'
import type { Migration } from '../plan/plans.ts'
import {
  brokenInvariants,
  deliveryFixture,
  eventsIn,
  historiesIn,
  storedPlan,
  type Behaviour,
} from '../testing/deliveryFixture.ts'
import { compactEvents } from './compaction.ts'
import { hotStatusSql } from './status.sql.ts'
import { statusWriter } from './statusWriter.ts'

const source = { name: 's', kind: 'source' }
const to = (name: string, after = 's') => ({ name, kind: 'once', after: [after], settings: { as: name } })
const plan = (...steps: object[]) => ({ name: 'p', steps: [source, ...steps] }) as Parameters<typeof storedPlan>[2]

function opened(documents: Record<string, string> = { a: 'x' }) {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  onTestFinished(() => store.close())
  const fixture = deliveryFixture(store, () => world)
  for (const [id, text] of Object.entries(documents)) fixture.source.set(id, text)
  const run = (written: Parameters<typeof storedPlan>[2], migration: Migration = 'refeed') =>
    world.run(storedPlan(store, fixture, written, migration)(world))
  return { world, store, fixture, run }
}

/** Decides about all documents in a state. */
function decide(store: Store, from: DeliveryState, state: 'FORCE' | 'RESTART' | 'DIRTY' | 'DROPPED'): number {
  const writer = statusWriter({ store, clock: { now: () => 0 }, onLasting: () => undefined })
  const ids = store
    .statement<{ from: string }, { id: number }>('SELECT id FROM delivery_status WHERE state = @from')
    .all({ from })
  return ids.filter(({ id }) => store.transaction(() => writer.decide(id, state))).length
}

describe('people decide', () => {
  /** The same version, run again: `storedPlan` would make a new one. */
  async function decided(
    behaviours: Behaviour[],
    from: DeliveryState,
    state: 'FORCE' | 'RESTART' | 'DIRTY' | 'DROPPED',
    text = 'x',
  ) {
    const { world, store, fixture } = opened()
    const run = storedPlan(store, fixture, plan(to('d')))
    fixture.behaviour = () => behaviours.shift() ?? 'accept'
    await world.run(run(world))
    const count = decide(store, from, state)
    fixture.source.set('a', text)
    await world.run(run(world))
    expect(brokenInvariants(store, fixture)).toEqual([])
    return { count, states: historiesIn(store).get('d a') ?? [], arrived: fixture.arrived.length }
  }

  test.each<
    [
      what: string,
      behaviours: Behaviour[],
      from: DeliveryState,
      state: 'FORCE' | 'RESTART' | 'DIRTY' | 'DROPPED',
      last: string,
      arrived: number,
    ]
  >([
    ['to send a delivered document again', [], 'INDEXED', 'FORCE', 'FORCE PROCESSING INDEXING INDEXED', 2],
    [
      'to send one again that was given up',
      ['fail', 'fail', 'fail'],
      'DEAD',
      'RESTART',
      'RESTART PROCESSING INDEXING INDEXED',
      1,
    ],
    [
      'to send one again whose outcome is unknown',
      ['reset'],
      'INDEXING',
      'FORCE',
      'FORCE PROCESSING INDEXING INDEXED',
      2,
    ],
    ['to drop one that was refused', ['refuse'], 'ERROR_DOC', 'DROPPED', 'INDEXING ERROR_DOC DROPPED', 0],
    ['to compare one that has not changed', [], 'INDEXED', 'DIRTY', 'INDEXING INDEXED DIRTY', 1],
  ])('%s', async (_, behaviours, from, state, last, arrived) => {
    const found = await decided(behaviours, from, state)
    expect(found).toMatchObject({ count: 1, arrived })
    expect(found.states.join(' ')).toMatch(new RegExp(`${last}$`))
  })

  test('to compare one that has changed', async () => {
    expect((await decided([], 'INDEXED', 'DIRTY', 'new')).states.slice(-4)).toEqual([
      'DIRTY',
      'PROCESSING',
      'INDEXING',
      'INDEXED',
    ])
  })
  test('not about what is on its way, and not twice', async () => {
    const { store, fixture, world } = opened()
    await world.run(storedPlan(store, fixture, plan(to('d')))(world))
    expect([
      decide(store, 'PROCESSING', 'FORCE'),
      decide(store, 'INDEXED', 'FORCE'),
      decide(store, 'FORCE', 'FORCE'),
    ]).toEqual([0, 1, 0])
  })
})

test('a forced document fails three times before it is given up again', async () => {
  const { world, store, fixture } = opened()
  const run = storedPlan(store, fixture, plan(to('d')))
  fixture.behaviour = () => 'fail'
  await world.run(run(world))
  decide(store, 'DEAD', 'FORCE')
  await world.run(run(world))
  const states = historiesIn(store).get('d a') ?? []
  expect(states.filter((state) => state === 'ERROR')).toHaveLength(6)
  expect(states.at(-1)).toBe('DEAD')
})

describe('a new version', () => {
  const two = plan({ ...to('d') })
  test.each<[migration: Migration, arrived: number]>([
    ['refeed', 4],
    ['keep', 2],
    [{ keep: ['DEAD'] }, 4],
  ])('%j', async (migration, arrived) => {
    const { store, fixture, run } = opened({ a: 'x', b: 'y' })
    await run(two)
    const before = eventsIn(store).length
    await run(two, migration)
    expect(fixture.arrived).toHaveLength(arrived)
    if (migration === 'refeed') expect(eventsIn(store)).toHaveLength(before * 2)
  })
  test('that keeps the statuses delivers to a new destination only', async () => {
    const { fixture, run } = opened({ a: 'x', b: 'y' })
    await run(two)
    await run({ name: 'p', steps: [{ ...source, router: { kind: 'all' } }, to('d'), to('e')] }, 'keep')
    expect(fixture.arrived.toSorted()).toEqual(['d a x', 'd b y', 'e a x', 'e b y'])
  })
  test('is complete before it runs, whenever its copying was interrupted, and so is the version before it', async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, at) => [`d${at}`, at % 100 === 0 ? 'x,y' : 'z']),
    )
    const parts = plan({ name: 'q', kind: 'split', after: ['s'] }, to('d', 'q'))
    const { world, store, fixture, run } = opened(documents)
    await run(parts)
    const arrived = fixture.arrived.length
    const counts = () =>
      store
        .statement<object, object>(`SELECT state, documents FROM delivery_count WHERE documents > 0 AND destination_id =
             (SELECT MAX(id) FROM delivery_destination) ORDER BY state`)
        .all({})
    const before = counts()
    for (const pages of [1, 2, 4]) {
      const runNext = storedPlan(store, fixture, parts, 'keep')
      const stop = new AbortController()
      let left = pages
      const clock = {
        sleep: async () => {
          left -= 1
          if (left === 0) stop.abort(new Error('interrupted'))
        },
      }
      const version =
        store.statement<object, { id: number }>('SELECT MAX(id) AS id FROM delivery_plan').get({})?.id ?? 0
      await expect(completeVersion({ store, clock }, version, stop.signal)).rejects.toThrow('interrupted')
      // The second of them begins with an incomplete version before it.
      if (pages !== 1) await world.run(runNext(world))
    }
    expect(counts()).toEqual(before)
    expect(fixture.arrived).toHaveLength(arrived)
  })
  test('that keeps the statuses keeps parts with their documents', async () => {
    const parts = plan({ name: 'q', kind: 'split', after: ['s'] }, to('d', 'q'))
    const { fixture, run } = opened({ a: 'x,y' })
    await run(parts)
    await run(parts, 'keep')
    expect(fixture.arrived).toHaveLength(2)
  })
})

test('compaction removes old events of settled documents only, and never the current one', async () => {
  const { store, world, fixture } = opened({ a: 'x', b: 'y' })
  fixture.behaviour = (_, { id }) => (id === 'b' ? 'reset' : 'accept')
  await world.run(storedPlan(store, fixture, plan(to('d')))(world))
  const keepFor = store.statement<{ days: number }>(
    `UPDATE delivery_plan SET plan = json_set(plan, '$.keepDays', @days)`,
  )
  const compact = (days: number) => {
    keepFor.run({ days })
    return world.run(compactEvents({ store, clock: world.clock }, new AbortController().signal))
  }
  await world.run(world.clock.sleep(86_400_000 * 2))
  expect(await compact(3)).toBe(0)
  expect(await compact(1)).toBe(2)
  expect(Object.fromEntries(historiesIn(store))).toEqual({ 'd a': ['INDEXED'], 'd b': ['PROCESSING', 'INDEXING'] })
})

test('events cannot be changed, and the current one cannot be removed', async () => {
  const { store, fixture, world } = opened()
  await world.run(storedPlan(store, fixture, plan(to('d')))(world))
  const run = (sql: string) => store.statement<object>(sql).run({})
  expect(() => run(`UPDATE delivery_event SET state = 'DEAD'`)).toThrow('cannot be changed')
  expect(() => run(`DELETE FROM delivery_event`)).toThrow('cannot be removed')
  expect(() => run(`UPDATE delivery_status SET state = 'BATCHED'`)).toThrow('has no such move')
})

test.each<[keyof typeof hotStatusSql, RegExp]>([
  [
    'inState',
    /^SEARCH status USING INDEX delivery_status_by_state \(destination_id=\? AND state=\? AND document_id>\?\)$/,
  ],
  ['failures', /SEARCH delivery_event USING INDEX delivery_event_by_status \(status_id=\?\)/],
  ['family', /SEARCH part USING (COVERING )?INDEX delivery_document_by_original/],
])('%s uses its index and sorts nothing', (name, index) => {
  const { store } = opened()
  const parameters = { destination: 1, state: 'ERROR', after: 0, delayMs: 0, nowMs: 0, limit: 1, id: 1, newest: 1, original: 1 } // prettier-ignore
  const details = store
    .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${hotStatusSql[name]}`)
    .all(parameters)
    .map(({ detail }) => detail)
  expect(details.join('\n')).toMatch(new RegExp(index.source, 'm'))
  expect(details.join(' ')).not.toMatch(/TEMP B-TREE/)
})

test('documents are counted by status, whatever sets it', async () => {
  const { store, world, fixture } = opened({ a: 'x', b: 'y', c: 'z' })
  fixture.behaviour = (_, { id }) => (id === 'b' ? 'refuse' : 'accept')
  await world.run(storedPlan(store, fixture, plan(to('d')))(world))
  const rows = (sql: string) => store.statement<object, { state: string; count: number }>(sql).all({})
  const counted = () => rows('SELECT state, documents AS count FROM delivery_count WHERE documents <> 0 ORDER BY state')
  const real = () => rows('SELECT state, COUNT(*) AS count FROM delivery_status GROUP BY state ORDER BY state')
  expect(counted()).toEqual(real())
  expect(counted().length).toBeGreaterThan(1)
  store.statement<object>(`UPDATE delivery_status SET state = 'FORCE' WHERE state = 'INDEXED'`).run({})
  store.statement<object>(`DELETE FROM delivery_document WHERE key = 'a'`).run({})
  expect(counted()).toEqual(real())
})
