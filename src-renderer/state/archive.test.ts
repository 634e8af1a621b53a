import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replicaEvent } from '../../src-main/contract/services/replicas.ts'
import type { ArchiveStatus } from '../../src-main/contract/services/archiveStatus.ts'
import type { CheckSummary, PreservationFinding } from '../../src-main/contract/services/checks.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { spotCheckSummary } from '../../src-main/contract/services/votes.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeArchive } from './archive.ts'
import { shownCheck } from './archiveState.ts'
import { valueOf } from './loaded.ts'
import { check, now, event, refuse, servicesWith, archiveStatus } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Default replies of an archive, unless a test overrides them. */
const quiet = {
  status: () => Promise.resolve(archiveStatus()),
  history: () => Promise.resolve([]),
  checks: () => Promise.resolve<CheckSummary[]>([]),
  findings: () => Promise.resolve<PreservationFinding[]>([]),
}

function finding(name: string): PreservationFinding {
  return { replica: 'ONE', name, finding: 'missing', expected: null, found: null, job: 1 }
}

test('archive: a started check is shown, and its events give its speed', async () => {
  const changed = event<TaskSummary>()
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => Promise.resolve([check({}), check({ task: 2 })]),
        check: () => Promise.resolve(check({ task: 2 })),
      },
      tasks: { changed: changed.listen },
    }),
  )
  await store.getState().load()
  expect(await store.getState().check({ kind: 'checksums' })).toMatchObject({ task: 2 })
  expect(shownCheck(store.getState())?.task).toBe(2)
  await vi.advanceTimersByTimeAsync(1_000)
  changed.emit(check({ task: 2, bytesDone: 500 }))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(store.getState().samples[2]?.map(({ done }) => done)).toEqual([0, 500])
  await store.getState().choose(1)
  expect(shownCheck(store.getState())?.task).toBe(1)
})

test('archive: a check is paused and resumed as a task, and only checks are followed', async () => {
  const changed = event<TaskSummary>()
  const asked: string[] = []
  const answerWith = (state: CheckSummary['state']) => async (of: { task: number }) => {
    asked.push(`${of.task} ${state}`)
    return check({ task: of.task, state })
  }
  const store = makeArchive(
    servicesWith({
      archive: { ...quiet, checks: () => Promise.resolve([check({ replicas: ['TWO'] })]) },
      tasks: { pause: answerWith('PAUSED'), resume: answerWith('RUNNING'), changed: changed.listen },
    }),
  )
  await store.getState().load()
  await store.getState().pause(1)
  expect(valueOf(store.getState().checks)).toMatchObject([{ task: 1, state: 'PAUSED', replicas: ['TWO'] }])
  await store.getState().resume(1)
  // A check that is not listed is not resumed.
  await store.getState().resume(9)
  expect(asked).toEqual(['1 PAUSED', '1 RUNNING'])
  changed.emit({ ...check({ filesDone: 7 }), kind: 'export' })
  expect(valueOf(store.getState().checks)).toMatchObject([{ state: 'RUNNING', filesDone: 0, replicas: ['TWO'] }])
})

test('archive: the status is reloaded for findings of a check, throttled, and at once when it ends', async () => {
  const changed = event<TaskSummary>()
  let asked = 0
  const store = makeArchive(
    servicesWith({
      archive: { ...quiet, status: () => ((asked += 1), Promise.resolve(archiveStatus())) },
      tasks: { changed: changed.listen },
    }),
  )
  const run = async (findingsOf: (step: number) => number) => {
    for (let step = 0; step < 12; step += 1) {
      changed.emit(check({ filesDone: step, findings: findingsOf(step) }))
      await vi.advanceTimersByTimeAsync(250)
    }
    return asked
  }
  expect(await run(() => 0)).toBe(1)
  expect(store.getState().revision).toBe(1)
  expect(await run((step) => step)).toBe(2)
  await vi.advanceTimersByTimeAsync(9_000)
  asked = 2
  expect(await run(() => 11)).toBe(2)
  changed.emit(check({ state: 'DONE' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(3)
  expect(store.getState().status).toEqual({ is: 'ready', value: archiveStatus() })
})

test('archive: a refused check does not start, and the reason is shown', async () => {
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, check: () => Promise.reject(new Fault('refused', 'check 1 is looking')) } }),
  )
  expect(await store.getState().check({ kind: 'missing' })).toBeUndefined()
  expect(store.getState().refusal).toMatchObject({ message: 'check 1 is looking' })
})

