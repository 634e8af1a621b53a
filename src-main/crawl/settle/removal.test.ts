import { describe, expect, test } from 'vitest'
import { goneModes } from '../../contract/shapes/choices.ts'
import { removedCountMax } from '../model/limits.ts'
import { anotherList, crawlListFixture, type ListedDocument } from './testing/crawlListFixture.ts'
import { removalSql } from './removal.sql.ts'
import { notFoundResult, leavesAtOnce, removalFrom } from './removal.ts'

test('documents not found again are removed only after a complete run and if the definition wants it', () => {
  const removed = goneModes.flatMap((mode) =>
    [true, false].filter((isWhole) => notFoundResult(mode, isWhole) === 'removed').map((isWhole) => [mode, isWhole]),
  )
  expect(removed).toEqual([
    ['atOnce', true],
    ['atEnd', true],
  ])
})

test('a document reported as gone is removed at once, at the end of the run, or not at all', () => {
  expect(goneModes.map((mode) => [mode, leavesAtOnce(mode, false), leavesAtOnce(mode, true)])).toEqual([
    ['keep', false, false],
    ['atOnce', true, true],
    ['atEnd', false, true],
  ])
})

const listed: ListedDocument[] = [
  { url: 'not found', state: 'PURGATORY' },
  { url: 'not found, for later', state: 'PURGATORY', dueMs: 99 },
  { url: 'gone', state: 'COMPLETE', outcome: 'fetched', comparison: 'gone', dueMs: 99 },
  { url: 'done', state: 'COMPLETE', outcome: 'fetched', comparison: 'changed' },
  { url: 'waiting', state: 'PENDINGPURGATORY' },
  { url: 'to delete', state: 'ELIGIBLEFORDELETE' },
]

describe('claims for removal', () => {
  test('each cleanup claims its own documents: those not found if they are due, those gone at any time', () => {
    const list = crawlListFixture(listed)
    const removal = removalFrom(list.store)
    expect(removal.takeToClean(list.job, 'notFound', 10).map(({ url }) => url)).toEqual(['not found'])
    expect(removal.takeToClean(list.job, 'answered', 10).map(({ url }) => url)).toEqual(['gone'])
    expect(removal.takeToDelete(list.job, 10).map(({ url }) => url)).toEqual(['to delete'])
    expect(list.states()).toEqual({
      'not found': 'BEINGCLEANED',
      'not found, for later': 'PURGATORY',
      gone: 'BEINGCLEANED',
      done: 'COMPLETE',
      waiting: 'PENDINGPURGATORY',
      'to delete': 'BEINGDELETED',
    })
  })

  test('a URL claimed by another job waits', () => {
    for (const state of ['ACTIVE', 'ACTIVEPURGATORY', 'BEINGCLEANED', 'BEINGDELETED'] as const) {
      const list = crawlListFixture(listed)
      anotherList(list, [
        { url: 'not found', state },
        { url: 'to delete', state },
      ])
      const removal = removalFrom(list.store)
      expect(removal.takeToClean(list.job, 'notFound', 10), state).toEqual([])
      expect(removal.takeToDelete(list.job, 10), state).toEqual([])
    }
  })

  test('a URL that another job only has in its list does not wait', () => {
    const list = crawlListFixture(listed)
    anotherList(list, [{ url: 'not found', state: 'COMPLETE' }])
    expect(removalFrom(list.store).takeToClean(list.job, 'notFound', 10)).toHaveLength(1)
  })

  test('a long list is removed in batches', () => {
    const list = crawlListFixture()
    list.store.transaction(() => {
      for (let at = 0; at <= removedCountMax; at += 1) list.add({ url: `${at}`, state: 'PURGATORY' })
    })
    const removal = removalFrom(list.store)
    expect(removal.takeToClean(list.job, 'notFound', 0)).toHaveLength(removedCountMax)
    expect(removal.takeToClean(list.job, 'notFound', 0)).toHaveLength(1)
    expect(removal.takeToClean(list.job, 'notFound', 0)).toEqual([])
  })
})

test('a kept document is in the same state as before the run', () => {
  const list = crawlListFixture(listed)
  expect(removalFrom(list.store).keepNotFound(list.job)).toBe(2)
  expect(list.states()).toMatchObject({
    'not found': 'UNCHANGED',
    'not found, for later': 'UNCHANGED',
    gone: 'COMPLETE',
  })
})

test('a removal is recorded with the outcome of the run, and the capture is forgotten', () => {
  const list = crawlListFixture([
    { url: 'a', state: 'COMPLETE', outcome: 'fetched', comparison: 'gone', isCaptured: true },
  ])
  list.store.statement('UPDATE document SET status = 404').run({})
  const removal = removalFrom(list.store)
  expect([removal.hasToClean(list.job, 'atEnd'), removal.hasToClean(list.job, 'keep')]).toEqual([true, false])
  const taken = removal.takeToClean(list.job, 'answered', 10)
  expect(removal.hasToClean(list.job, 'keep')).toBe(true)
  list.store.transaction(() => removal.remove(taken, 'answered', 10))
  expect([removal.hasToClean(list.job, 'atEnd'), removal.hasDocuments(list.job)]).toEqual([false, false])
  const rows = list.store.statement('SELECT job_id, run, why, url, status, removed_ms FROM removed_document').all({})
  expect(rows).toEqual([{ job_id: list.job, run: 1, why: 'answered', url: 'a', status: 404, removed_ms: 10 }])
  expect(list.store.statement('SELECT * FROM capture').all({})).toEqual([])
})

test('only expired documents of running jobs are returned', () => {
  const list = crawlListFixture([
    { url: 'due', state: 'PENDINGPURGATORY', checkAction: 'remove', dueMs: 5 },
    { url: 'later', state: 'PENDINGPURGATORY', checkAction: 'remove', dueMs: 50 },
    { url: 'looked at', state: 'PENDINGPURGATORY', checkAction: 'rescan', dueMs: 5 },
  ])
  const removal = removalFrom(list.store)
  expect(removal.expired(10)).toEqual([])
  for (const state of ['STARTINGUP', 'ACTIVE']) list.store.statement(`UPDATE job SET state = '${state}'`).run({})
  expect(removal.expired(10).map(({ url }) => url)).toEqual(['due'])
})

test('no statement scans a whole list', () => {
  const { store } = crawlListFixture()
  const input = { job: 1, nowMs: 0, limit: 1, withGone: 1 }
  for (const sql of [
    removalSql.take('notFound'),
    removalSql.take('answered'),
    removalSql.takeToDelete,
    removalSql.keep,
    removalSql.expired,
    removalSql.anyToClean,
  ]) {
    const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(input)
    const scans = plan.map(({ detail }) => detail).filter((detail) => /SCAN (?!CONSTANT)/.test(detail))
    expect(scans.filter((detail) => !detail.includes('INDEX'))).toEqual([])
  }
})
