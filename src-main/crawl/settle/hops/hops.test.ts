/** Distances compared with a search of the whole graph after every change. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HopMode } from '../../../contract/shapes/hops.ts'
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { openStore } from '../../../storage/storage.ts'
import { seededWorld } from '../../../world/testing/seeded.ts'
import { openJobs } from '../../jobs/jobs.ts'
import { openHops, type Hops } from './hops.ts'
import type { Link } from './linkWriter.ts'
import { hotSql } from './hops.sql.ts'
import { hopLimitsOf, measures, type Measure } from '../../model/hopMeasures.ts'

/** A run of thirty changes with their comparisons takes 10 ms. */
const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 200)

const types = ['link', 'embed', 'redirect', 'sitemap'] as const
type Edge = { target: number; type: (typeof types)[number] }

const kept = ['hops', 'link', 'redirect'] as const satisfies Measure[]
const limits = new Map<Measure, number>(kept.map((measure) => [measure, 2]))
const nodes = 7
const key = (node: number) => hash('sha256', `http://a.test/${node}`, 'buffer')

/** The known links of the site, in memory. */
interface Model {
  seeds: Set<number>
  links: Map<number, Map<string, Edge>>
}

function distances({ seeds, links }: Model, measure: Measure): number[] {
  const counted: readonly string[] = measures[measure]
  const best = Array.from({ length: nodes }, (_, node) => (seeds.has(node) ? 0 : Infinity))
  for (let round = 0; round < nodes; round += 1) {
    for (const [source, edges] of links) {
      for (const { target, type } of edges.values()) {
        const way = (best[source] ?? Infinity) + (counted.includes(type) ? 1 : 0)
        best[target] = Math.min(best[target] ?? Infinity, way)
      }
    }
  }
  return best
}

type Act =
  | { act: 'replaceLinks'; source: number; edges: Edge[] }
  | { act: 'removeSource'; source: number }
  | { act: 'setSeeds' | 'addSeeds'; seeds: number[] }
  | { act: 'settle'; rows: number }
  | { act: 'mode'; mode: HopMode }

const node = fc.nat(nodes - 1)
const edge = fc.record({ target: node, type: fc.constantFrom(...types) })
const edges = fc.array(edge, { maxLength: 4 })
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('replaceLinks'), source: node, edges }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('removeSource'), source: node }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('setSeeds', 'addSeeds'), seeds: fc.array(node, { maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('settle'), rows: fc.integer({ min: 1, max: 6 }) }) },
)
const anyMode = fc.constantFrom<HopMode>('accurate', 'noDelete', 'neverDelete')
const changeOfMode = fc.record({ act: fc.constant('mode'), mode: anyMode }) as fc.Arbitrary<Act>

/** Runs share a database, each with its own job, since opening one takes longer than a run. */
const store = openStore(':memory:')
const jobs = openJobs(store, seededWorld({ seed: 1 }))
const newJob = () => jobs.create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))

function inModel(model: Model, act: Act, mode: HopMode): void {
  const vanishes = mode === 'accurate'
  if (act.act === 'setSeeds' && vanishes) model.seeds = new Set(act.seeds)
  else if (act.act === 'setSeeds' || act.act === 'addSeeds') for (const seed of act.seeds) model.seeds.add(seed)
  if (act.act !== 'replaceLinks' && act.act !== 'removeSource') return
  const edgesNow = act.act === 'replaceLinks' ? act.edges : []
  const before = vanishes ? [] : [...(model.links.get(act.source)?.values() ?? [])]
  model.links.set(act.source, new Map([...before, ...edgesNow].map((each) => [`${each.target} ${each.type}`, each])))
}

function inHops(hops: Hops, act: Act): void {
  if (act.act === 'setSeeds' || act.act === 'addSeeds') hops[act.act](act.seeds.map(key))
  if (act.act === 'settle') hops.settle(act.rows)
  if (act.act === 'removeSource') hops.removeSource(key(act.source))
  if (act.act === 'replaceLinks')
    hops.replaceLinks(
      key(act.source),
      act.edges.map(({ target, type }) => ({ target: key(target), type })),
    )
}

function play(acts: Act[], first: HopMode): void {
  const job = newJob()
  let mode = first
  let hops = openHops({ store, job, mode, limits })
  const model: Model = { seeds: new Set(), links: new Map() }
  const last = new Map<string, number>()
  for (const act of acts) {
    if (act.act === 'mode') {
      mode = act.mode
      hops = openHops({ store, job, mode, limits })
    } else store.transaction(() => inHops(hops, act))
    inModel(model, act, mode)
    compare(hops, model, (stored, exact) => stored >= exact)
    if (mode === 'accurate') last.clear()
    else
      compare(hops, model, (stored, _exact, name) => {
        const isFine = stored <= (last.get(name) ?? Infinity)
        last.set(name, stored)
        return isFine
      })
  }
  expect(hops.settle(10_000)).toBe(true)
  compare(hops, model, (stored, exact) => stored === exact)
}

function compare(hops: Hops, model: Model, holds: (stored: number, exact: number, name: string) => boolean): void {
  for (const measure of kept) {
    distances(model, measure).forEach((exact, each) => {
      const stored = hops.distance(key(each), measure)
      if (!holds(stored, exact, `${measure} ${each}`))
        expect.fail(`${measure} of ${each}: ${stored}, in truth ${exact}`)
    })
  }
}

