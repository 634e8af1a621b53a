/** Counts of a large archive: from totals that triggers keep, and from ranges of indexes. The durations are printed and not asserted,
 *  since a machine may be busy; that no table is scanned is asserted. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { archiveStatements } from './archive.sql.ts'
import { repairableSql, repairStatements } from '../repair/repair.sql.ts'
import { copyStateSql, copyStatusStatements } from './copyStatus.sql.ts'
import { isWhole } from '../../world/testing/sample.ts'

/** A run of `npm test` needs no million: its durations are not asserted. */
const filesCount = isWhole ? 1_000_000 : 100_000
const replicas = ['one', 'two', 'three']
const believed = { beforeMs: 1_000, untilMs: 3_000_000 }

function filled(count: number): Store {
  const store = openStore(':memory:')
  const fill = [
    `INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms, stored_ms)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     SELECT i, 'harvest-' || i || '.warc.gz', 9, 'good' || i, 'content', i, i FROM n`,
    ...replicas.map(
      (replica) => `INSERT INTO replica_file (file_id, replica, upload_state, preservation_state, verified_ms)
        SELECT id, '${replica}', 'UPLOAD_COMPLETED', 'OK', 2000000 FROM archive_file`,
    ),
    `UPDATE replica_file SET verified_ms = 10 WHERE id % ${count / 10} = 0`,
    `UPDATE replica_file SET preservation_state = 'CORRUPT' WHERE id % ${count / 5} = 7`,
  ]
  for (const sql of fill) store.statement(sql).run({})
  return store
}

test(`${filesCount} files in three replicas`, () => {
  const store = filled(filesCount)
  const [archive, copyStatus, repairs] = [
    archiveStatements(store),
    copyStatusStatements(store),
    repairStatements(store),
  ]
  const tell = <T>(what: string, act: () => T): T => {
    const beganMs = performance.now()
    const found = act()
    console.log(`${what}: ${(performance.now() - beganMs).toFixed(1)} ms`)
    return found
  }
  const [replica] = replicas as [string]
  expect(tell('counts', () => archive.countCopies.get({ replica }))).toEqual({
    files: filesCount,
    bytes: 9 * filesCount,
    neverChecked: 0,
    missing: 0,
    corrupt: 5,
  })
  tell('files', () => archive.countFiles.get({}))
  expect(tell('ages', () => copyStatus.ages.get({ replica, ...believed }))).toEqual({
    neverChecked: 0,
    overdue: 10,
    oldestUncheckedMs: null,
    oldestVerifiedMs: 10,
  })
  expect(tell('aging', () => copyStatus.aging.all({ replica, ...believed, limit: 1_000 }))).toHaveLength(10)
  const wanted = JSON.stringify(replicas)
  const lacking = tell('lacking', () => repairs.lacking.all({ replicas: wanted }))
  expect(lacking).toEqual([])
  const place = { file: 0, turn: -1, limit: 10_000 }
  const found = tell('repairable', () => repairs.repairable.all({ replicas: wanted, lacking: '[]', ...place }))
  expect(found).toHaveLength(15)
  store.close()
}, 900_000)

test('no statement scans the catalogue', () => {
  const store = filled(10)
  const plan = (sql: string, input: object) =>
    store
      .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(input)
      .map(({ detail }) => detail)
  const rows: [string, object][] = [
    [copyStateSql.ages, { replica: 'one', ...believed }],
    [copyStateSql.aging, { replica: 'one', limit: 5, ...believed }],
  ]
  for (const [sql, input] of rows)
    expect(plan(sql, input).filter((step) => /^SCAN (archive_file|replica_file)/.test(step))).toEqual([])
  const input = { replicas: '["one"]', lacking: '[]', file: 0, turn: -1, limit: 5 }
  const steps = plan(repairableSql, input).filter((step) => / (archive_file|replica_file) /.test(step))
  expect(steps.map((step) => step.replace(/ \(.*/, ''))).toEqual([
    'SEARCH replica_file USING INDEX replica_file_bad',
    'SEARCH replica_file USING INDEX replica_file_not_stored',
    'SEARCH archive_file USING INTEGER PRIMARY KEY',
    'SEARCH replica_file USING COVERING INDEX sqlite_autoindex_replica_file_1',
    'SEARCH archive_file USING INTEGER PRIMARY KEY',
  ])
  store.close()
})

test('after any changes to copies, totals equal a count and dates match the files', () => {
  const uploads = ['UPLOAD_STARTED', 'DATA_UPLOADED', 'UPLOAD_COMPLETED', 'UPLOAD_FAILED'] as const
  const copies = ['UNCHECKED', 'PRESENT', 'OK', 'MISSING', 'CORRUPT'] as const
  const action = fc.record({
    file: fc.integer({ min: 1, max: 4 }),
    replica: fc.constantFrom('one', 'two'),
    upload: fc.constantFrom(...uploads),
    copy: fc.constantFrom(...copies),
    verified: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
    stored: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
    isRemoved: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const store = openStore(':memory:')
      for (const column of ['upload_state', 'preservation_state'])
        store.statement(`DROP TRIGGER replica_file_${column}_moves`).run({})
      store
        .statement(
          `INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms)
           SELECT value, 'f' || value, value * 10, 'x', 'content', value FROM json_each('[1,2,3,4]')`,
        )
        .run({})
      const place = store.statement<object>(
        `INSERT INTO replica_file (file_id, replica, upload_state, preservation_state, verified_ms)
         VALUES (@file, @replica, @upload, @copy, @verified)
         ON CONFLICT (file_id, replica) DO UPDATE SET upload_state = excluded.upload_state,
           preservation_state = excluded.preservation_state, verified_ms = excluded.verified_ms`,
      )
      const date = store.statement<object>(`UPDATE archive_file SET stored_ms = @stored WHERE id = @file`)
      const remove = store.statement<object>(`DELETE FROM replica_file WHERE file_id = @file AND replica = @replica`)
      for (const { file, replica, upload, copy, verified, stored, isRemoved } of actions) {
        if (isRemoved) remove.run({ file, replica })
        else place.run({ file, replica, upload, copy, verified })
        date.run({ file, stored })
      }
      const kept = store.statement<object, object>(`SELECT * FROM replica_total WHERE copies > 0 ORDER BY replica`)
      const counted = store.statement<object, object>(
        `SELECT replica, COUNT(*) AS copies, SUM(stored) AS files, SUM(stored * bytes) AS bytes,
           SUM(stored AND preservation_state = 'UNCHECKED') AS never_checked,
           SUM(stored AND preservation_state = 'MISSING') AS missing,
           SUM(stored AND preservation_state = 'CORRUPT') AS corrupt
         FROM (SELECT *, upload_state = 'UPLOAD_COMPLETED' AS stored
               FROM replica_file JOIN archive_file ON archive_file.id = file_id) GROUP BY replica ORDER BY replica`,
      )
      expect(kept.all({})).toEqual(counted.all({}))
      const misdated = store.statement<object, object>(
        `SELECT replica_file.id FROM replica_file JOIN archive_file ON archive_file.id = file_id
         WHERE compared_ms IS NOT COALESCE(verified_ms, stored_ms, registered_ms)`,
      )
      expect(misdated.all({})).toEqual([])
      store.close()
    }),
    { numRuns: 40 },
  )
})
