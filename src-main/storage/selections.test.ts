/** Views and exports that an archive of before wrote down are of jobs alone, and stay what they were. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exportRequest } from '../contract/contract.ts'
import { migrations } from './migrations.ts'
import { openStore } from './storage.ts'
import { selectionsStep } from './steps/selections.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-selections-'))
afterAll(() => rmSync(folder, { recursive: true }))

const request = {
  jobs: [2, 3],
  format: 'wacz',
  path: '/out.wacz',
  withOriginals: true,
  waczVersion: '1.1.1',
  sign: false,
}

test('what was chosen before is of jobs, and of no files', () => {
  const path = join(folder, 'before.sqlite')
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, String)
  for (const { number, sql } of migrations) if (number < selectionsStep.number) old.exec(sql)
  old.pragma(`user_version = ${selectionsStep.number - 1}`)
  old.exec("INSERT INTO view (id, jobs, created_ms) VALUES (1, '[2,3]', 1)")
  old
    .prepare("INSERT INTO export (request, state, files_total, bytes_total, started_ms) VALUES (?, 'DONE', 1, 1, 1)")
    .run(JSON.stringify(request))
  old.close()
  openStore(path).close()
  const now = new Database(path)
  expect(now.prepare('SELECT jobs, files, is_all FROM view').all()).toEqual([{ jobs: '[2,3]', files: '[]', is_all: 0 }])
  const kept = JSON.parse(now.prepare('SELECT request FROM export').pluck().get() as string) as unknown
  expect(kept).toEqual({ ...request, files: [], all: false })
  expect(exportRequest.parse(kept)).toEqual(kept)
  now.close()
})
