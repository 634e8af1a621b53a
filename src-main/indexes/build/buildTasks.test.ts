/** Builds as the list of tasks shows them. What they build is in `indexBuild.test.ts`. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { textOf } from '../../contract/words/render.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { openIndexes, type Indexes } from '../indexes.ts'
import { createArchive, type ArchiveFixture } from '../testing/archiveFixture.ts'
import { holdBuilds } from '../testing/heldBuilds.ts'

const urlOf = (job: number) => `http://job${job}.example/`

async function archiveOf(...jobs: number[]): Promise<ArchiveFixture> {
  const made = await createArchive()
  for (const job of jobs)
    await made.add({ name: `${job}-1-a.warc.gz`, job, rows: [{ url: urlOf(job), at: '2020-01-01T00:00:00Z' }] })
  return made
}

async function indexesOf(made: ArchiveFixture, world: World = made.world, tasks: Tasks = made.tasks): Promise<Indexes> {
  const folder = join(made.folder, 'indexes')
  const indexes = await openIndexes({ folder, world, archive: made.archive, tasks })
  onTestFinished(() => indexes.close())
  return indexes
}

const listed = (tasks: Tasks): TaskSummary[] => tasks.list({ kind: 'index', limit: 100 })

/** Resolves with the only task, when no process works on it any more. */
async function endedTask({ tasks }: Pick<ArchiveFixture, 'tasks'>): Promise<TaskSummary> {
  return tasks.ended(listed(tasks)[0]?.task ?? 0)
}

test('a build is a task with its files and captures; an index that exists is opened without one', async () => {
  await using made = await archiveOf(1, 2)
  const indexes = await indexesOf(made)
  for (let time = 0; time < 2; time++) (await indexes.captureIndexFor({ jobs: [1, 2] })).close()
  const done = { kind: 'index', state: 'DONE', filesDone: 2, filesTotal: 2, figures: { captures: 2 }, findings: 0 }
  expect(await endedTask(made)).toMatchObject({ ...done, canPause: false, canResume: false })
  expect(listed(made.tasks).map(({ subject }) => textOf(subject))).toEqual(['captures of jobs 1, 2'])
})

test('a build without files is not a task', async () => {
  await using made = await archiveOf()
  await made.add({ name: '1-metadata-1.warc.gz', job: 1, kind: 'metadata', rows: [] })
  const index = await (await indexesOf(made)).captureIndexFor({ jobs: [1] })
  expect([index.count(), listed(made.tasks)]).toEqual([0, []])
  index.close()
})

test('a build without one of its files ends incomplete', async () => {
  await using made = await archiveOf(1, 2)
  await rm(join(made.folder, 'one', '2-1-a.warc.gz'))
  ;(await (await indexesOf(made)).captureIndexFor({ jobs: [1, 2] })).close()
  expect(await endedTask(made)).toMatchObject({ state: 'DONE_INCOMPLETE', filesDone: 1, filesTotal: 2, findings: 1 })
})

test('callers that wait for a stopped build get the reason, and the next one builds again', async () => {
  await using made = await archiveOf(1)
  const { world, waits, step } = holdBuilds(made.world)
  const indexes = await indexesOf(made, world)
  const waiting = [1, 2].map(() => indexes.captureIndexFor({ jobs: [1] }))
  const refused = waiting.map((each) => expect(each).rejects.toMatchObject({ code: 'stopped' }))
  await waits()
  const [running] = listed(made.tasks)
  expect(running).toMatchObject({ state: 'RUNNING', canStop: true })
  expect(await made.tasks.stop(running?.task ?? 0)).toMatchObject({ state: 'STOPPED', canResume: false })
  await Promise.all(refused)
  const again = indexes.captureIndexFor({ jobs: [1] })
  for (let steps = 0; steps < 2; steps++) await step()
  const index = await again
  expect(index.captures(urlOf(1))).toHaveLength(1)
  index.close()
  expect(listed(made.tasks)).toHaveLength(2)
})

test('an index that is read during its build keeps its captures when the build is stopped', async () => {
  await using made = await archiveOf(1, 2)
  ;(await (await indexesOf(made)).captureIndexFor({ jobs: [1] })).close()
  const { world, waits } = holdBuilds(made.world)
  const index = await (await indexesOf(made, world)).captureIndexFor({ jobs: [1, 2] }, { atOnce: true })
  await waits()
  await made.tasks.stop(listed(made.tasks)[0]?.task ?? 0)
  await expect(index.whole).rejects.toMatchObject({ code: 'stopped' })
  expect([index.isGrowing, index.captures(urlOf(1)).length, index.captures(urlOf(2)).length]).toEqual([false, 1, 0])
  expect(index.completeness.filesMissing.map(({ name, reason }) => [name, textOf(reason)])).toEqual([
    ['2-1-a.warc.gz', expect.stringContaining('Building the index was stopped.')],
  ])
  index.close()
})

test('a build that no one needs any more ends as stopped', async () => {
  await using made = await archiveOf(1)
  const { world, waits } = holdBuilds(made.world)
  const unneeded = new AbortController()
  const asked = (await indexesOf(made, world)).captureIndexFor({ jobs: [1] }, { signal: unneeded.signal })
  const refused = expect(asked).rejects.toThrow('closed the window')
  await waits()
  unneeded.abort(new Error('closed the window'))
  await refused
  expect(await endedTask(made)).toMatchObject({ state: 'STOPPED', problem: null })
})

test('a failed build records the reason, and only its waiting callers report the error', async () => {
  await using made = await archiveOf(1)
  const { world, fail } = holdBuilds(made.world)
  const asked = (await indexesOf(made, world)).captureIndexFor({ jobs: [1] })
  const refused = expect(asked).rejects.toThrow('the thread ended')
  await fail(new Error('the thread ended'))
  await refused
  expect(await endedTask(made)).toMatchObject({
    state: 'FAILED',
    problem: { code: 'index.failed', values: { problem: 'the thread ended' } },
  })
})

test.each(['the end of the engine', 'a kill'])(
  '%s interrupts a build, and the next start removes its files',
  async (how) => {
    await using made = await archiveOf(1)
    const { world, waits } = holdBuilds(made.world)
    const asked = (await indexesOf(made, world)).captureIndexFor({ jobs: [1] }, { atOnce: true })
    // The outcome of the request differs between the two and is not tested here.
    asked.catch(() => undefined)
    await waits()
    const capture = join(made.folder, 'indexes', 'capture')
    if (how === 'a kill') expect(await readdir(capture)).not.toEqual([])
    else await made.tasks.close()
    const tasks = openTasks({ store: made.store, world, onBug: () => undefined })
    await openIndexes({ folder: join(made.folder, 'indexes'), world, archive: made.archive, tasks })
    expect(listed(tasks)).toMatchObject([{ state: 'INTERRUPTED', canResume: false }])
    expect(await readdir(capture)).toEqual([])
  },
)
