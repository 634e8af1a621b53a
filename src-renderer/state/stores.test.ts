/** The stores over the contract's own in-memory link: what they hear and ask is checked against the contract's shapes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replicaEvent } from '../../src-main/contract/services/replicas.ts'
import type { ArchiveStatus } from '../../src-main/contract/services/archiveStatus.ts'
import type { CheckSummary, PreservationFinding } from '../../src-main/contract/services/checks.ts'
import { backupManifest, type BackupMade, type BackupStanding } from '../../src-main/contract/services/backups.ts'
import { contract, type Loupe } from '../../src-main/contract/contract.ts'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { memoryLink, servicesOver } from '../../src-main/contract/calls/service.ts'
import type { Answer, Miss, ViewSummary } from '../../src-main/contract/services/viewer.ts'
import type { Connection } from '../links/connection.ts'
import { makeArchive } from './archive.ts'
import { shownCheck } from './archiveState.ts'
import { makeAudit } from './audit.ts'
import { makeBackups } from './backups.ts'
import { makeDialogs } from './dialogs.ts'
import { makeJob } from './job.ts'
import { makeJobs } from './jobs.ts'
import { valueOf } from './loaded.ts'
import { makePages, rowsPerPage } from './pages.ts'
import { makeSession } from './session.tsx'
import { grouped, makeSettings } from './settings.ts'
import { makeView } from './view.ts'
import { isOfAnother, shownTab } from './viewTabs.ts'

const backedUp: BackupStanding = {
  ...{ folder: '/backups', reachable: true, everyHours: 24, keepCount: 7, keepDays: 30, last: null, kept: 0, bytes: 0 },
  ...{ next: null, apart: true, current: true, findings: [], running: null },
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const now = '2026-11-20T12:00:00Z'

function event<Payload>() {
  const listeners = new Set<(payload: Payload) => void>()
  return {
    emit: (payload: Payload) => listeners.forEach((listener) => listener(payload)),
    listen: (listener: (payload: Payload) => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    count: () => listeners.size,
  }
}

const refuse = () => Promise.reject(new Fault('refused', 'not in this test'))

/** Services of which a test gives only what it needs; whatever else is asked refuses. */
function servicesWith(given: { [Service in keyof Loupe]?: Partial<Loupe[Service]> }): Loupe {
  const whole = Object.fromEntries(
    Object.entries(contract).map(([service, members]) => [
      service,
      {
        ...Object.fromEntries(
          Object.entries(members).map(([name, { kind }]) => [name, kind === 'call' ? refuse : () => () => undefined]),
        ),
        ...given[service as keyof Loupe],
      },
    ]),
  ) as unknown as Loupe
  return servicesOver(
    contract,
    memoryLink(contract, whole, (bug) => {
      throw bug
    }),
  )
}

function job(number: number, changes: Partial<JobSummary> = {}): JobSummary {
  return {
    job: number,
    harvest: `harvest ${number}`,
    kind: 'event',
    state: 'ACTIVE',
    status: 'Running',
    stopReason: null,
    reason: null,
    reasonCode: null,
    documents: { total: 1, fetched: 0, failed: 0, excluded: 0, duplicate: 0, truncated: 0 },
    progress: { done: 0, total: 1 },
    queued: 1,
    findingCounts: { errors: 0, warnings: 0, notes: 0 },
    bytes: 0,
    seconds: 0,
    documentsPerSecond: 0,
    created: now,
    started: now,
    ended: null,
    seeds: ['http://a.example/'],
    ...changes,
  }
}