test('archive: findings that arrive late are not shown for another check', async () => {
  const answers = new Map<number, (rows: PreservationFinding[]) => void>()
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => Promise.resolve([check({ task: 2 }), check({})]),
        findings: ({ check: asked = 0 }) => new Promise((resolve) => answers.set(asked, resolve)),
      },
    }),
  )
  const loaded = store.getState().load()
  await vi.advanceTimersByTimeAsync(0)
  const chosen = store.getState().choose(1)
  await vi.advanceTimersByTimeAsync(0)
  answers.get(1)?.([finding('first.warc')])
  await chosen
  answers.get(2)?.([finding('second.warc')])
  await loaded
  expect(store.getState().findings).toMatchObject({ value: [{ name: 'first.warc' }] })
})

test('archive: the history is listed per replica; when it fails, the rest is still shown', async () => {
  const done = {
    kind: 'spot',
    number: 1,
    at: now,
    begunBy: 'user',
    files: 1,
    filesTotal: 1,
    findings: 0,
    state: 'done',
  }
  const events = [replicaEvent.parse(done)]
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, history: () => Promise.resolve([{ replica: 'ONE', events }]) } }),
  )
  await store.getState().load()
  expect(valueOf(store.getState().history)?.get('ONE')).toEqual(events)
  const without = makeArchive(servicesWith({ archive: { ...quiet, history: refuse } }))
  await without.getState().load()
  expect(without.getState()).toMatchObject({ history: { is: 'refused' }, status: { is: 'ready' } })
})

test('archive: one spot check is requested at a time, and its answers stay until the next', async () => {
  const found = spotCheckSummary.parse({ ...check({ state: 'DONE', ended: now }), kind: 'spot', files: [] })
  let answer: () => void = () => undefined
  const asked: number[] = []
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        spotCheck: ({ files = 0 }) => (asked.push(files), new Promise((resolve) => (answer = () => resolve(found)))),
      },
    }),
  )
  const first = store.getState().spotCheck(7)
  await store.getState().spotCheck(8)
  expect([asked, store.getState().spot]).toEqual([[7], { is: 'asking', files: 7 }])
  answer()
  await first
  expect(store.getState().spot).toEqual({ is: 'ready', value: found })
  const refused = makeArchive(servicesWith({ archive: quiet }))
  await refused.getState().spotCheck(1)
  expect(refused.getState().spot).toMatchObject({ is: 'refused', fault: { code: 'refused' } })
})

test('archive: a short check that ended before the answer to its start counts as ended', async () => {
  const changed = event<TaskSummary>()
  const begin: (() => void)[] = []
  const listed: (() => void)[] = []
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => new Promise((resolve) => listed.push(() => resolve([]))),
        check: () => new Promise((resolve) => begin.push(() => resolve(check({})))),
      },
      tasks: { changed: changed.listen },
    }),
  )
  void store.getState().load()
  await vi.advanceTimersByTimeAsync(0)
  const begun = store.getState().check({ kind: 'checksums' })
  // A second press while the first is under way.
  expect(await store.getState().check({ kind: 'checksums' })).toBeUndefined()
  await vi.advanceTimersByTimeAsync(0)
  changed.emit(check({ state: 'DONE', findings: 2 }))
  begin.forEach((answer) => answer())
  await vi.advanceTimersByTimeAsync(0)
  listed[0]?.()
  await begun
  await vi.advanceTimersByTimeAsync(0)
  expect(begin).toHaveLength(1)
  expect(store.getState()).toMatchObject({ asking: false, checks: { value: [{ state: 'DONE', findings: 2 }] } })
})

test('archive: an older status does not replace a newer one', async () => {
  const answers: ((status: ArchiveStatus) => void)[] = []
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, status: () => new Promise((resolve) => answers.push(resolve)) } }),
  )
  const before = store.getState().load()
  const after = store.getState().load()
  await vi.advanceTimersByTimeAsync(0)
  answers[1]?.(archiveStatus({ fine: false }))
  await after
  answers[0]?.(archiveStatus())
  await before
  expect(store.getState().status).toMatchObject({ value: { fine: false } })
})

test('archive: a chosen check that is not listed is not replaced by another', async () => {
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, checks: () => Promise.resolve([check({ task: 300 })]) } }),
  )
  await store.getState().load()
  expect(shownCheck(store.getState())?.task).toBe(300)
  await store.getState().choose(7)
  expect(shownCheck(store.getState())).toBeUndefined()
})
