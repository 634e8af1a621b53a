/** Compares the reports on runs with a plain list of what happened, over many runs of a job: starts that are stopped before their run
 *  begins, every way of preparing the list, documents that leave it, and lists that are no longer kept. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listedRunsMax } from '../../contract/services/history.ts'
import { comparisons, type Comparison } from '../../contract/shapes/comparisons.ts'
import { runStartStatements } from '../model/runs.sql.ts'
import { prepareScan } from '../settle/scan.ts'
import { crawlListFixture, type CrawlListFixture } from '../settle/testing/crawlListFixture.ts'
import { makeReport } from './report.ts'
import { queryOf } from './testing/historyFixture.ts'

const propertyRuns = Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 10)
const signal = new AbortController().signal
const paths = ['a', 'b', 'c', 'd', 'e']
const scans = ['full', 'incremental', 'partial', 'existing', 'none'] as const

/** What happens to each path in a run: nothing, an answer that is compared, or its removal from the list. */
const fate = fc.constantFrom<Comparison | 'failed' | 'removed' | null>(...comparisons, 'failed', 'removed', null)
const run = fc.record({
  fates: fc.array(fate, { minLength: paths.length, maxLength: paths.length }),
  scan: fc.constantFrom(...scans),
  /** Starts that are stopped after the list was prepared, and before their run has begun. */
  stoppedStarts: fc.nat(2),
})

/** A job that is led through its runs by the statements of the engine. */
function jobUnder(list: CrawlListFixture) {
  const { store, job } = list
  const sql = runStartStatements(store)
  const change = (text: string, values: object) => store.statement<object>(text).run(values)
  return {
    begin: (nowMs: number) => sql.begin.run({ job, nowMs }),
    leave: () => sql.beginRun.run({ job, runId: '' }),
    settle(url: string, comparison: Comparison | null): void {
      change(`DELETE FROM document WHERE job_id = @job AND url = @url`, { job, url })
      const outcome = comparison === null ? 'failed' : 'fetched'
      list.add({ url, state: 'COMPLETE', isCaptured: true, outcome, comparison })
      if (comparison !== null)
        change(`UPDATE job SET documents_fetched = documents_fetched + 1 WHERE id = @job`, { job })
    },
    remove(url: string): void {
      change(`DELETE FROM document WHERE job_id = @job AND url = @url`, { job, url })
      change(
        `INSERT INTO removed_document (job_id, run, why, removed_ms, url, hop_path)
         SELECT @job, run, 'notFound', 0, @url, '' FROM job WHERE id = @job`,
        { job, url },
      )
    },
    number: () =>
      store.statement<object, { run: number }>(`SELECT run FROM job WHERE id = @job`).get({ job })?.run ?? 0,
  }
}

async function shown({ store, job }: CrawlListFixture, run: number, comparison: Comparison) {
  const query = queryOf({ report: 'changes', jobs: [job], run, comparisons: [comparison] })
  const { rows, total } = await makeReport({ store, nowMs: 0, signal }, query)
  expect(total).toBe(rows.length)
  for (const row of rows) expect(row.slice(1, 4)).toEqual([comparison, job, run])
  return rows.map(([url]) => url).sort()
}

/** The URLs with a comparison in each run, as the test made them. */
type Happened = Map<number, Record<Comparison, string[]>>

async function expectAsHappened(list: CrawlListFixture, happened: Happened): Promise<void> {
  const query = queryOf({ report: 'runs', jobs: [list.job] })
  const { rows } = await makeReport({ ...list, nowMs: 0, signal }, query)
  const numbers = rows.map(([number, , , , ...counts]) => [number, ...counts])
  const expected = [...happened].map(([number, urls]) => [
    number,
    ...(['new', 'changed', 'unchanged', 'gone'] as const).map((name) => urls[name].length),
  ])
  expect(numbers).toEqual(expected.reverse())
  for (const [number, urls] of happened)
    for (const name of comparisons) expect(await shown(list, number, name)).toEqual(urls[name].toSorted())
}

test('each run has the URLs of a plain list, also while the next is prepared', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
      const list = crawlListFixture()
      const under = jobUnder(list)
      const happened: Happened = new Map()
      for (const { fates, scan, stoppedStarts } of runs) {
        under.begin(under.number())
        const urls: Record<Comparison, string[]> = { new: [], unchanged: [], changed: [], gone: [] }
        happened.set(under.number(), urls)
        for (const [at, what] of fates.entries()) {
          const url = `http://a.test/${paths[at] ?? ''}`
          if (what === null) continue
          if (what === 'removed') {
            under.remove(url)
            urls.gone.push(url)
          } else {
            under.settle(url, what === 'failed' ? null : what)
            if (what !== 'failed') urls[what].push(url)
          }
        }
        await expectAsHappened(list, happened)
        for (let start = 0; start <= stoppedStarts; start += 1) {
          under.leave()
          await expectAsHappened(list, happened)
          await list.world.run(prepareScan({ ...list, signal }, scan))
          await expectAsHappened(list, happened)
        }
      }
      list.store.close()
    }),
    { numRuns: propertyRuns },
  )
})

test('numbers are kept longer than lists', async () => {
  const list = crawlListFixture()
  const under = jobUnder(list)
  const runs = listedRunsMax + 3
  for (let run = 1; run <= runs; run += 1) {
    under.begin(run)
    under.settle('http://a.test/', 'changed')
    under.leave()
    await list.world.run(prepareScan({ ...list, signal }, 'full'))
  }
  const { rows } = await makeReport({ ...list, nowMs: 0, signal }, queryOf({ report: 'runs', jobs: [list.job] }))
  expect(rows.map(([number, , , , , changed]) => [number, changed])).toEqual(
    Array.from({ length: runs }, (_, at) => [runs - at, 1]),
  )
  const listed = await Promise.all(Array.from({ length: runs }, (_, at) => shown(list, at + 1, 'changed')))
  expect(listed.map(({ length }) => length)).toEqual([0, 0, 0, ...Array<number>(listedRunsMax).fill(1)])
})

test('a run that was restored without its comparisons has no numbers', async () => {
  const list = crawlListFixture()
  const under = jobUnder(list)
  under.begin(1)
  list.store.statement<object>(`UPDATE job SET documents_fetched = 3`).run({})
  const { rows } = await makeReport({ ...list, nowMs: 0, signal }, queryOf({ report: 'runs', jobs: [list.job] }))
  expect(rows.map((row) => row.slice(4))).toEqual([[null, null, null, null]])
})
