import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openImports, openJobs } from '../../crawl/crawl.ts'
import { openStore } from '../../storage/storage.ts'
import { openTasks } from '../../tasks/tasks.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openSignals } from '../signals/signals.ts'
import { registerImports } from './importTasks.ts'

/** The tasks of imports in a process that does not work on jobs: nothing but requests moves them. */
async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-import-tasks-'))
  const store = openStore(join(folder, 'loupe.db'))
  const world = seededWorld({ seed: 1 })
  const jobs = openJobs(store, world, { isWorkedOn: false })
  const signals = openSignals({ jobs, imports: openImports(store), world })
  const tasks = openTasks({ store, world, onBug: (error) => expect.unreachable(String(error)) })
  await registerImports({ store, world, tasks, jobs, signals, run: false })
  onTestFinished(() => {
    signals.close()
    store.close()
    rmSync(folder, { recursive: true })
  })
  return { jobs, signals, tasks }
}

test('a stop of the task is an abort of the job, and what the job refuses, the task refuses', async () => {
  const { jobs, tasks } = await opened()
  const job = jobs.createImport(['/in/a.warc'])
  const [row] = tasks.list({ kind: 'import', limit: 10 })
  if (!row) throw new Error('the import has no task')
  expect(row).toMatchObject({ state: 'WAITING', canStop: true, canPause: false, canResume: false })
  await expect(tasks.pause(row.task)).rejects.toMatchObject({ code: 'refused' })
  expect(await tasks.stop(row.task)).toMatchObject({ state: 'STOPPING', canStop: false })
  expect(jobs.summary(job).state).toBe('ABORTING')
  await expect(tasks.stop(row.task)).rejects.toMatchObject({ code: 'refused' })
})

test('a change of the job notifies listeners of its task', async () => {
  const { jobs, signals, tasks } = await opened()
  const job = jobs.createImport(['/in/a.warc'])
  const states: string[] = []
  tasks.onChange(({ state }) => states.push(state))
  jobs.act(job, 'abort')
  signals.report({ kind: 'changed', job })
  await expect.poll(() => states).toEqual(['STOPPING'])
})
