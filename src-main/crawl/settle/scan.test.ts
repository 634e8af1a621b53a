import { describe, expect, test } from 'vitest'
import type { DocumentState } from '../../contract/states/documentStates.ts'
import { scannedCountMax } from '../model/limits.ts'
import { noCounts } from '../frontier/counts.ts'
import { crawlListFixture, type ListedDocument, type CrawlListFixture } from './testing/crawlListFixture.ts'
import { prepareDeletion, prepareScan, waitingIn } from './scan.ts'
import type { Scan } from '../model/scanPlan.ts'
import { markSeeds, settleSeeds } from './seeds.ts'

const signal = new AbortController().signal

/** The list at the start of a run; `+` marks documents that were captured. */
const before: [string, DocumentState][] = [
  ['waiting', 'PENDING'],
  ['waiting again+', 'PENDINGPURGATORY'],
  ['done+', 'COMPLETE'],
  ['refused', 'COMPLETE'],
  ['as before+', 'UNCHANGED'],
  ['of an aborted run+', 'PURGATORY'],
  ['too far', 'HOPCOUNTREMOVED'],
  ['too far now+', 'HOPCOUNTREMOVED'],
]

function listBefore(): CrawlListFixture {
  const documents = before.map(([url, state]): ListedDocument => ({
    url,
    state,
    isCaptured: url.endsWith('+'),
    outcome: 'fetched',
  }))
  return crawlListFixture(documents)
}

/** States in the order of `before`; `-` marks documents that are no longer in the list. */
function short(list: CrawlListFixture): string[] {
  const states = list.states()
  return before.map(([url]) => states[url] ?? '-')
}

const waits = 'PENDINGPURGATORY'
const after: [Scan, string[], waiting: number][] = [
  ['full', ['-', 'PURGATORY', 'PURGATORY', '-', 'PURGATORY', 'PURGATORY', '-', '-'], 0],
  ['incremental', ['PENDING', waits, waits, '-', waits, waits, '-', 'PENDING'], 6],
  ['existing', ['PENDING', waits, waits, '-', waits, waits, '-', 'PENDING'], 6],
  ['partial', ['PENDING', waits, 'UNCHANGED', '-', 'UNCHANGED', 'UNCHANGED', '-', 'HOPCOUNTREMOVED'], 2],
  ['none', ['PENDING', waits, 'COMPLETE', '-', 'UNCHANGED', 'PURGATORY', '-', 'HOPCOUNTREMOVED'], 2],
]

describe.each(after)('a %s scan', (scan, expected, waiting) => {
  test('prepares the list, and changes nothing when it is repeated', async () => {
    const list = listBefore()
    for (const _ of ['once', 'twice']) {
      await list.world.run(prepareScan({ ...list, signal }, scan))
      expect(waitingIn(list.store, list.job)).toBe(waiting)
      expect(short(list)).toEqual(expected)
    }
  })
})

test('a further run starts without the outcomes and failures of the previous one, and reads robots.txt again', async () => {
  const previous = { isCaptured: true, outcome: 'fetched', dueMs: 99 } as const
  const list = crawlListFixture([
    { url: 'a', state: 'COMPLETE', ...previous },
    { url: 'b', state: 'PURGATORY', ...previous },
  ])
  list.store.statement(`UPDATE document SET fail_ms = 5, fail_count = 1, attempts = 3, status = 200`).run({})
  await list.world.run(prepareScan({ ...list, signal }, 'full'))
  for (const column of ['outcome', 'status', 'comparison'])
    expect(list.column(column), column).toEqual({ a: null, b: null })
  for (const column of ['attempts', 'due_ms', 'fail_ms']) expect(list.column(column)['a'], column).toBeFalsy()
  const host = list.store.statement<object, { state: string }>('SELECT robots_state AS state FROM host').get({})
  expect(host).toEqual({ state: 'UNKNOWN' })
})

test('a deletion includes every captured document', async () => {
  const list = listBefore()
  await list.world.run(prepareDeletion({ ...list, signal }))
  const due = 'ELIGIBLEFORDELETE'
  expect(short(list)).toEqual(['-', due, due, due, due, due, '-', '-'])
})

