import { expect, test } from 'vitest'
import { frontierFixture } from '../frontier/testing/frontierFixture.ts'
import { orderSql } from './commitWindow.sql.ts'

test.each<[keyof typeof orderSql, string[]]>([
  [
    'nextInLine',
    [
      'SEARCH document USING INDEX document_in_line (job_id=?)',
      'SEARCH commit_number USING COVERING INDEX sqlite_autoindex_commit_number_1 (document_id=?)',
    ],
  ],
  [
    'toPlace',
    ['SEARCH commit_number USING PRIMARY KEY (job_id=?)', 'SEARCH document USING INTEGER PRIMARY KEY (rowid=?)'],
  ],
])('%s uses its index and sorts nothing', (name, plan) => {
  const { store } = frontierFixture()
  const explained = store
    .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${orderSql[name]}`)
    .all({ job: 1, nowMs: 1 })
  const steps = explained.map(({ detail }) => detail).filter((step) => /SEARCH|SCAN|B-TREE/.test(step))
  expect(steps.map((step) => step.replace('USING COVERING INDEX document', 'USING INDEX document'))).toEqual(plan)
})