test('jobs: newest first, and an event changes one or adds one', async () => {
  const changed = event<JobSummary>()
  const store = makeJobs(
    servicesWith({ jobs: { list: () => Promise.resolve([job(1), job(2)]), changed: changed.listen } }),
  )
  const shown = () => {
    const { jobs } = store.getState()
    return jobs.is === 'ready' ? jobs.value.map((one) => [one.job, one.status]) : jobs.is
  }
  expect(shown()).toBe('loading')
  await store.getState().load()
  expect(shown()).toEqual([
    [2, 'Running'],
    [1, 'Running'],
  ])
  changed.emit(job(1, { state: 'INACTIVE', status: 'Done' }))
  changed.emit(job(3))
  expect(shown()).toEqual([
    [3, 'Running'],
    [2, 'Running'],
    [1, 'Done'],
  ])
})

test('jobs: a refusal is kept to be shown', async () => {
  const store = makeJobs(
    servicesWith({ jobs: { list: () => Promise.reject(new Fault('inUse', 'another Loupe has this archive')) } }),
  )
  await store.getState().load()
  expect(store.getState().jobs).toMatchObject({
    is: 'refused',
    fault: { code: 'inUse', message: 'another Loupe has this archive' },
  })
})

test('a job: follows its own events only, reads new lines of the log, and forgets its subscription when closed', async () => {
  const changed = event<JobSummary>()
  let lines = 1
  let asked = 0
  const store = makeJob(
    servicesWith({
      jobs: {
        show: ({ job: number }) => {
          asked += 1
          return Promise.resolve({
            ...job(number),
            definition: {
              seeds: ['http://a.example/'],
              scope: 'host',
              robots: 'obey',
              include: [],
              exclude: [],
              resolve: {},
            },
            doing: '',
            ranWith: null,
            runs: [],
            answers: null,
            fileBytes: 0,
            fixed: [],
            byStatus: [],
            byMediaType: [],
            byReason: [],
            byTruncation: [],
            hosts: [],
            files: [],
            findings: [],
          })
        },
        log: ({ after = 0 }) =>
          Promise.resolve(
            Array.from({ length: lines }, (_, index) => ({
              id: index + 1,
              at: now,
              level: 'info' as const,
              message: { code: 'text', values: { text: 'line' } },
            })).filter(({ id }) => id > after),
          ),
        pause: () => Promise.reject(new Fault('refused', 'it has ended')),
        changed: changed.listen,
      },
    }),
    7,
  )
  store.open()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().log.map(({ id }) => id)).toEqual([1])

  lines = 3
  changed.emit(job(8, { queued: 99 }))
  changed.emit(job(7, { queued: 42 }))
  changed.emit(job(7, { queued: 43 }))
  expect(store.getState().whole).toMatchObject({ is: 'ready', value: { queued: 43 } })
  await vi.advanceTimersByTimeAsync(10_000)
  // The load at the start, one for the first event, and one for those that came while waiting.
  expect(asked).toBe(3)
  expect(store.getState().log.map(({ id }) => id)).toEqual([1, 2, 3])

  await store.getState().act('pause')
  expect(store.getState()).toMatchObject({ refusal: { code: 'refused' }, asked: null })
  store.close()
  expect(changed.count()).toBe(0)
})

test('pages: what is in sight is asked for once, and again after a refresh; late answers of before are dropped', async () => {
  const asked: number[] = []
  let total = 1_000
  const pages = makePages(({ offset, limit }) => {
    asked.push(offset)
    const answer = { total, rows: Array.from({ length: limit }, (_, index) => offset + index) }
    return new Promise<typeof answer>((resolve) => setTimeout(() => resolve(answer), 10))
  })
  pages.getState().want(0, 20)
  pages.getState().want(rowsPerPage - 5, rowsPerPage + 15)
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toEqual([0, rowsPerPage])
  expect(pages.getState().rows.get(rowsPerPage + 3)).toBe(rowsPerPage + 3)
  pages.getState().refresh()
  total = 250
  pages.getState().refresh()
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toEqual([0, rowsPerPage, 0, rowsPerPage, 0, rowsPerPage])
  expect(pages.getState().total).toBe(250)
})

