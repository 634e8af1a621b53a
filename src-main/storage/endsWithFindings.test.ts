/** What checks, exports and batch runs of an older database are called after the step that gives them states with findings. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { endsWithFindingsStep } from './steps/endsWithFindings.ts'
import { openStore } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-ends-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('an older run that ended with findings is not called done any more; the others keep their states', () => {
  const path = join(folder, 'before.sqlite')
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, String)
  for (const { number, sql } of migrations) if (number < endsWithFindingsStep.number) old.exec(sql)
  old.pragma(`user_version = ${endsWithFindingsStep.number - 1}`)
  // The triggers of the version before, which know no move out of DONE.
  for (const table of ['preservation_check', 'export', 'batch_run'])
    old.exec(`CREATE TRIGGER ${table}_state_moves BEFORE UPDATE OF state ON ${table}
      BEGIN SELECT RAISE(ABORT, 'no such move'); END`)
  old.exec(`
    INSERT INTO preservation_check (id, kind, replicas, state, started_ms, files_total, files_done, bytes_total, findings) VALUES
      (1, 'missing', '["one"]', 'DONE', 1, 2, 2, 0, 0), (2, 'checksums', '["one"]', 'DONE', 1, 2, 2, 9, 1),
      (3, 'checksums', '["one"]', 'STOPPED', 1, 2, 1, 9, 1);
    INSERT INTO export (id, request, state, files_total, bytes_total, is_complete, started_ms) VALUES
      (1, '{}', 'DONE', 1, 1, 1, 1), (2, '{}', 'DONE', 1, 1, 0, 1), (3, '{}', 'FAILED', 1, 1, 0, 1);
    INSERT INTO batch_run (id, name, module, request, state, files_total, bytes_total, processed, failed, output, errors, started_ms) VALUES
      (1, 'a', 'a', '{}', 'DONE', 2, 1, 2, 0, '', '', 1), (2, 'a', 'a', '{}', 'DONE', 2, 1, 2, 1, '', '', 1),
      (3, 'a', 'a', '{}', 'STOPPED', 2, 1, 1, 1, '', '', 1);
  `)
  old.close()
  openStore(path).close()
  const now = new Database(path, { readonly: true })
  const states = (table: string) => now.prepare(`SELECT state FROM ${table} ORDER BY id`).pluck().all()
  expect(states('preservation_check')).toEqual(['DONE', 'DONE_WITH_FINDINGS', 'STOPPED'])
  expect(states('export')).toEqual(['DONE', 'DONE_INCOMPLETE', 'FAILED'])
  expect(states('batch_run')).toEqual(['DONE', 'DONE_WITH_FAILURES', 'STOPPED'])
  now.close()
})
