import { afterAll, expect, test } from 'vitest'
import { openStore } from '../storage.ts'
import { outlineSeedsMax } from './outlineTables.ts'

const store = openStore(':memory:')
afterAll(() => store.close())

const outline = () =>
  store
    .statement<object, { seeds: string; connectors: string | null; throttle: string | null }>(
      'SELECT seeds, connectors, throttle FROM harvest_outline WHERE harvest_id = 1',
    )
    .get({})

test('the outline of a definition follows the definition', () => {
  const seeds = Array.from({ length: outlineSeedsMax + 5 }, (_, at) => `http://a.test/${at}`)
  store
    .statement<{ definition: string }>(
      `INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'a', 'event', @definition, 0)`,
    )
    .run({ definition: JSON.stringify({ seeds }) })
  expect(outline()).toEqual({
    seeds: JSON.stringify(seeds.slice(0, outlineSeedsMax)),
    connectors: null,
    throttle: null,
  })
  const [connectors, throttle] = [{ output: 'null' }, { rules: [{ match: 'a' }] }]
  store
    .statement<{ definition: string }>('UPDATE harvest SET definition = @definition')
    .run({ definition: JSON.stringify({ seeds: ['b'], connectors, throttle }) })
  expect(outline()).toEqual({
    ...{ seeds: '["b"]', connectors: JSON.stringify(connectors), throttle: JSON.stringify(throttle) },
  })
  store.statement<object>('DELETE FROM harvest').run({})
  expect(outline()).toBeUndefined()
})

test('the output of a run is read from an index alone', () => {
  const [plan] = store
    .statement<object, { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT output FROM run_definition INDEXED BY run_definition_output WHERE job_id = 1 AND run <= 1 ORDER BY id DESC`,
    )
    .all({})
  expect(plan?.detail).toMatch(/USING INDEX run_definition_output \(job_id=\?\)/)
})