test('a long list is prepared in steps, each in one transaction', async () => {
  const urls = Array.from({ length: scannedCountMax * 2 + 1 }, (_, at) => `http://a.test/${at}`)
  const list = crawlListFixture()
  list.store.transaction(() => {
    for (const url of urls) list.add({ url, state: 'COMPLETE', isCaptured: true })
  })
  let steps = 0
  const counting = {
    ...list.store,
    transaction: <T>(act: () => T): T => {
      steps += 1
      return list.store.transaction(act)
    },
  }
  await list.world.run(prepareScan({ ...list, store: counting, signal }, 'full'))
  expect(steps).toBe(3)
  expect(new Set(Object.values(list.states()))).toEqual(new Set(['PURGATORY']))
})

describe('seeds', () => {
  const setting = (list: CrawlListFixture, overridesSchedule = true) => ({
    job: list.job,
    nowMs: 10,
    overridesSchedule,
    areKnownDue: true,
  })

  test('a known seed is queued again, whatever its outcome was', () => {
    const rows: [DocumentState, DocumentState][] = [
      ['COMPLETE', 'PENDINGPURGATORY'],
      ['UNCHANGED', 'PENDINGPURGATORY'],
      ['PURGATORY', 'PENDINGPURGATORY'],
      ['PENDING', 'PENDING'],
      ['PENDINGPURGATORY', 'PENDINGPURGATORY'],
      ['ACTIVE', 'ACTIVE'],
      ['BEINGCLEANED', 'BEINGCLEANED'],
      ['HOPCOUNTREMOVED', 'HOPCOUNTREMOVED'],
    ]
    for (const [from, to] of rows) {
      const list = crawlListFixture([{ url: 'a', state: from }])
      expect(markSeeds(list.store, ['a'], setting(list)).again, from).toBe(from === to ? 0 : 1)
      expect(list.states(), from).toEqual({ a: to })
      expect(list.column('seed_mark'), from).toEqual({ a: 'N' })
    }
  })

  test('documents with an outcome in this run are not counted twice, and those deleted from the queue stay out', () => {
    const done = (outcome: 'fetched' | 'excluded' | null) =>
      crawlListFixture([{ url: 'a', state: 'COMPLETE', outcome }])
    const marked = (list: CrawlListFixture) => markSeeds(list.store, ['a'], setting(list)).counts
    expect(marked(done(null))).toEqual({ ...noCounts, total: 1 })
    expect(marked(done('fetched'))).toEqual({ ...noCounts, fetched: -1 })
    const refused = done('excluded')
    expect(marked(refused)).toEqual({ ...noCounts, excluded: -1 })
    expect(refused.column('outcome')).toEqual({ a: null })
    const dropped = done('excluded')
    dropped.store.statement<object>(`UPDATE document SET reason = 'dropped'`).run({})
    expect(marked(dropped)).toEqual(noCounts)
    expect(dropped.states()).toEqual({ a: 'COMPLETE' })
  })

  test('postponed seeds are due at once only if the seeding overrides the schedule', () => {
    const waiting = () =>
      crawlListFixture([
        { url: 'a', state: 'PENDING', dueMs: 99 },
        { url: 'b', state: 'PENDINGPURGATORY', dueMs: 99 },
      ])
    const overriding = waiting()
    markSeeds(overriding.store, ['a', 'b'], setting(overriding))
    expect(overriding.column('due_ms')).toEqual({ a: 10, b: 99 })
    const again = waiting()
    markSeeds(again.store, ['a', 'b'], setting(again, false))
    expect(again.column('due_ms')).toEqual({ a: 99, b: 99 })
  })

  const marked: ListedDocument[] = [
    { url: 'old', state: 'COMPLETE', seedMark: 'S' },
    { url: 'both', state: 'COMPLETE', seedMark: 'S' },
    { url: 'new', state: 'PENDING' },
    { url: 'other', state: 'PENDING' },
  ]
  test.each([
    [false, { old: 'F', both: 'S', new: 'S', other: 'F' }],
    [true, { old: 'S', both: 'S', new: 'S', other: 'F' }],
  ])('after a seeding the seeds are those that it named; partial: %s', (isPartial, expected) => {
    const list = crawlListFixture(marked)
    markSeeds(list.store, ['both', 'new'], setting(list))
    settleSeeds(list.store, { job: list.job, isPartial })
    expect(list.column('seed_mark')).toEqual(expected)
  })
})
