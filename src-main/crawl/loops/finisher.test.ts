import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jobStates } from '../../contract/states/jobStates.ts'
import { mover } from '../../storage/guard.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { engineStatements } from './engine.ts'
import { crawlListFixture } from '../settle/testing/crawlListFixture.ts'
import { excludeWaiting, finishJob } from './finisher.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

test('queued documents are settled when a run ends early, and the counters match them', () => {
  const list = crawlListFixture([
    { url: 'new', state: 'PENDING' },
    { url: 'of an earlier run', state: 'PENDINGPURGATORY', isCaptured: true },
    { url: 'to be fetched again', state: 'PENDINGPURGATORY', outcome: 'fetched', isCaptured: true },
    { url: 'never captured', state: 'PENDINGPURGATORY' },
    { url: 'done', state: 'COMPLETE', outcome: 'fetched', isCaptured: true },
  ])
  const { store, job } = list
  store.statement(`UPDATE job SET run = 2`).run({})
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

test('a document that the first run captured and then took up again is excluded when it ends early', () => {
  const list = crawlListFixture([{ url: 'taken up again', state: 'PENDINGPURGATORY', isCaptured: true }])
  const { store, job } = list
  const queue = frontierStatements(store)
  queue.count.run({ job, total: 1, fetched: 0, failed: 0, excluded: 0, duplicate: 0, bytes: 0 })
  excludeWaiting({ queue }, job, 'jobStopped')
  expect(list.states()).toEqual({ 'taken up again': 'COMPLETE' })
  const counters = `SELECT documents_total AS total, documents_excluded AS excluded FROM job`
  expect(store.statement(counters).get({})).toEqual({ total: 1, excluded: 1 })
})

const limits = ['OBJECT_LIMIT', 'SIZE_LIMIT', 'TIME_LIMIT'] as const
const anyDocument = fc.record({
  state: fc.constantFrom('PENDING', 'PENDINGPURGATORY', 'PURGATORY', 'COMPLETE', 'UNCHANGED', 'HOPCOUNTREMOVED'),
  outcome: fc.constantFrom('fetched', 'failed', null),
  isCaptured: fc.boolean(),
})

test('a job enters its cleanup with nothing left to fetch, for any documents and any end of its run', () => {
  fc.assert(
    fc.property(
      fc.array(anyDocument, { maxLength: 12 }),
      fc.constantFrom('DOWNLOAD_COMPLETE' as const, ...limits),
      (documents, reason) => {
        const list = crawlListFixture(documents.map((document, number) => ({ url: `${number}`, ...document })))
        const { store, job } = list
        const move = mover(store, jobStates, { table: 'job' })
        for (const event of ['startupTaken', 'seeded'] as const) move(job, event)
        const sql = engineStatements(store)
        sql.seeded.run({
          job,
          version: '1',
          reseedMs: null,
          definitionVersion: sql.versions.get({ job })?.definition ?? 0,
        })
        const queue = frontierStatements(store)
        const waits = queue.anyWaiting.get({ job }) !== undefined
        finishJob({ store, sql, queue, move, log: () => undefined }, job, reason)
        // A user may have removed a reject rule after the last check of the queue.
        const isGivenMore = waits && reason === 'DOWNLOAD_COMPLETE'
        expect(sql.one.get({ job })?.state).toBe(isGivenMore ? 'ACTIVE' : 'SHUTTINGDOWN')
        expect(queue.anyWaiting.get({ job }) !== undefined).toBe(isGivenMore)
        store.close()
      },
    ),
    { numRuns },
  )
})