test('settings: a change takes the engine’s answer; a refusal is thrown and changes nothing', async () => {
  const setting = {
    path: 'harvest.delayMs',
    kind: 'number' as const,
    value: 300,
    default: 300,
    source: 'default' as const,
    meaning: 'Pause.',
    atStart: false,
    needsRestart: false,
  }
  const store = makeSettings(
    servicesWith({
      settings: {
        list: () => Promise.resolve([setting]),
        set: ({ value }) =>
          Number(value) < 0
            ? Promise.reject(new Fault('badInput', 'too small'))
            : Promise.resolve({ ...setting, value, source: 'loupe.toml' as const }),
      },
    }),
  )
  await store.getState().load()
  await store.getState().set('harvest.delayMs', 500)
  expect(store.getState().settings).toMatchObject({ value: [{ value: 500, source: 'loupe.toml' }] })
  await expect(store.getState().set('harvest.delayMs', -1)).rejects.toMatchObject({ code: 'badInput' })
  expect(grouped([setting, { ...setting, path: 'viewer.port' }]).map(([group]) => group)).toEqual(['harvest', 'viewer'])
})

function check(changes: Partial<CheckSummary>): CheckSummary {
  return {
    check: 1,
    kind: 'checksums',
    replicas: ['ONE'],
    begunBy: 'person',
    files: null,
    sample: null,
    state: 'RUNNING',
    started: now,
    ended: null,
    seconds: 0,
    filesTotal: 10,
    filesDone: 0,
    bytesTotal: 1_000,
    bytesDone: 0,
    findings: 0,
    problem: null,
    ...changes,
  }
}

function standing(changes: Partial<ArchiveStatus> = {}): ArchiveStatus {
  return {
    at: now,
    fine: true,
    overdueDays: 180,
    lost: [],
    lostTotal: 0,
    replicas: [],
    findings: [],
    aging: [],
    votes: [],
    spots: [],
    outside: { waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 0 },
    backup: backedUp,
    ...changes,
  }
}

/** What every archive answers, unless a test says otherwise. */
const quiet = {
  status: () => Promise.resolve(standing()),
  history: () => Promise.resolve([]),
  checks: () => Promise.resolve<CheckSummary[]>([]),
  findings: () => Promise.resolve<PreservationFinding[]>([]),
}

function finding(name: string): PreservationFinding {
  return { replica: 'ONE', name, finding: 'missing', expected: null, found: null, job: 1 }
}

test('archive: a check that was begun is shown, and its events say how fast it goes', async () => {
  const changed = event<CheckSummary>()
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => Promise.resolve([check({}), check({ check: 2 })]),
        check: () => Promise.resolve(check({ check: 2 })),
        checkChanged: changed.listen,
      },
    }),
  )
  await store.getState().load()
  expect(await store.getState().check({ kind: 'checksums' })).toMatchObject({ check: 2 })
  expect(shownCheck(store.getState())?.check).toBe(2)
  await vi.advanceTimersByTimeAsync(1_000)
  changed.emit(check({ check: 2, bytesDone: 500 }))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(store.getState().sightings[2]?.map(({ done }) => done)).toEqual([0, 500])
  await store.getState().choose(1)
  expect(shownCheck(store.getState())?.check).toBe(1)
})

test('archive: only what a check finds is reason to ask how the archive stands, now and then, and its end at once', async () => {
  const changed = event<CheckSummary>()
  let asked = 0
  const store = makeArchive(
    servicesWith({
      archive: { ...quiet, status: () => ((asked += 1), Promise.resolve(standing())), checkChanged: changed.listen },
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
  expect(store.getState().status).toEqual({ is: 'ready', value: standing() })
})

test('archive: a check that is refused is begun by nobody, and says why', async () => {
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, check: () => Promise.reject(new Fault('refused', 'check 1 is looking')) } }),
  )
  expect(await store.getState().check({ kind: 'missing' })).toBeUndefined()
  expect(store.getState().refusal).toMatchObject({ message: 'check 1 is looking' })
})

