import { expect, test } from 'vitest'
import { definitionIn } from '../definition/storedDefinition.ts'
import { crawlListFixture, type ListedDocument } from '../settle/testing/crawlListFixture.ts'
import { leaveEarlierRun } from './earlierRun.ts'
import { engineStatements } from './engine.ts'

const documents: ListedDocument[] = [
  { url: 'waiting', state: 'PENDING' },
  { url: 'captured', state: 'COMPLETE', outcome: 'fetched', isCaptured: true },
  { url: 'excluded', state: 'COMPLETE', outcome: 'excluded' },
]

/** Begins run `run` on these documents, with counters that are wrong, as a kill during a startup may leave them. */
async function left(run: number) {
  const { store, world, job, column } = crawlListFixture(documents)
  store
    .statement(
      `UPDATE job SET run = ${run}, documents_total = 70, documents_excluded = ${run === 1 ? 0 : 7} WHERE id = @job`,
    )
    .run({ job })
  const sql = engineStatements(store)
  const rowOf = () => {
    const row = sql.one.get({ job })
    if (!row) throw new Error('the job has gone')
    return row
  }
  const engine = { store, world, sql, rowOf, definitionOf: () => definitionIn(store, job) }
  const { signal } = new AbortController()
  const waiting = await world.run(leaveEarlierRun(engine, { job, isMinimal: false, signal }))
  const counters = store
    .statement(`SELECT documents_total AS total, documents_excluded AS excluded FROM job WHERE id = @job`)
    .get({ job })
  return { waiting, counters, outcomes: column('outcome') }
}

test('a first run keeps its outcomes, and counts what waits and what is excluded', async () => {
  expect(await left(1)).toEqual({
    waiting: 1,
    counters: { total: 2, excluded: 1 },
    outcomes: { waiting: null, captured: 'fetched', excluded: 'excluded' },
  })
})

test('a further run has no outcome of the run before it, and begins with counters of zero', async () => {
  // What was captured is looked for again; links find the others.
  expect(await left(2)).toEqual({ waiting: 0, counters: { total: 0, excluded: 0 }, outcomes: { captured: null } })
})
