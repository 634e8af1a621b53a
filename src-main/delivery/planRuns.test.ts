/** Which plans run: a few at once, again after a failure, and again when the engine starts. The threads are fakes. */
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../contract/words/render.ts'
import { openStore } from '../storage/storage.ts'
import type { Threads, World } from '../world/world.ts'
import type { DeliveryInput, ThreadReport } from './delivery.thread.ts'
import { openPlanRuns, type PlanRuns } from './planRuns.ts'

interface FakeRun {
  version: number
  isOnce: boolean
  report(report: ThreadReport): void
  end(error?: Error): void
}

interface TaskOptions {
  signal: AbortSignal
  onReport(report: ThreadReport): void
}

/** An engine whose plans run until the test ends them, or their signal is aborted. */
function engineOf(store: ReturnType<typeof openStore>, isEngine = true): { runs: PlanRuns; started: FakeRun[] } {
  const started: FakeRun[] = []
  const run = (_: URL, { version, isOnce }: DeliveryInput, { signal, onReport: report }: TaskOptions) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')))
      started.push({ version, isOnce, report, end: (error) => (error ? reject(error) : resolve()) })
    })
  // Only the pause after a failure ends by itself.
  const sleep = (durationMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (durationMs === 5_000) resolve()
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  const clock: World['clock'] = { now: () => 0, elapsed: () => 0, sleep }
  const runs = openPlanRuns({
    ...{ store, databasePath: '', jobsFolder: '', indexesFolder: '', replicas: [], isEngine, ready: Promise.resolve() },
    world: { clock, threads: { run } as unknown as Threads },
    onReport: () => undefined,
    onChanged: () => undefined,
    onProblem: () => undefined,
  })
  return { runs, started }
}

function storeWithPlans(count: number) {
  const store = openStore(':memory:')
  onTestFinished(() => store.close())
  const add = store.statement<{ id: number; name: string }>(
    `INSERT INTO delivery_plan (id, name, version, plan, toml, created_ms) VALUES (@id, @name, 1, '{}', '', 0)`,
  )
  for (let id = 1; id <= count; id += 1) add.run({ id, name: `p${id}` })
  return store
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('four plans run at once, and the next begins when one ends', async () => {
  const { runs, started } = engineOf(storeWithPlans(6))
  for (let id = 1; id <= 6; id += 1) runs.start(id, true)
  await settled()
  expect(started.map(({ version }) => version)).toEqual([1, 2, 3, 4])
  expect(runs.of('p5')).toMatchObject({ isRunning: false })
  started[1]?.end()
  await settled()
  expect(started.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5])
  expect(runs.of('p2')).toBeUndefined()
  await runs.stop('p6')
  await runs.stop('p1')
  await settled()
  expect(started).toHaveLength(5)
  await runs.close()
})

test('what runs when the engine closes runs again at its next start, also if another process has asked for it', async () => {
  const store = storeWithPlans(2)
  const other = engineOf(store, false)
  other.runs.start(2, false)
  await settled()
  expect(other.started).toEqual([])
  expect(other.runs.of('p2')).toMatchObject({ isRunning: false, isOnce: false })
  await other.runs.close()
  for (let starts = 0; starts < 2; starts += 1) {
    const { runs, started } = engineOf(store)
    await settled()
    expect(started).toMatchObject([{ version: 2, isOnce: false }])
    await runs.close()
  }
})

test('a run that fails is started again, and says why', async () => {
  const { runs, started } = engineOf(storeWithPlans(1))
  runs.start(1, false)
  await settled()
  started[0]?.end(new Error('no room'))
  await settled()
  expect(started).toHaveLength(2)
  const problem = runs.of('p1')?.problem
  expect(problem && textOf(problem)).toBe('Running a delivery plan failed. no room')
  started[1]?.report({ kind: 'progress', progress: { edges: [], steps: [] } })
  expect(runs.of('p1')).toMatchObject({ isRunning: true, problem: null })
  await runs.close()
})

test('what a run has counted stays known after its end, until the next run begins', async () => {
  const { runs, started } = engineOf(storeWithPlans(1))
  expect(runs.last('p1')).toBeUndefined()
  runs.start(1, true)
  await settled()
  const progress = { edges: [{ from: 'a', to: 'b', documents: 7 }], steps: [] }
  started[0]?.report({ kind: 'progress', progress })
  expect(runs.last('P1')).toMatchObject({ plan: 1, endedMs: null, progress })
  started[0]?.end()
  await settled()
  expect(runs.last('p1')).toMatchObject({ endedMs: 0, progress })
  runs.start(1, true)
  await settled()
  expect(runs.last('p1')).toMatchObject({ endedMs: null, progress: { edges: [] } })
  await runs.close()
})
