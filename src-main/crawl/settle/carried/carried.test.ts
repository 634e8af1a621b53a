import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyOf } from '../../model/urlKeys.ts'
import { frontierFixture, page } from '../../frontier/testing/frontierFixture.ts'
import { openCarried } from './carried.ts'
import { inheritanceOf, type FoundData } from './inheritance.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 200)
const url = (at: number) => `http://a.test/${at}`

describe('the data of a parent', () => {
  const { store, job } = frontierFixture()
  const parents = [url(100), url(101)]
  const data = fc.uniqueArray(
    fc.record({ child: fc.nat(3), name: fc.constantFrom('title', 'date'), value: fc.constantFrom('', 'a', 'b') }),
    { selector: (each) => JSON.stringify(each), maxLength: 5 },
  )
  const pass = fc.record({ parent: fc.nat(1), data, isKilled: fc.boolean() })

  test('is that of its last completed pass, and exactly the affected children are reported', () => {
    fc.assert(
      fc.property(fc.array(pass, { maxLength: 8 }), (passes) => {
        const carried = openCarried(store, job)
        const passed = [new Set<string>(), new Set<string>()]
        for (const parent of parents) carried.replace(keyOf(parent), [])
        for (const { parent, data: items, isKilled } of passes) {
          const act = () =>
            carried.replace(
              keyOf(parents[parent] ?? ''),
              items.map(({ child, ...each }) => ({ child: keyOf(url(child)), ...each })),
            )
          if (isKilled) {
            const cut = () =>
              store.transaction(() => {
                act()
                throw new Error('cut')
              })
            expect(cut).toThrow('cut')
            continue
          }
          const now = new Set(items.map((item) => JSON.stringify([item.child, item.name, item.value])))
          const before = passed[parent] ?? new Set()
          const isNews = (item: string) => now.has(item) !== before.has(item)
          const different = [...now, ...before].filter(isNews).map((item) => (JSON.parse(item) as [number])[0])
          const reported = act().map((key) =>
            [0, 1, 2, 3].findIndex((child) => Buffer.from(key).equals(keyOf(url(child)))),
          )
          expect(reported.sort()).toEqual([...new Set(different)].sort())
          passed[parent] = now
        }
        for (const child of [0, 1, 2, 3]) {
          const all = [...(passed[0] ?? []), ...(passed[1] ?? [])].map(
            (item) => JSON.parse(item) as [number, string, string],
          )
          const expected = new Set(all.filter(([of]) => of === child).map(([, name, value]) => `${name}=${value}`))
          const stored = carried.of(keyOf(url(child))).map(({ name, value }) => `${name}=${value}`)
          expect(stored.sort()).toEqual([...expected].sort())
        }
      }),
      { numRuns },
    )
  })
})

describe('a child with changed data', () => {
  const feed = url(9)
  const title = (value: string): FoundData[] => [{ url: url(0), name: 'title', value }]

  function trial() {
    const made = frontierFixture()
    const { store, job, frontier } = made
    frontier.discover([page(url(0))], 0)
    const set = store.statement<{ state: string; outcome: string | null }>(
      `UPDATE document SET state = @state, outcome = @outcome`,
    )
    const claim = () => made.claim({ limit: 1 })
    return { ...made, set, claim, inheritance: inheritanceOf(store, job) }
  }

  test('is fetched again, with the new data', () => {
    const { inheritance, claim, set, row } = trial()
    claim()
    set.run({ state: 'COMPLETE', outcome: 'fetched' })
    expect(inheritance.replace(feed, title('Roses'), 5)).toEqual([url(0)])
    expect(row(url(0))).toMatchObject({ state: 'PENDINGPURGATORY', outcome: 'fetched' })
    expect(inheritance.of(url(0))).toEqual([{ name: 'title', value: 'Roses' }])
  })

  test('is fetched again when its parent has no more data about it', () => {
    const { inheritance, claim, set, row } = trial()
    inheritance.replace(feed, title('Roses'), 5)
    claim()
    set.run({ state: 'COMPLETE', outcome: 'fetched' })
    expect(inheritance.replace(feed, [], 5)).toEqual([url(0)])
    expect(row(url(0))?.state).toBe('PENDINGPURGATORY')
  })

  test('is not fetched again when the data is the same', () => {
    const { inheritance, claim, set } = trial()
    inheritance.replace(feed, title('Roses'), 5)
    claim()
    set.run({ state: 'COMPLETE', outcome: 'fetched' })
    expect(inheritance.replace(feed, title('Roses'), 5)).toEqual([])
  })

  test('is only marked while it is in progress', () => {
    const { inheritance, claim, row } = trial()
    claim()
    expect(inheritance.replace(feed, title('Roses'), 5)).toEqual([])
    expect(row(url(0))).toMatchObject({ state: 'ACTIVENEEDRESCAN', attempts: 1 })
  })

  test('is not queued again if it is excluded or already waiting', () => {
    const { inheritance, claim, set, row } = trial()
    expect(inheritance.replace(feed, title('Roses'), 5)).toEqual([])
    expect(row(url(0))?.state).toBe('PENDING')
    claim()
    set.run({ state: 'COMPLETE', outcome: 'excluded' })
    expect(inheritance.replace(feed, title('Tulips'), 5)).toEqual([])
  })
})