test('archive: findings that come late are not shown for another check', async () => {
  const answers = new Map<number, (rows: PreservationFinding[]) => void>()
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => Promise.resolve([check({ check: 2 }), check({})]),
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

test('archive: the history is told by replica; where it cannot be told, all else is', async () => {
  const done = {
    kind: 'spot',
    number: 1,
    at: now,
    begunBy: 'person',
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

test('archive: a spot check is asked for once at a time, and its answers stay until the next', async () => {
  const found = { spotCheck: 1, begunBy: 'person' as const, started: now, ended: now, files: [] }
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

test('archive: a short check that has ended before its beginning was answered has ended, whatever was asked meanwhile', async () => {
  const changed = event<CheckSummary>()
  const begin: (() => void)[] = []
  const listed: (() => void)[] = []
  const store = makeArchive(
    servicesWith({
      archive: {
        ...quiet,
        checks: () => new Promise((resolve) => listed.push(() => resolve([]))),
        check: () => new Promise((resolve) => begin.push(() => resolve(check({})))),
        checkChanged: changed.listen,
      },
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

test('archive: how it stood before is not shown after how it stands', async () => {
  const answers: ((status: ArchiveStatus) => void)[] = []
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, status: () => new Promise((resolve) => answers.push(resolve)) } }),
  )
  const before = store.getState().load()
  const after = store.getState().load()
  await vi.advanceTimersByTimeAsync(0)
  answers[1]?.(standing({ fine: false }))
  await after
  answers[0]?.(standing())
  await before
  expect(store.getState().status).toMatchObject({ value: { fine: false } })
})

test('archive: a check that is older than those listed is not told by another in its place', async () => {
  const store = makeArchive(
    servicesWith({ archive: { ...quiet, checks: () => Promise.resolve([check({ check: 300 })]) } }),
  )
  await store.getState().load()
  expect(shownCheck(store.getState())?.check).toBe(300)
  await store.getState().choose(7)
  expect(shownCheck(store.getState())).toBeUndefined()
})

test('a session: what came before the link was there, or while it was broken, is asked for; the report is not', async () => {
  const asked: string[] = []
  const ask = (what: string) => () => (asked.push(what), refuse())
  let become: (next: Connection) => void = () => undefined
  const session = makeSession(
    servicesWith({
      jobs: { list: ask('jobs') },
      archive: { repairable: ask('repairs'), report: ask('report'), verifyAudit: ask('trail'), status: ask('archive') },
      batch: { list: ask('batch') },
      exports: { list: ask('exports') },
      settings: { list: ask('settings') },
      viewer: { current: ask('view') },
    }),
    {
      call: refuse,
      listen: () => () => undefined,
      connection: () => 'connecting',
      onConnection: (watcher) => ((become = watcher), () => undefined),
    },
    {
      page: null,
      files: { are: 'paths', pathOf: () => '' },
      askWhere: null,
      takePicture: null,
      exported: { is: 'folder', open: () => Promise.resolve() },
      isBesideEngine: false,
      onCommand: () => () => undefined,
    },
  )
  const all = ['archive', 'batch', 'exports', 'jobs', 'repairs', 'settings', 'view']
  const askedSince = async () => {
    await vi.advanceTimersByTimeAsync(0)
    return asked.splice(0).toSorted()
  }
  expect(await askedSince()).toEqual(all)
  become('open')
  expect(await askedSince()).toEqual(all)
  become('lost')
  expect(await askedSince()).toEqual([])
  await session.audit.getState().verify()
  expect(await askedSince()).toEqual(['trail'])
  become('open')
  expect(await askedSince()).toEqual([...all, 'trail'].toSorted())
})

test('dialogs: one at a time, each with what it was opened for', () => {
  const store = makeDialogs()
  store.getState().show('export', { jobs: [3] })
  expect(store.getState()).toMatchObject({ open: 'export', selection: { jobs: [3] }, replica: null })
  store.getState().showCheck('checkChecksums', 'TWO')
  expect(store.getState()).toMatchObject({ open: 'checkChecksums', selection: {}, replica: 'TWO' })
  store.getState().show('checkMissing')
  expect(store.getState()).toMatchObject({ open: 'checkMissing', replica: null })
  store.getState().close()
  expect(store.getState().open).toBeNull()
})

function answer(id: number, url: string, changes: Partial<Answer> = {}): Answer {
  return {
    id,
    view: 1,
    viewing: '',
    at: now,
    method: 'GET',
    url,
    referrer: '',
    navigation: true,
    found: true,
    status: 200,
    mediaType: 'text/html',
    bytes: 1,
    captured: now,
    job: 1,
    file: null,
    offset: null,
    ...{
      initiator: '',
      resourceType: '',
      by: 'exactCapture',
      capturedUrl: null,
      inexact: [],
      truncated: null,
      isAttachment: false,
    },
    ...changes,
  }
}

test('a view: how far its index is, is followed until it is whole', async () => {
  const changed = event<ViewSummary>()
  const summary: ViewSummary = {
    ...{
      view: 1,
      jobs: [1],
      files: [],
      all: false,
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
      captures: 3,
      seeds: [],
    },
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: true, filesDone: 1, filesTotal: 2, jobsDone: 0, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const store = makeView(
    servicesWith({
      viewer: {
        current: () => Promise.resolve(summary),
        answers: () => Promise.resolve([]),
        errors: () => Promise.resolve([]),
        changed: changed.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  await store.getState().load()
  const whole = { ...summary.growth, isGrowing: false, filesDone: 2, jobsDone: 1 }
  changed.emit({ ...summary, captures: 9, growth: whole })
  expect(store.getState().view).toMatchObject({ is: 'ready', value: { captures: 9, growth: { isGrowing: false } } })
})

test('a view: what was told of it before the answers came stays, with what only they say', async () => {
  const changed = event<ViewSummary>()
  const summary: ViewSummary = {
    ...{
      view: 1,
      jobs: [1],
      files: [],
      all: false,
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
      captures: 3,
      seeds: [],
    },
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: true, filesDone: 1, filesTotal: 2, jobsDone: 0, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const told = {
    ...summary,
    filesMissing: { count: 1, first: [{ name: 'a.warc.gz', reason: { code: 'index.file.unavailable' } }] },
  }
  /** The answer is of before, and comes after. */
  const late = <Answered>(answered: Answered) => {
    changed.emit(told)
    return Promise.resolve(answered)
  }
  const store = makeView(
    servicesWith({
      viewer: {
        current: () => late(summary),
        open: () => late({ ...summary, url: null }),
        keep: ({ name }) => late({ ...summary, name }),
        record: ({ isRecording }) => late({ ...summary, isRecording }),
        answers: () => Promise.resolve([]),
        errors: () => Promise.resolve([]),
        changed: changed.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const { load, open, record } = store.getState()
  const expectShown = (shown: ViewSummary) => expect(store.getState().view).toEqual({ is: 'ready', value: shown })
  await load()
  expectShown(told)
  await open({ jobs: [1], name: 'mine' })
  expectShown({ ...told, name: 'mine' })
  await record(false)
  expectShown({ ...told, isRecording: false })
})

function viewOf(jobs: number[]): ViewSummary {
  return {
    ...{ view: jobs[0] ?? 1, jobs, files: [], all: false, at: 'newest', withinDays: null, isExact: false, name: null },
    ...{ captures: 3, seeds: [], jobsMissing: [], quarantined: { count: 0, first: [] } },
    filesMissing: { count: 0, first: [] },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: jobs },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
}

test('a view: opens at its first seed, follows the page, gathers what it asked for, and goes back', async () => {
  const answered = event<Answer>()
  const answers: Answer[] = []
  const view = {
    ...{
      view: 1,
      jobs: [1],
      files: [],
      all: false,
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
      captures: 3,
    },
    seeds: ['http://a.example/'],
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...view, url: 'http://a.example/' }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        answered: answered.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const t = (one: Answer) => (answers.push(one), answered.emit(one))
  const state = () => store.getState()
  const tab = () => shownTab(store.getState())

  await state().open({ jobs: [1] })
  expect(tab().order).toMatchObject({ step: 'open', url: 'http://a.example/' })
  t(answer(1, 'http://a.example/', { status: 301 }))
  t(answer(2, 'https://a.example/'))
  t(
    answer(3, 'https://a.example/gone.png', {
      ...{ referrer: 'https://a.example/', initiator: 'https://a.example/' },
      navigation: false,
      found: false,
      status: 404,
    }),
  )
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({ address: 'https://a.example/', arriving: false, page: { id: 2 } })
  expect(tab().resources.map(({ id }) => id)).toEqual([2, 3])

  t(answer(4, 'https://a.example/late.js', { initiator: 'https://a.example/', navigation: false }))
  // Of the same view, asked by a browser beside Loupe.
  t(answer(5, 'https://a.example/other.js', { viewing: 'viewing-1', referrer: 'https://a.example/' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tab().resources.map(({ id }) => id)).toEqual([2, 3, 4])

  t(answer(5, 'https://a.example/second', { referrer: 'https://a.example/' }))
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({ address: 'https://a.example/second', trail: { at: 1 } })
  expect(tab().resources.map(({ id }) => id)).toEqual([5])

  state().step('back')
  expect(tab().order).toMatchObject({ step: 'back', url: 'https://a.example/' })
  t(answer(6, 'https://a.example/'))
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({
    address: 'https://a.example/',
    trail: { at: 0, addresses: ['https://a.example/', 'https://a.example/second'] },
  })

  await state().navigated(tab().id, 'https://a.example/#inside')
  expect(tab().page).toMatchObject({ id: 6 })

  // No frame says that something has come that none shows.
  state().go('https://a.example/paper.pdf')
  t(answer(7, 'https://a.example/frame.pdf', { mediaType: 'application/pdf' }))
  expect(tab().arriving).toBe(true)
  t(answer(8, 'https://a.example/paper.pdf', { mediaType: 'application/pdf' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tab()).toMatchObject({ address: 'https://a.example/paper.pdf', arriving: false, page: { id: 8 } })

  await state().open({ jobs: [1], url: 'file:///papers/one.txt' })
  expect(tab().order).toMatchObject({ step: 'open', url: 'file:///papers/one.txt' })
})

test('a view: another job opens at its own first page, a changed choice stays at the page that is shown', async () => {
  const firstPages = new Map([
    [1, 'http://a.example/'],
    [2, 'http://b.example/'],
    [3, null],
  ])
  const store = makeView(
    servicesWith({
      viewer: {
        open: ({ jobs = [] }) => Promise.resolve({ ...viewOf(jobs), url: firstPages.get(jobs[0] ?? 0) ?? null }),
        answers: () => Promise.resolve([]),
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const state = () => store.getState()
  const tab = () => shownTab(state())

  await state().open({ jobs: [1], beginAt: 'firstPage' })
  await state().navigated(tab().id, 'http://a.example/deep')
  expect([state().isShowing({ jobs: [1] }), state().isShowing({ jobs: [1, 2] })]).toEqual([true, false])
  await state().open({ jobs: [1, 2] })
  expect(tab().order).toMatchObject({ url: 'http://a.example/deep' })
  await state().open({ jobs: [2], beginAt: 'firstPage' })
  expect(tab().order).toMatchObject({ url: 'http://b.example/' })
  await state().open({ jobs: [3], beginAt: 'firstPage' })
  expect(tab()).toMatchObject({ order: null, address: null })
})

test('a view: when somebody else chooses another, the open page stands as one of before, and what was missing is that of the new', async () => {
  const changed = event<ViewSummary>()
  const answers: Answer[] = []
  const askedOf: (number | undefined)[] = []
  const summary: ViewSummary = {
    ...{
      view: 1,
      jobs: [1],
      files: [],
      all: false,
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
      captures: 3,
    },
    seeds: ['http://a.example/'],
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...summary, url: 'http://a.example/' }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        changed: changed.listen,
      },
      missing: { list: ({ view }) => (askedOf.push(view), Promise.resolve([])) },
    }),
  )
  const state = () => store.getState()
  const isStale = (view: number) => isOfAnother(shownTab(state()), view)

  await state().open({ jobs: [1] })
  answers.push(answer(1, 'http://a.example/'))
  await state().frameLoaded(1)
  changed.emit({ ...summary, captures: 4 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([isStale(1), askedOf.includes(2)]).toEqual([false, false])

  changed.emit({ ...summary, view: 2, jobs: [2] })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([isStale(2), askedOf.at(-1)]).toEqual([true, 2])
  expect(shownTab(state())).toMatchObject({ address: 'http://a.example/', page: { id: 1 }, arriving: false })

  state().loadAnew()
  expect(shownTab(state())).toMatchObject({ order: { step: 'reload', url: 'http://a.example/' }, arriving: true })
  answers.push(answer(2, 'http://a.example/', { view: 2 }))
  await state().frameLoaded(1)
  expect(isStale(2)).toBe(false)
})

test('a view: each tab is somewhere of its own, and another view takes each up where it was when it is shown', async () => {
  const answered = event<Answer>()
  const answers: Answer[] = []
  const summary = {
    ...{
      view: 1,
      jobs: [1],
      files: [],
      all: false,
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
      captures: 3,
    },
    seeds: ['http://a.example/'],
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const kept: string[] = []
  let missed = Promise.resolve<Miss[]>([])
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...summary, url: 'http://a.example/' }),
        keep: ({ name }) => (kept.push(name), Promise.resolve({ ...summary, name })),
        record: ({ isRecording }) => Promise.resolve({ ...summary, isRecording }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        title: ({ url, captured }) => Promise.resolve({ title: `Title of ${url} at ${captured}` }),
        answered: answered.listen,
      },
      missing: { list: () => missed },
    }),
  )
  const t = (one: Answer) => (answers.push(one), answered.emit(one))
  const state = () => store.getState()
  const [first, second] = ['http://a.example/', 'http://a.example/second']

  await state().open({ jobs: [1], name: 'mine' })
  expect([kept, state().view]).toMatchObject([['mine'], { value: { name: 'mine' } }])
  t(answer(1, first))
  await state().frameLoaded(1)
  state().openTab(second)
  t(answer(2, second))
  await state().frameLoaded(2)
  expect(state().tabs).toMatchObject([
    { address: first, title: `Title of ${first} at ${now}`, trail: { at: 0 } },
    { address: second, title: `Title of ${second} at ${now}`, trail: { at: 0 } },
  ])

  // What a tab in the background goes on asking for stays its own.
  t(answer(3, 'http://a.example/late.js', { initiator: first, navigation: false }))
  t(answer(4, 'http://a.example/other.js', { initiator: second, navigation: false }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(state().tabs.map(({ resources }) => resources.map(({ id }) => id))).toEqual([
    [1, 3],
    [2, 4],
  ])

  // Gone somewhere before all of what is opened has been told: there, and once.
  const told = Promise.withResolvers<Miss[]>()
  missed = told.promise
  const opening = state().open({ jobs: [1], at: now })
  await vi.waitFor(() => expect(shownTab(state()).order).toBeNull())
  state().go(second)
  const { order } = shownTab(state())
  told.resolve([])
  await opening
  expect(shownTab(state()).order).toBe(order)

  await state().open({ jobs: [1], at: now })
  expect(state().tabs).toMatchObject([{ order: null, address: first }, { order: { url: second } }])
  t(answer(5, second))
  await state().frameLoaded(2)
  state().turnTab(1)
  expect(shownTab(state())).toMatchObject({ id: 1, order: { step: 'reload', url: first } })
  await state().frameLoaded(1)
  state().loadAnew()
  expect(state().tabs).toMatchObject([{ order: { step: 'reload' } }, { order: null, address: second }])

  state().closeTab(1)
  expect(shownTab(state())).toMatchObject({ id: 2, order: { url: second } })

  // Sent elsewhere while it is looked up where it has come: that it came is of no more use, and is no step of its trail.
  const came = state().frameLoaded(2)
  state().go(first)
  await came
  expect(shownTab(state())).toMatchObject({ order: { url: first }, arriving: true, page: null })
  await state().record(false)
  expect(state().view).toMatchObject({ value: { isRecording: false } })
  expect(state().choice()).toEqual({ jobs: [1], files: [], all: false, at: 'newest', isExact: false })
})

test('the audit trail: verified while it was empty, it is verified again when entries may have come, and else only when asked', async () => {
  let entries = 0
  let asked = 0
  const whole = { whole: true, broken: null, head: null, message: { code: 'text', values: { text: '' } } }
  const verifyAudit = () => {
    asked += 1
    return Promise.resolve({ ...whole, entries, witness: { state: 'agrees' as const, number: null } })
  }
  const store = makeAudit(servicesWith({ archive: { verifyAudit, auditVerifying: () => () => undefined } }))
  const { verify, loadIfEmpty } = store.getState()
  await loadIfEmpty()
  expect(asked).toBe(0)
  await verify()
  entries = 20
  await loadIfEmpty()
  expect(store.getState().verdict?.said.entries).toBe(20)
  await loadIfEmpty()
  expect(asked).toBe(2)
})

test('a backup is asked for once, its progress is followed, and what it came to is kept', async () => {
  const changed = event<{ running: { phase: 'copying'; share: number } | null }>()
  const answer = Promise.withResolvers<BackupMade>()
  const made: BackupMade = { outcome: 'made', removed: [], backup: backupRow('a.db') }
  let asked = 0
  let loads = 0
  const services = servicesWith({
    backups: {
      changed: changed.listen,
      standing: () => Promise.resolve({ ...backedUp, kept: (loads += 1) }),
      list: () => Promise.resolve([backupRow('a.db')]),
      make: () => {
        asked += 1
        return answer.promise
      },
    },
  })
  const store = makeBackups(services)
  const first = store.getState().make()
  const second = store.getState().make()
  changed.emit({ running: { phase: 'copying', share: 0.5 } })
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState()).toMatchObject({ asked: { is: 'make' }, running: { share: 0.5 }, outcome: null })
  answer.resolve(made)
  changed.emit({ running: null })
  await Promise.all([first, second])
  expect(asked).toBe(1)
  expect(store.getState()).toMatchObject({ asked: null, running: null, outcome: { is: 'made', made } })
  expect(valueOf(store.getState().standing)?.kept).toBe(loads)
})

test('what is refused of backups is kept with what was asked for', async () => {
  const services = servicesWith({
    backups: {
      standing: () => Promise.resolve(backedUp),
      list: () => Promise.resolve([]),
      verify: () => Promise.reject(new Fault('unreachable', 'The drive is away.')),
    },
  })
  const store = makeBackups(services)
  await store.getState().verify('a.db')
  expect(store.getState().outcome).toMatchObject({ is: 'refused', asked: { is: 'verify', name: 'a.db' } })
})

function backupRow(name: string): BackupMade['backup'] {
  const manifest = backupManifest.omit({ problem: true, settings: true }).parse({
    ...{ archive: 'a', folder: '/archive', software: 'Loupe/1', made: now, confirmed: now, verified: now },
    ...{ bytes: 1, schemaVersion: 30, jobs: 0, files: 0, audit: null },
  })
  return { name, path: `/backups/${name}`, state: 'good', problem: null, sha256: 'a'.repeat(64), manifest }
}
