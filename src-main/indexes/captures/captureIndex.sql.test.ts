import { expect, it } from 'vitest'
import { openDerived } from '../../storage/storage.ts'
import { buildStatements, captureSchema, captureStatements } from './captureIndex.sql.ts'

/** The plans of the statements that answer a browser: none may read the table, or sort what the key has in order. */
it('lookups use the key and sort nothing', () => {
  const planned: { sql: string; plan: string }[] = []
  const store = openDerived(':memory:', captureSchema)
  for (const index of buildStatements(store).addIndexes) index.run({})
  captureStatements({
    ...store,
    statement(sql) {
      const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      const nothing = {
        id: 0,
        key: '',
        method: '',
        atMs: 0,
        limit: 1,
        url: '',
        fromMs: 0,
        toMs: 0,
        digest: '',
        fromKey: '',
        fromFile: 0,
        fromOffset: 0,
        toKey: '',
        toFile: 0,
        toOffset: 0,
        dayMs: 1,
        rows: 0,
        after: '',
        from: '',
        to: '',
        jobs: '[]',
      }
      planned.push({
        sql,
        plan: plan
          .all(/= \?|> \?/.test(sql) ? Array<number>(sql.split('?').length - 1).fill(1) : nothing)
          .map(({ detail }) => detail)
          .join('; '),
      })
      return store.statement(sql)
    },
  })
  const ofKey = planned.filter(({ sql }) => /WHERE key = (@key|\?)/.test(sql))
  expect(ofKey).toHaveLength(5)
  for (const { plan } of ofKey) expect(plan).toMatch(/SEARCH capture USING PRIMARY KEY \(key=\?/)
  expect(ofKey.find(({ sql }) => sql.includes('json_each'))?.plan).not.toContain('TEMP B-TREE FOR ORDER BY')
  const near = planned.find(({ sql }) => sql.includes('UNION ALL'))
  for (const side of ['<', '>'])
    expect(near?.plan).toContain(`SEARCH capture USING PRIMARY KEY (key=? AND timestamp_ms${side}?)`)
  expect(near?.plan).not.toMatch(/SCAN capture|TEMP B-TREE/)
  const ofPayload = planned.filter(({ sql }) => sql.includes('@digest'))
  expect(ofPayload).toHaveLength(2)
  for (const { plan } of ofPayload)
    expect(plan).toMatch(/SEARCH capture USING INDEX capture_payload \(payload_digest=\?/)
  const ofRange = planned.filter(({ sql }) => sql.includes('@fromKey'))
  expect(ofRange).toHaveLength(3)
  for (const { plan } of ofRange)
    expect(plan).toMatch(
      /^SEARCH capture USING PRIMARY KEY \(\(key,timestamp_ms,file,offset\)>\(\?,\?,\?,\?\) AND \(key,timestamp_ms,file,offset\)<\(\?,\?,\?,\?\)\)(; SEARCH file USING INTEGER PRIMARY KEY \(rowid=\?\))?$/,
    )
  const ofRevisits = planned.find(({ sql }) => sql.includes('capture_revisit'))
  expect(ofRevisits?.plan).toBe(
    'SEARCH capture USING INDEX capture_revisit (url>?); SEARCH file USING INTEGER PRIMARY KEY (rowid=?)',
  )
  const ofPages = planned.filter(({ sql }) => sql.includes('capture_page'))
  expect(ofPages).toHaveLength(2)
  for (const { plan } of ofPages) {
    expect(plan).toMatch(/SCAN capture USING (COVERING )?INDEX capture_page/)
    expect(plan).not.toContain('TEMP B-TREE')
  }
  store.close()
})
