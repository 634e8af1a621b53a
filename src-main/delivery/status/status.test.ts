/** Statuses that people change, versions of a plan, compaction, and the query plans of hot statements. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
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
  const compact = (keepDays: number) => world.run(compactEvents({ store, clock: world.clock }, { plan: 1, keepDays, signal: new AbortController().signal })) // prettier-ignore
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

test('hot statements use their indexes', () => {
  const { store } = opened()
  const plans: [sql: string, index: RegExp][] = [
    [`SELECT document_id FROM delivery_status AS status INDEXED BY delivery_status_by_state JOIN delivery_document AS document ON document.id = status.document_id WHERE status.destination_id = 1 AND status.state = 'PROCESSING' AND status.document_id > 0 ORDER BY status.document_id LIMIT 1`, /^SEARCH status USING COVERING INDEX delivery_status_by_state \(destination_id=\? AND state=\? AND document_id>\?\)$/], // prettier-ignore
    [`SELECT state FROM delivery_event WHERE status_id = 1 AND state NOT IN ('BATCHED') ORDER BY id DESC LIMIT 5`, /^SEARCH delivery_event USING INDEX delivery_event_by_status \(status_id=\?\)$/], // prettier-ignore
    [`SELECT state, COUNT(*) FROM delivery_status INDEXED BY delivery_status_by_state WHERE destination_id = 1 GROUP BY state`, /^SEARCH delivery_status USING COVERING INDEX/], // prettier-ignore
    [`SELECT status.id FROM delivery_document AS part JOIN delivery_status AS status ON status.document_id = part.id WHERE part.original_id = 1`, /^SEARCH part USING (COVERING )?INDEX delivery_document_by_original/], // prettier-ignore
  ]
  for (const [sql, index] of plans) {
    const details = store
      .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all({})
      .map(({ detail }) => detail)
    expect(details[0]).toMatch(index)
    expect(details.join(' ')).not.toMatch(/TEMP B-TREE/)
  }
})