describe('a stored distance is never less than the true one, and equals it when no work is left', () => {
  test.each<HopMode>(['accurate', 'noDelete', 'neverDelete'])('%s', (mode) => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 30 }), (acts) => play(acts, mode)),
      { numRuns },
    )
  })

  test('after changes of the mode, also while work is left', () => {
    const acts = fc.array(fc.oneof({ weight: 6, arbitrary: anyAct }, { weight: 1, arbitrary: changeOfMode }), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(acts, anyMode, (all, mode) => play(all, mode)),
      { numRuns },
    )
  })
})

const seed = key(0)
const link = (target: number): Link => ({ target: key(target), type: 'link' })

const onlyHops = new Map<Measure, number>([['hops', 2]])

function opened(mode: HopMode, job = newJob()): Hops & { set(source: number, ...targets: number[]): void } {
  const hops = openHops({ store, job, mode, limits: onlyHops })
  const set = (source: number, ...targets: number[]) => {
    hops.replaceLinks(key(source), targets.map(link))
    hops.settle(1_000)
  }
  return { ...hops, set }
}

/** 0 → 1 → 2 ⇄ 3, and then the links of 1 vanish. */
function circleCutOff(mode: HopMode): number[] {
  const hops = opened(mode)
  hops.setSeeds([seed])
  hops.set(0, 1)
  hops.set(1, 2)
  hops.set(2, 3)
  hops.set(3, 2)
  hops.set(1)
  return [0, 1, 2, 3].map((each) => hops.distance(key(each), 'hops'))
}

test('a cycle that is no longer reachable loses its distances', () => {
  expect(circleCutOff('accurate')).toEqual([0, 1, Infinity, Infinity])
  expect(circleCutOff('noDelete')).toEqual([0, 1, 2, 3])
  expect(circleCutOff('neverDelete')).toEqual([0, 1, 2, 3])
})

test('a link kept in the mode noDelete vanishes when its source is read in the mode accurate', () => {
  const job = newJob()
  const before = opened('neverDelete', job)
  before.setSeeds([seed])
  before.set(0, 1, 2)
  before.set(1, 3)
  before.set(2, 4)
  before.set(4, 3)
  before.set(1)
  expect(before.distance(key(3), 'hops')).toBe(2)
  const after = opened('accurate', job)
  after.set(1)
  expect(after.distance(key(3), 'hops')).toBe(3)
})

test('a limit that is added later has exact distances for known documents', () => {
  const job = newJob()
  const before = openHops({ store, job, mode: 'accurate', limits: new Map([['hops', 9]]) })
  before.setSeeds([seed])
  before.replaceLinks(seed, [{ target: key(1), type: 'redirect' }])
  before.settle(1_000)
  const after = openHops({ store, job, mode: 'accurate', limits: new Map([['redirect', 0]]) })
  after.settle(1_000)
  expect(after.beyond(key(1))).toEqual({ measure: 'redirect', distance: 1, most: 0 })
  expect(after.distance(key(1), 'hops')).toBe(Infinity)
})

test('robots.txt keeps its distance when the seeds change', () => {
  const hops = opened('accurate')
  hops.setSeeds([seed])
  hops.addRobots(key(5))
  hops.set(5, 6)
  hops.setSeeds([key(1)])
  hops.settle(1_000)
  expect([0, 1, 5, 6].map((each) => hops.distance(key(each), 'hops'))).toEqual([Infinity, 0, 0, 1])
})

test('unapplied URLs are those whose distance changed since they were marked as applied', () => {
  const hops = opened('accurate')
  const markApplied = () =>
    hops
      .unapplied(100)
      .map((changed) => {
        changed.markApplied()
        return [0, 1, 2, 3].findIndex((each) => key(each).equals(changed.key))
      })
      .sort()
  hops.setSeeds([seed])
  hops.set(0, 1)
  hops.set(1, 2)
  expect(markApplied()).toEqual([0, 1, 2])
  hops.set(1, 2, 3)
  expect(markApplied()).toEqual([3])
  hops.set(0, 1, 3)
  expect(markApplied()).toEqual([3])
  hops.set(0, 3)
  expect(markApplied()).toEqual([1, 2])
  expect(markApplied()).toEqual([])
})

test('only the measures that the definition limits are kept', () => {
  const of = (more: object) => hopLimitsOf(harvestDefinition.parse({ seeds: ['a.test'], ...more }))
  expect(of({})).toBeUndefined()
  expect(of({ maxHops: 2 })).toEqual(new Map([['hops', 2]]))
  expect(of({ hops: {} })).toEqual(new Map([['hops', Infinity]]))
  expect(of({ maxHops: 2, hops: { limits: { redirect: 5 } } })).toEqual(
    new Map([
      ['redirect', 5],
      ['hops', 2],
    ]),
  )
})

test('the statements for every link use an index and sort nothing', () => {
  for (const sql of Object.values(hotSql)) {
    const plan = store
      .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all({ job: 1, key: seed, node: 1 })
      .map(({ detail }) => detail)
    expect(plan.join('; ')).toMatch(/^SEARCH \w+ USING (COVERING )?(INDEX|PRIMARY KEY)/)
  }
})
