/** What earlier releases wrote down of batch runs can be read after the step that lets a run be over several jobs. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { batchRequest } from '../contract/contract.ts'
import { migrations } from './migrations.ts'
import { batchJobsStep } from './steps/batchJobs.ts'
import { openStore } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-batch-jobs-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the job of a run becomes the only one of its jobs', () => {
  const path = join(folder, 'before.sqlite')
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, String)
  for (const { number, sql } of migrations) if (number < batchJobsStep.number) old.exec(sql)
  old.pragma(`user_version = ${batchJobsStep.number - 1}`)
  const run = { name: 'cdx', module: 'cdx', kind: 'both', timeoutSeconds: 9, fileTimeoutSeconds: 3 }
  const { name, ...request } = run
  const add = old.prepare(
    `INSERT INTO batch_run (name, module, request, state, files_total, bytes_total, output, errors, started_ms)
     VALUES (?, 'cdx', ?, 'RUNNING', 0, 0, 'o', 'e', 1)`,
  )
  add.run(name, JSON.stringify({ ...request, job: 7 }))
  add.run(name, JSON.stringify(request))
  old.close()

  openStore(path).close()
  const now = new Database(path, { readonly: true })
  const requests = now.prepare<[], string>('SELECT request FROM batch_run ORDER BY id').pluck().all()
  now.close()
  expect(requests.map((text) => batchRequest.parse(JSON.parse(text)))).toEqual([{ ...request, jobs: [7] }, request])
})
