import { expect, test } from 'vitest'
import { frontierStatements } from '../frontier.sql.ts'
import { madeList } from '../recrawl/madeList.ts'
import { excludeWaiting } from './finisher.ts'

test('what waits when a run ends before its time: each ends as what is known of it, and the counters agree', () => {
  const list = madeList([
    { url: 'new', state: 'PENDING' },
    { url: 'of an earlier run', state: 'PENDINGPURGATORY', isCaptured: true },
    { url: 'to be fetched again', state: 'PENDINGPURGATORY', outcome: 'fetched', isCaptured: true },
    { url: 'never captured', state: 'PENDINGPURGATORY' },
    { url: 'done', state: 'COMPLETE', outcome: 'fetched', isCaptured: true },
  ])
  const { store, job } = list
  const queue = frontierStatements(store)
  queue.count.run({ job, total: 5, fetched: 2, failed: 0, excluded: 0, duplicate: 0, bytes: 0 })
  excludeWaiting({ queue }, job, 'objectLimit')
  expect(list.states()).toEqual({
    new: 'COMPLETE',
    'of an earlier run': 'UNCHANGED',
    'to be fetched again': 'COMPLETE',
    'never captured': 'COMPLETE',
    done: 'COMPLETE',
  })
  expect(list.column('outcome')).toEqual({
    new: 'excluded',
    'of an earlier run': null,
    'to be fetched again': 'fetched',
    'never captured': 'excluded',
    done: 'fetched',
  })
  const counters = `SELECT documents_total AS total, documents_fetched AS fetched, documents_excluded AS excluded FROM job`
  expect(store.statement(counters).get({})).toEqual({ total: 4, fetched: 2, excluded: 2 })
})
