/** Plans: read from TOML, everything that is wrong named at once, and the destinations that documents can reach. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WrittenDeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import { textOf } from '../../contract/words/render.ts'
import { fakeKinds } from '../testing/fakeKinds.ts'
import { placesOf } from './places.ts'
import { readPlan, readPlanToml } from './readPlan.ts'
import { stepFactsOf } from './stepFacts.ts'

type Steps = WrittenDeliveryPlan['steps']
const all = { kind: 'all' } as const

function read(steps: Steps) {
  return readPlan({ name: 'p', steps }, fakeKinds)
}

function faultsIn(steps: Steps): string[] {
  const result = read(steps)
  return 'faults' in result ? result.faults.map(({ message }) => textOf(message)) : []
}

function destinationsOf(steps: Steps): string[] {
  const result = read(steps)
  if ('faults' in result) throw new Error(faultsIn(steps).join(' '))
  const place = placesOf('s', { steps: result.plan.steps, kindOf: ({ kind }) => fakeKinds[kind] })
  return [...(place?.reach ?? [])].sort()
}

test('a plan is read from TOML, with its defaults', () => {
  const toml = `
    name = "search"
    [[steps]]
    name = "s"
    kind = "source"
    settings.count = 3
    intervalSeconds = 60
    [[steps]]
    name = "d"
    kind = "index"
    after = ["s"]
    guarantee = "atMostOnce"`
  const result = readPlanToml(toml, fakeKinds)
  expect(result).toMatchObject({
    warnings: [],
    plan: {
      name: 'search',
      keepDays: 90,
      steps: [
        { name: 's', settings: { count: 3 }, intervalSeconds: 60, remembers: true, attemptsMax: 3, after: [] },
        { name: 'd', guarantee: 'atMostOnce', batchDelayMs: 5_000, timeoutMs: 60_000 },
      ],
    },
  })
})

test('a text that is no TOML is one fault, with its line', () => {
  const result = readPlanToml('name = "a"\nsteps = [', fakeKinds)
  expect('faults' in result && result.faults.map(({ message }) => textOf(message))).toEqual([
    expect.stringMatching(/line 2/i),
  ])
})

const source = { name: 's', kind: 'source' }
const index = { name: 'd', kind: 'index', after: ['s'] }

describe('one sentence per fault', () => {
  test.each<[what: string, steps: Steps, expected: RegExp[]]>([
    ['nothing wrong', [source, index], []],
    [
      'a cycle',
      [
        { ...source, router: all },
        { name: 'a', kind: 'change', after: ['s', 'b'] },
        { name: 'b', kind: 'change', after: ['a'], router: all },
        { ...index, after: ['b'] },
      ],
      [/^Documents would go in a circle: a → b → a\.$/],
    ],
    ['a step after itself', [source, { ...index, after: ['s', 'd'] }], [/^Documents would go in a circle: d → d\.$/]],
    ['an unknown predecessor', [source, index, { ...index, name: 'e', after: ['x'] }], [/^Step e: there is no step x/, /^Step e: no scanner/]], // prettier-ignore
    ['a duplicate name', [{ ...source, router: all }, index, index], [/^Step d: there are several steps/]],
    ['a name that is none', [source, { ...index, name: 'null' }], [/^Step null: a name begins with a letter/]],
    ['a sign of destinations in a name', [source, { ...index, name: 'a<-via->b' }], [/^Step a<-via->b: a name/]],
    ['an unknown kind', [source, { ...index, kind: 'x' }], [/^Step d: there is no kind of step named x\. Known: change, index, notify, source, stamp\.$/]], // prettier-ignore
    ['wrong settings', [{ ...source, settings: { count: 'a', more: 1 } }, index], [/^Step s: count must be a (whole )?number/, /^Step s: .*more/]], // prettier-ignore
    ['a wrong field of a step', [source, { ...index, timeoutMs: 0 }], [/^Step d: timeoutMs must be at least 1/]],
    ['a scanner after a step', [source, { ...source, name: 't', after: ['s'] }, { ...index, after: ['t'] }], [/^Step t: a scanner begins/]], // prettier-ignore
    ['an unreached step', [source, index, { ...index, name: 'e', after: [] }], [/^Step e: no scanner leads/]],
    ['no scanner', [{ ...index, after: [] }], [/^The plan has no scanner/]],
    ['a potent, mutating step with a step after it', [source, { ...index, kind: 'stamp' }, { ...index, name: 'e', after: ['d'] }], [/^Step d: it changes documents and must not/]], // prettier-ignore
    ['a safe last step', [source, { ...index, kind: 'change' }], [/^Step d: it is the last step/]],
    ['several next steps without a router', [source, index, { ...index, name: 'e' }], [/^Step s: 2 steps come after it/]], // prettier-ignore
    [
      'a router that names no next step',
      [{ ...source, router: { kind: 'field', field: 'f', values: { a: 'd', b: 'x' }, otherwise: 'y' } }, index],
      [/^Step s: its router names x,/, /^Step s: its router names y,/],
    ],
    [
      'several at once',
      [
        { ...source, after: ['x'] },
        { ...index, kind: 'y', name: '9', timeoutMs: 0 },
      ],
      [
        /^Step 9: timeoutMs/,
        /kind of step named y/,
        /^Step 9: a name/,
        /^Step s: there is no step x/,
        /^Step s: a scanner/,
      ],
    ],
  ])('%s', (_, steps, expected) => {
    const found = faultsIn(steps)
    expect(found.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    for (const pattern of expected)
      expect(
        found.some((text) => pattern.test(text)),
        `${String(pattern)} in ${found.join(' ')}`,
      ).toBe(true)
  })

  test('a plan without name and steps', () => {
    const result = readPlan({}, fakeKinds)
    expect('faults' in result && result.faults.map(({ step }) => step)).toEqual([null, null, null])
  })
})

test('copies behind a choice by turns are a warning', () => {
  const result = read([
    { ...source, router: { kind: 'roundRobin' } },
    { name: 'a', kind: 'change', after: ['s'], router: all },
    { name: 'b', kind: 'index', after: ['s', 'a'] },
    { name: 'c', kind: 'index', after: ['a'] },
  ])
  expect(result.warnings.map(({ step, message }) => [step, message.code])).toEqual([
    ['a', 'delivery.plan.copiesByChance'],
  ])
})

describe('names of destinations', () => {
  const a = { name: 'a', kind: 'change', after: ['s'] }
  const b = { name: 'b', kind: 'change', after: ['s'] }
  test.each<[what: string, steps: Steps, expected: string[]]>([
    ['one way', [source, index], ['d']],
    ['two branches with destinations of their own', [{ ...source, router: all }, a, b, { ...index, after: ['a'] }, { ...index, name: 'e', after: ['b'] }], ['d', 'e']], // prettier-ignore
    ['two branches that join', [{ ...source, router: all }, a, b, { ...index, after: ['a', 'b'] }], ['d<-via->a', 'd<-via->b']], // prettier-ignore
    ['two branches of a choice that join', [{ ...source, router: { kind: 'stepName' } }, a, b, { ...index, after: ['a', 'b'] }], ['d']], // prettier-ignore
    ['a destination on the way', [source, { ...index, kind: 'notify' }, { ...index, name: 'e', after: ['d'] }], ['d', 'e']], // prettier-ignore
  ])('%s', (_, steps, expected) => {
    expect(destinationsOf(steps)).toEqual(expected)
  })
})

test('any steps in any order are checked in bounded time, and an accepted plan reaches a destination from each place', () => {
  const names = ['s', 'a', 'b', 'c', 'd', 'e']
  const step = fc.record({
    name: fc.constantFrom(...names),
    kind: fc.constantFrom(...Object.keys(fakeKinds)),
    after: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
    router: fc.constantFrom(all, { kind: 'roundRobin' } as const),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const result = read(steps)
      if ('faults' in result) {
        expect(result.faults.length).toBeGreaterThan(0)
        return
      }
      for (const { name, kind } of result.plan.steps) {
        if (kind !== 'source') continue
        const place = placesOf(name, { steps: result.plan.steps, kindOf: (each) => fakeKinds[each.kind] })
        expect(place?.reach.size).toBeGreaterThan(0)
      }
    }),
    { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 300) },
  )
})

test('the steps of a plan have what their kinds declare; a router that has nothing to choose is left out', () => {
  const result = read([
    { name: 's', kind: 'source', router: all },
    { name: 'c', kind: 'change', after: ['s'], router: all },
    { name: 'i', kind: 'index', after: ['c'] },
    { name: 'n', kind: 'notify', after: ['c'], guarantee: 'atLeastOnce' },
  ])
  if ('faults' in result) throw new Error('the plan has faults')
  expect(stepFactsOf(result.plan, fakeKinds)).toEqual([
    { ...step('s', 'source', []), role: 'scanner', effect: 'safe' },
    { ...step('c', 'change', ['s']), role: 'processor', effect: 'safe', isMutating: true, router: all },
    { ...step('i', 'index', ['c']), role: 'destination', effect: 'idempotent', guarantee: 'atLeastOnce' },
    { ...step('n', 'notify', ['c']), role: 'destination', effect: 'potent', guarantee: 'atLeastOnce' },
  ])
})

function step(name: string, kind: string, after: string[]) {
  return { name, kind, after, isMutating: false, router: null, guarantee: null }
}
