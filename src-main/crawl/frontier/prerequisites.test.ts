import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frontierFixture, page } from './testing/frontierFixture.ts'
import { endAllEvents, openPrerequisites } from './prerequisites.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 30)

function trial(count = 3) {
  const made = frontierFixture()
  const { store, job, frontier } = made
  const urls = Array.from({ length: count }, (_, at) => `http://a.test/${at}`)
  frontier.discover(
    urls.map((url) => page(url)),
    0,
  )
  const ids = urls.map((url) => made.row(url)?.id ?? 0)
  const claimed = () => made.claim().map(({ id }) => ids.indexOf(id))
  return { ...made, events: openPrerequisites(store, job), ids, claimed }
}

describe('a document gets no turn', () => {
  test('while the event it waits for is in progress', () => {
    const { events, ids, claimed } = trial()
    events.waitFor(ids[0] ?? 0, ['login'])
    expect(events.begin('login')).toBe(true)
    expect(claimed()).toEqual([1, 2])
    expect(claimed()).toEqual([])
    events.complete('login')
    expect(claimed()).toEqual([0])
  })

  test('while one of several is', () => {
    const { events, ids, claimed } = trial(1)
    events.waitFor(ids[0] ?? 0, ['login', 'terms'])
    events.begin('login')
    events.begin('terms')
    events.complete('login')
    expect(claimed()).toEqual([])
    events.complete('terms')
    expect(claimed()).toEqual([0])
  })

  test('but does so after a restart: the engine that would have completed the event has ended', () => {
    const { events, ids, claimed, store } = trial(1)
    events.waitFor(ids[0] ?? 0, ['login'])
    events.begin('login')
    endAllEvents(store)
    expect(claimed()).toEqual([0])
  })

  test('while a new event replaces the former one', () => {
    const { events, ids, claimed } = trial(1)
    events.waitFor(ids[0] ?? 0, ['login'])
    events.waitFor(ids[0] ?? 0, ['terms'])
    events.begin('login')
    expect(claimed()).toEqual([0])
  })
})

test('only the first of two callers begins an event', () => {
  const { events } = trial()
  expect([events.begin('login'), events.begin('login'), events.isLive('login')]).toEqual([true, false, true])
  events.complete('login')
  expect([events.isLive('login'), events.begin('login')]).toEqual([false, true])
})

test('an event of one job blocks no other job', () => {
  const { store, job, events, ids, claimed } = trial(1)
  events.waitFor(ids[0] ?? 0, ['login'])
  store
    .statement<{ job: number }>(
      `INSERT INTO job (id, harvest_id, state, created_ms) SELECT 99, harvest_id, state, 0 FROM job WHERE id = @job`,
    )
    .run({ job })
  openPrerequisites(store, 99).begin('login')
  expect(claimed()).toEqual([0])
})

test('documents that wait for an event in progress are never claimed, and all others are', () => {
  const names = ['login', 'terms', 'age']
  const wishes = fc.array(fc.subarray(names), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(wishes, fc.subarray(names), (waitedFor, live) => {
      const { events, ids, claimed, store } = trial(4)
      waitedFor.forEach((each, at) => events.waitFor(ids[at] ?? 0, each))
      for (const name of live) events.begin(name)
      const free = waitedFor.flatMap((each, at) => (each.some((name) => live.includes(name)) ? [] : [at]))
      expect(claimed()).toEqual(free)
      for (const name of live) events.complete(name)
      expect(claimed()).toEqual([0, 1, 2, 3].filter((at) => !free.includes(at)))
      store.close()
    }),
    { numRuns },
  )
})
