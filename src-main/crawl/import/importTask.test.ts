/** The task of an import follows its job: through its end, a stop, a fault and a kill. */
import { expect, test } from 'vitest'
import type { TaskState } from '../../contract/states/taskStates.ts'
import { openRecords } from '../../tasks/taskRecords.ts'
import { openJobs } from '../jobs/jobs.ts'
import { importTasks } from './importTask.ts'
import { importTaskStatements } from './importTask.sql.ts'
import { imported, run, startedAgain, trial, type Trial } from './testing/importFixture.ts'
import * as made from './testing/archiveSamples.ts'

const good = made.gzipped(made.warcRecords('http://a.test/', 'http://a.test/2'))
const torn = made.plain(made.warcRecords('http://b.test/')).subarray(0, -30)
const text = Buffer.from('no record')

function taskOf({ store, world }: Trial, job: number) {
  const task = importTasks(store, world.clock).taskOf(job)
  if (task === undefined) throw new Error(`job ${job} has no task`)
  return openRecords(store, world.clock, () => undefined).one(task)
}

/** Totals of the rows as the triggers must have kept them. */
function summed({ store }: Trial, job: number) {
  return store
    .statement<{ job: number }, Record<string, number>>(
      `SELECT COUNT(*) AS filesTotal, COALESCE(SUM(state IN ('IMPORTED', 'ARCHIVED', 'REJECTED')), 0) AS filesDone,
              COALESCE(SUM(whole), 0) AS bytesTotal, COALESCE(SUM(done), 0) AS bytesDone, COALESCE(SUM(errors), 0) AS findings
       FROM (SELECT state, errors, bytes_total AS whole,
                    IIF(state IN ('WAITING', 'READING'), bytes_done, bytes_total) AS done
             FROM imported_file WHERE job_id = @job AND (name IS NOT NULL OR state <> 'IMPORTED'))`,
    )
    .get({ job })
}

test.each<[files: Record<string, Uint8Array>, state: TaskState, findings: boolean]>([
  [{ '/in/a.warc.gz': good }, 'DONE', false],
  [{ '/in/a.warc.gz': good, '/in/b.warc': torn }, 'DONE_WITH_FINDINGS', true],
  [{ '/in/a.warc.gz': good, '/in/c.warc.gz': text }, 'DONE_INCOMPLETE', false],
])('its end, its files and its errors are those of the import: %#', async (files, state, hasFindings) => {
  const it = await trial(files)
  const { job } = await imported(it, '/in')
  const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0)
  const count = Object.keys(files).length
  const task = taskOf(it, job)
  expect(task).toMatchObject({
    ...{ kind: 'import', state, startedBy: 'user', stage: 'storing', problem: null },
    ...{ filesTotal: count, filesDone: count, bytesTotal: bytes, bytesDone: bytes },
  })
  expect(task.findings > 0).toBe(hasFindings)
  expect(task.endedMs).not.toBeNull()
  expect(importTaskStatements(it.store).progress.get({ job })).toEqual(summed(it, job))
})

test('of a package the files in it are counted', async () => {
  const it = await trial({ '/in/a.wacz': await made.zip({ 'archive/data.warc.gz': good }) })
  const { job } = await imported(it, '/in')
  expect(taskOf(it, job)).toMatchObject({ filesTotal: 1, filesDone: 1 })
})

test('a stop of the job stops its task', async () => {
  const it = await trial({ '/in/a.warc.gz': good })
  const jobs = openJobs(it.store, it.world)
  const job = jobs.createImport(['/in'])
  expect(taskOf(it, job)).toMatchObject({ state: 'WAITING', endedMs: null })
  jobs.act(job, 'abort')
  expect(taskOf(it, job)).toMatchObject({ state: 'STOPPING', endedMs: null })
  await run(it, job)
  expect(taskOf(it, job)).toMatchObject({ state: 'STOPPED', problem: null })
})

test('a replica that refuses the files fails the task, and the next start, which stores them, completes it', async () => {
  const it = await trial({ '/in/a.warc.gz': good })
  const heal = it.world.disk.fail({ path: /^\/replicas\/one/, code: 'denied' })
  const { job, summary } = await imported(it, '/in')
  expect(summary.status).toBe('Error')
  const { state, problem } = taskOf(it, job)
  expect([state, problem === null]).toEqual(['FAILED', false])
  heal()
  await startedAgain(it)
  expect(taskOf(it, job)).toMatchObject({ state: 'DONE', problem: null, startedBy: 'recovery' })
})

test('after a kill the task is active until the import, which continues by itself, has ended', async () => {
  let it = await trial({ '/in/a.warc.gz': good, '/in/b.warc': torn })
  const job = openJobs(it.store, it.world).createImport(['/in'])
  let kills = 0
  for (let cut = 25; ; cut += 25) {
    const ended = await run(it, job, it.world.calls + cut)
    if (ended) break
    kills += 1
    it = { ...it, world: it.world.crash() }
    expect(importTaskStatements(it.store).progress.get({ job })).toEqual(summed(it, job))
    expect(['WAITING', 'RUNNING']).toContain(taskOf(it, job).state)
  }
  expect(kills).toBeGreaterThan(1)
  expect(taskOf(it, job)).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesTotal: 2, filesDone: 2 })
})
