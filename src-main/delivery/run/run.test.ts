/** Running plans in a seeded world: what each way of failing means for a document, and for the others. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WrittenDeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import {
  brokenInvariants,
  deliveryFixture,
  historiesIn,
  storedPlan,
  unsettledIn,
  type Behaviour,
} from '../testing/deliveryFixture.ts'

const source = { name: 's', kind: 'source' }
const all = { kind: 'all' } as const
const to = (name: string, kind: string, more: object = {}) => ({
  name,
  kind,
  after: ['s'],
  settings: { as: name },
  batchDelayMs: 100,
  ...more,
})

function opened(steps: WrittenDeliveryPlan['steps'], documents: Record<string, string> = { a: 'x', b: 'y' }) {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  onTestFinished(() => store.close())
  const fixture = deliveryFixture(store, () => world)
  for (const [id, text] of Object.entries(documents)) fixture.source.set(id, text)
  const run = storedPlan(store, fixture, { name: 'p', steps })
  return {
    ...{ world, store, fixture },
    async run() {
      await world.run(run(world))
      expect(brokenInvariants(store, fixture)).toEqual([])
      expect(unsettledIn(store)).toEqual([])
      return Object.fromEntries(historiesIn(store))
    },
    async runFor(milliseconds: number) {
      const stop = new AbortController()
      const running = run(world, stop.signal)
      await world.run(world.clock.sleep(milliseconds))
      stop.abort()
      await world.run(running)
      return Object.fromEntries(historiesIn(store))
    },
  }
}

describe('one document', () => {
  test.each<[behaviours: Behaviour[], kind: string, states: string]>([
    [['accept'], 'safely', 'PROCESSING INDEXED'],
    [['accept'], 'once', 'PROCESSING INDEXING INDEXED'],
    [['accept'], 'batches', 'PROCESSING BATCHED INDEXING INDEXED'],
    [['fail', 'accept'], 'safely', 'PROCESSING ERROR PROCESSING INDEXED'],
    [['fail', 'fail', 'fail', 'accept'], 'safely', 'PROCESSING ERROR PROCESSING ERROR PROCESSING ERROR DEAD'],
    [['fail', 'fail', 'fail', 'accept'], 'batches', 'PROCESSING BATCHED INDEXING ERROR PROCESSING BATCHED INDEXING ERROR PROCESSING BATCHED INDEXING ERROR DEAD'], // prettier-ignore
    [['refuse'], 'safely', 'PROCESSING ERROR_DOC'],
    [['document'], 'batches', 'PROCESSING BATCHED INDEXING ERROR_DOC'],
    [['throw', 'accept'], 'safely', 'PROCESSING ERROR PROCESSING INDEXED'],
    [['throw', 'accept'], 'once', 'PROCESSING INDEXING'],
    [['reset', 'accept'], 'safely', 'PROCESSING ERROR PROCESSING INDEXED'],
    [['reset', 'accept'], 'once', 'PROCESSING INDEXING'],
    [['down', 'accept'], 'once', 'PROCESSING INDEXING ERROR PROCESSING INDEXING INDEXED'],
  ])('%j at %s', async (behaviours, kind, states) => {
    const { fixture, run } = opened([source, to('d', kind)], { a: 'x' })
    fixture.behaviour = () => behaviours.shift() ?? 'accept'
    expect(await run()).toEqual({ 'd a': states.split(' ') })
    const isUnknown = states.endsWith('INDEXING')
    expect(fixture.reports.map(({ kind: what }) => what)).toEqual(
      isUnknown ? ['unknown'] : /DEAD$|_DOC$/.test(states) ? ['failed'] : [],
    )
  })
})

test('a document that spoils a batch fails alone', async () => {
  const { fixture, run } = opened([source, to('d', 'batches')], { a: 'x', b: 'y', c: 'z' })
  fixture.behaviour = (_, { id }) => (id === 'b' ? 'document' : 'accept')
  const histories = await run()
  expect(Object.values(histories).map((states) => states.at(-1))).toEqual(['INDEXED', 'ERROR_DOC', 'INDEXED'])
  expect(fixture.arrived).toEqual(['d a x', 'd c z'])
})

test('unchanged documents give no events, changed ones one PROCESSING per destination, and an absent one stays', async () => {
  const { fixture, run } = opened([{ ...source, router: all }, to('d', 'safely'), to('e', 'once')])
  const first = await run()
  expect(await run()).toEqual(first)
  fixture.source.set('a', 'other')
  fixture.source.delete('b')
  const third = await run()
  expect(third).toEqual({
    ...first,
    'd a': [...(first['d a'] ?? []), 'PROCESSING', 'INDEXED'],
    'e a': [...(first['e a'] ?? []), 'PROCESSING', 'INDEXING', 'INDEXED'],
  })
})

test('a scanner that does not remember processes every document in every scan', async () => {
  const { fixture, run } = opened([{ ...source, remembers: false }, to('d', 'safely')])
  await run()
  await run()
  expect(fixture.arrived).toEqual(['d a x', 'd b y', 'd a x', 'd b y'])
})

test('documents of a run are counted by edge and step', async () => {
  const field = { kind: 'field', field: 'kind', values: { x: 'd' } } as const
  const { fixture, run } = opened(
    [{ ...source, router: field }, to('d', 'safely'), to('e', 'safely')],
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}`, at % 3 === 0 ? 'y' : 'x'])),
  )
  fixture.behaviour = (_, { id }) => (id === 'a1' ? 'refuse' : 'accept')
  await run()
  expect(fixture.progress.at(-1)).toEqual({
    edges: [
      { from: 's', to: 'd', documents: 200 },
      { from: 's', to: 'e', documents: 0 },
    ],
    steps: [
      { step: 's', done: 300, dropped: 100, failed: 0 },
      { step: 'd', done: 199, dropped: 0, failed: 1 },
      { step: 'e', done: 0, dropped: 0, failed: 0 },
    ],
  })
})

test('counts are reported at most once per second, whatever the number of documents', async () => {
  const often = { ...source, remembers: false, intervalSeconds: 0.1 }
  const { fixture, runFor } = opened([often, to('d', 'safely')])
  await runFor(5_500)
  expect(fixture.arrived.length).toBeGreaterThan(80)
  expect(fixture.progress).toHaveLength(6)
  expect(fixture.progress.at(-1)?.edges[0]?.documents).toBeGreaterThan(80)
})

describe('routers', () => {
  const ends = (histories: Record<string, string[]>) =>
    Object.entries(histories).map(([name, states]) => `${name} ${states.at(-1)}`).sort() // prettier-ignore
  test('to all: each branch is tracked for itself, also where they join', async () => {
    const { run, fixture } = opened(
      [
        { ...source, router: all },
        { name: 'l', kind: 'pass', after: ['s'] },
        { name: 'r', kind: 'pass', after: ['s'] },
        to('d', 'safely', { after: ['l', 'r'] }),
      ],
      { a: 'x' },
    )
    expect(ends(await run())).toEqual(['d<-via->l a INDEXED', 'd<-via->r a INDEXED'])
    expect(fixture.arrived).toEqual(['d a x', 'd a x'])
  })
  test('by field, with another step for all other values', async () => {
    const router = { kind: 'field', field: 'kind', values: { x: 'd' }, otherwise: 'e' } as const
    const { run } = opened([{ ...source, router }, to('d', 'safely'), to('e', 'once')])
    expect(ends(await run())).toEqual(['d a INDEXED', 'd b DROPPED', 'e a DROPPED', 'e b INDEXED'])
  })
  test('by step name, where no step has it', async () => {
    const router = { kind: 'stepName', field: 'title', values: { x: 'e' } } as const
    const { run } = opened([{ ...source, router }, to('d', 'safely'), to('e', 'once')])
    expect(ends(await run())).toEqual(['d a DROPPED', 'd b DROPPED', 'e a INDEXED', 'e b DROPPED'])
  })
  test('by turns: exactly one', async () => {
    const { run, fixture } = opened([{ ...source, router: { kind: 'roundRobin' } }, to('d', 'safely'), to('e', 'once')])
    expect(ends(await run())).toEqual(['d a INDEXED', 'd b DROPPED', 'e a DROPPED', 'e b INDEXED'])
    expect(fixture.arrived).toHaveLength(2)
  })
})

describe('parts', () => {
  const steps = [source, { name: 'p', kind: 'split', after: ['s'] }, to('d', 'once', { after: ['p'] })]
  test('a document is delivered when its parts are', async () => {
    const { run, fixture } = opened(steps, { a: 'x,y' })
    expect(await run()).toEqual({
      'd a': ['PROCESSING', 'INDEXING', 'INDEXED'],
      'd a⇛0': ['PROCESSING', 'INDEXING', 'INDEXED'],
      'd a⇛1': ['PROCESSING', 'INDEXING', 'INDEXED'],
    })
    expect(fixture.arrived).toHaveLength(2)
  })
  test('a part that failed is sent again alone, through the original', async () => {
    const { run, fixture } = opened(steps, { a: 'x,y' })
    const answers: Behaviour[] = ['accept', 'fail', 'accept']
    fixture.behaviour = () => answers.shift() ?? 'accept'
    const histories = await run()
    expect(histories['d a']).toEqual(['PROCESSING', 'INDEXING', 'INDEXED'])
    expect(histories['d a⇛1']).toEqual(['PROCESSING', 'INDEXING', 'ERROR', 'PROCESSING', 'INDEXING', 'INDEXED'])
    expect(fixture.arrived.map((text) => text.slice(0, 5))).toEqual(['d a⇛0', 'd a⇛1'])
  })
  test('a document is given up when a part is', async () => {
    const { run, fixture } = opened(steps, { a: 'x,y' })
    fixture.behaviour = (_, { id }) => (id === 'a⇛0' ? 'refuse' : 'accept')
    const histories = await run()
    expect([histories['d a']?.at(-1), histories['d a⇛0']?.at(-1), histories['d a⇛1']?.at(-1)]).toEqual([
      'DEAD',
      'ERROR_DOC',
      'INDEXED',
    ])
  })
  test('changed content restarts all parts and drops those that are gone', async () => {
    const { run, fixture } = opened(steps, { a: 'x,y,z' })
    await run()
    fixture.source.set('a', 'x,w')
    const histories = await run()
    expect(fixture.arrived).toHaveLength(5)
    expect(histories['d a⇛2']).toEqual(['PROCESSING', 'INDEXING', 'INDEXED', 'RESTART', 'DROPPED'])
    expect(histories['d a']?.at(-1)).toBe('INDEXED')
  })
})

test('a destination that is down or slow does not hold up the others', async () => {
  const documents = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`d${at}`, 'x']))
  const { fixture, runFor } = opened(
    [
      { ...source, router: { kind: 'all' }, attemptsMax: 100 },
      to('up', 'safely'),
      to('down', 'safely', { timeoutMs: 60_000 }),
    ],
    documents,
  )
  const { kinds } = fixture
  const safely = kinds['safely']
  if (safely?.role !== 'destination') throw new Error('no destination')
  const open = safely.open
  safely.open = (settings, environment) => {
    const whole = open(settings, environment)
    const isDown = (settings as { as: string }).as === 'down'
    return isDown ? { send: () => new Promise(() => undefined) } : whole
  }
  await runFor(5_000)
  expect(fixture.arrived).toHaveLength(1_000)
})

test('scans never overlap, and begin an interval apart', async () => {
  const { fixture, runFor } = opened([{ ...source, intervalSeconds: 0.05 }, to('d', 'safely')])
  await runFor(1_000)
  expect(fixture.wrong).toEqual([])
  const gaps = fixture.scans.slice(1).map((at, index) => at - (fixture.scans[index] ?? 0))
  expect(gaps.length).toBeGreaterThan(10)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(49.9)
})

test('a step that does not end is an error of its document after its time', async () => {
  const { fixture, run, world } = opened([source, to('d', 'safely', { timeoutMs: 2_000 })], { a: 'x' })
  const safely = fixture.kinds['safely']
  if (safely?.role !== 'destination') throw new Error('no destination')
  let attempts = 0
  const open = safely.open
  safely.open = (settings, environment) => {
    const whole = open(settings, environment)
    return {
      send: (documents, signal) =>
        (attempts += 1) === 1 ? new Promise(() => undefined) : whole.send(documents, signal),
    }
  }
  const beganMs = world.clock.elapsed()
  expect(await run()).toEqual({ 'd a': ['PROCESSING', 'ERROR', 'PROCESSING', 'INDEXED'] })
  expect(world.clock.elapsed() - beganMs).toBeGreaterThanOrEqual(2_000)
})

test('a failed document waits as long as its destination asks', async () => {
  const { fixture, run, world } = opened([source, to('d', 'safely', { retryDelayMs: 60_000 })], { a: 'x' })
  const answers: Behaviour[] = ['fail', 'fail']
  fixture.behaviour = () => answers.shift() ?? 'accept'
  const beganMs = world.clock.elapsed()
  expect((await run())['d a']?.at(-1)).toBe('INDEXED')
  expect(world.clock.elapsed() - beganMs).toBeGreaterThanOrEqual(120_000)
})

test('a document that is gone when it is sent again is given up', async () => {
  const { fixture, run } = opened([source, to('d', 'safely')], { a: 'x' })
  fixture.behaviour = () => {
    fixture.source.clear()
    return 'fail'
  }
  expect((await run())['d a']).toEqual(['PROCESSING', 'ERROR', 'PROCESSING', 'ERROR', 'PROCESSING', 'ERROR', 'DEAD'])
  expect(fixture.reports).toMatchObject([{ kind: 'failed', document: 'a', destination: 'd', state: 'DEAD' }])
})

test('a scan that fails is reported, and the next one begins', async () => {
  const { fixture, runFor } = opened([{ ...source, intervalSeconds: 1 }, to('d', 'safely')])
  const kind = fixture.kinds['source']
  if (kind?.role !== 'scanner') throw new Error('no scanner')
  const open = kind.open
  let scans = 0
  kind.open = (settings, environment) => {
    const whole = open(settings, environment)
    return {
      ...whole,
      scan(signal) {
        scans += 1
        if (scans === 1) throw new Error('the disk is away')
        return whole.scan(signal)
      },
    }
  }
  const histories = await runFor(3_500)
  expect(Object.keys(histories)).toEqual(['d a', 'd b'])
  expect(fixture.reports).toMatchObject([{ kind: 'scanFailed', scanner: 's' }])
})

test('an error of the database ends the run', async () => {
  const { fixture, run, store } = opened([source, to('d', 'safely')])
  fixture.behaviour = () => {
    store.close()
    return 'accept'
  }
  await expect(run()).rejects.toThrow(/not open/)
})

test('what waits in the database for a slow destination is delivered once, also after a power cut', async () => {
  const count = 2_500
  const documents = Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, 'x']))
  const steps = [{ ...source, router: all }, to('quick', 'once'), to('slow', 'batches', { batchMax: 100 })]
  let world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  onTestFinished(() => store.close())
  const fixture = deliveryFixture(store, () => world)
  for (const [id, text] of Object.entries(documents)) fixture.source.set(id, text)
  const kind = fixture.kinds['batches']
  if (kind?.role !== 'destination') throw new Error('no destination')
  const open = kind.open
  kind.open = (settings, environment) => {
    const whole = open(settings, environment)
    return {
      async send(sent, signal) {
        await world.clock.sleep(700)
        return whole.send(sent, signal)
      },
    }
  }
  const run = storedPlan(store, fixture, { name: 'p', steps })
  expect(await world.runUntilCut(run(world), 20_000)).toBeUndefined()
  const parked = store
    .statement<object, { count: number }>(`SELECT COUNT(*) AS count FROM delivery_status WHERE state = 'PROCESSING'`)
    .get({})
  expect(parked?.count).toBeGreaterThan(100)
  world = world.crash()
  await world.run(run(world))
  expect(brokenInvariants(store, fixture)).toEqual([])
  expect(unsettledIn(store)).toEqual([])
  expect(new Set(fixture.arrived).size).toBe(fixture.arrived.length)
  const unknown = [...historiesIn(store).values()].filter((states) => states.at(-1) === 'INDEXING').length
  expect(fixture.arrived.length + unknown).toBeGreaterThanOrEqual(2 * count)
  // At most those that were being sent: eight at one destination, a batch at the other.
  expect(unknown).toBeLessThanOrEqual(108)
})
