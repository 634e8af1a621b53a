/** Power cuts at any call of the world, with destinations that fail in every way: nothing is lost, nothing is sent twice that must not be,
 *  and every document is settled at the end. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WrittenDeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import { openStore } from '../../storage/storage.ts'
import { seededChance } from '../../world/testing/seededChance.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import {
  brokenInvariants,
  deliveryFixture,
  historiesIn,
  storedPlan,
  unsettledIn,
  type Behaviour,
  type Fixture,
} from '../testing/deliveryFixture.ts'

type Steps = WrittenDeliveryPlan['steps']
const batchDelayMs = 5
const to = (name: string, kind: string, after: string[]) => ({
  name,
  kind,
  after,
  settings: { as: name },
  batchDelayMs,
})
const source = { name: 's', kind: 'source' }
const all = { kind: 'all' } as const

/** Plans with two destinations that may be sent to again, and two that must not. */
const plans: Record<string, Steps> = {
  'copies to four': [
    { ...source, router: all },
    { name: 'p', kind: 'pass', after: ['s'], router: all },
    to('safe', 'safely', ['s']),
    to('once', 'once', ['p']),
    to('batch', 'batches', ['p']),
    to('other', 'safely', ['p']),
  ],
  'one of two, then both': [
    { ...source, router: { kind: 'roundRobin' } },
    to('once', 'once', ['s']),
    { name: 'p', kind: 'pass', after: ['s'], router: all },
    to('batch', 'batches', ['p']),
    to('safe', 'safely', ['p']),
  ],
  'by field': [
    { ...source, router: { kind: 'field', field: 'kind', values: { x: 'once', y: 'batch' } } },
    to('once', 'once', ['s']),
    to('batch', 'batches', ['s']),
  ],
  'branches that join': [
    { ...source, router: all },
    { name: 'l', kind: 'pass', after: ['s'] },
    { name: 'r', kind: 'pass', after: ['s'] },
    to('safe', 'safely', ['l', 'r']),
  ],
  'a destination on the way': [source, to('once', 'once', ['s']), to('batch', 'batches', ['once'])],
  parts: [
    { ...source, router: all },
    { name: 'p', kind: 'split', after: ['s'], router: all },
    to('safe', 'safely', ['p']),
    to('batch', 'batches', ['p']),
    to('whole', 'once', ['s']),
  ],
  'parts of parts': [
    source,
    { name: 'p', kind: 'split', after: ['s'] },
    { name: 'q', kind: 'split', after: ['p'] },
    to('once', 'once', ['q']),
  ],
}
const neverTwice = new Set(['once', 'batch', 'whole'])
const contents = ['x', 'y,z', 'z,x,y', 'w']
const behaviours: Behaviour[] = [
  'accept',
  'accept',
  'accept',
  'accept',
  'fail',
  'refuse',
  'throw',
  'reset',
  'document',
  'down',
]

interface Scenario {
  plan: string
  seed: number
  documents: number
  /** Share of each life of the machine after which its power is cut, in thousandths of an undisturbed run. */
  cuts: number[]
  changes: number
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  plan: fc.constantFrom(...Object.keys(plans)),
  seed: fc.nat(1_000_000),
  documents: fc.integer({ min: 1, max: 8 }),
  cuts: fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 4 }),
  changes: fc.nat(3),
})

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150)

test('every document is settled at every destination, whatever fails and whenever the power is cut', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const calls = (await lives(given, [])).calls
      await lives(
        given,
        given.cuts.map((share) => 1 + Math.floor((calls * share) / 1_000)),
      )
    }),
    { numRuns },
  )
})

/** Calls of the world in one run to the end: none needs a tenth of them. */
const callsMax = 20_000

/** Runs a plan to its end over several lives of the machine, changes some documents, and does it again. */
async function lives({ plan, seed, documents, changes }: Scenario, cuts: number[]): Promise<{ calls: number }> {
  let world = seededWorld({ seed })
  const chance = seededChance(seed)
  const store = openStore(':memory:')
  let calls = 0
  try {
    const fixture = deliveryFixture(store, () => world)
    fixture.behaviour = () => behaviours[chance.below(behaviours.length)] ?? 'accept'
    for (let at = 0; at < documents; at += 1) fixture.source.set(`d${at}`, `${contents[chance.below(4)]}.${at}`)
    const run = storedPlan(store, fixture, { name: 'p', steps: plans[plan] ?? [] })
    for (const cut of cuts) {
      if (await world.runUntilCut(run(world), cut)) break
      world = world.crash()
    }
    await toTheEnd()
    judge(fixture)
    for (let at = 0; at < Math.min(changes, documents); at += 1) fixture.source.set(`d${at}`, `y,x.new${at}`)
    await toTheEnd()
    judge(fixture)
    // What is settled and unchanged is left alone.
    const before = historiesIn(store)
    await toTheEnd()
    expect(historiesIn(store)).toEqual(before)
    return { calls }

    async function toTheEnd(): Promise<void> {
      const callsBefore = world.calls
      const ended = await world.runUntilCut(run(world), callsMax)
      if (!ended)
        throw new Error(
          `it does not end: ${JSON.stringify([...historiesIn(store)].map(([name, states]) => [name, states.slice(-12)]))}`,
        )
      calls = Math.max(calls, world.calls - callsBefore)
    }
  } finally {
    store.close()
  }

  function judge(fixture: Fixture): void {
    expect(brokenInvariants(store, fixture)).toEqual([])
    expect(unsettledIn(store)).toEqual([])
    const counts = new Map<string, number>()
    for (const each of fixture.arrived) counts.set(each, (counts.get(each) ?? 0) + 1)
    const twice = [...counts].filter(([each, count]) => count > 1 && neverTwice.has(each.split(' ')[0] ?? ''))
    expect(twice).toEqual([])
    const histories = historiesIn(store)
    const parents = new Set(
      [...histories.keys()].flatMap((name) => (name.includes('⇛') ? [name.slice(0, name.lastIndexOf('⇛'))] : [])),
    )
    for (const [name, states] of histories) {
      const [destination = '', key = ''] = name.split(' ')
      const [step] = destination.split('<-via->')
      const hasArrived = fixture.arrived.some((each) => each.startsWith(`${step} ${key} `))
      if (states.includes('INDEXED') && !parents.has(name)) expect(hasArrived, `${name} arrived`).toBe(true)
      if (plan === 'one of two, then both' && destination === 'once') {
        const others = [states, histories.get(`batch ${key}`) ?? []].filter(
          (each) => each[0] === 'PROCESSING' && each.at(-1) === 'DROPPED',
        )
        expect(others.length, `${key} went one way`).toBeLessThanOrEqual(1)
      }
    }
  }
}
