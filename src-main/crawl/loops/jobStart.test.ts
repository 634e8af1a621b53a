/** The job start loop against a real database, through months of a clock that may jump. The moves of the other loops are made by
 *  the test, as the state table defines them. */
import { textOf } from '../../contract/words/render.ts'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { reasonTextOf } from './testing/engineFixture.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import { scheduleShape, type Schedule } from '../../contract/services/schedule.ts'
import { mover } from '../../storage/guard.ts'
import { openStore } from '../../storage/storage.ts'
import { engineStatements } from './engine.ts'
import type { JobAction } from '../jobs/jobActions.ts'
import { openJobs } from '../jobs/jobs.ts'
import { openSchedules } from '../schedule/schedules.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { jobStartLoop, type JobStartEngine } from './jobStart.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A Sunday at noon. */
const startMs = Date.UTC(2026, 10, 22, 12)

const store = openStore(':memory:')
afterAll(() => store.close())

/** A job with a schedule, on a machine whose clock the test sets. */
function machine(given: Partial<Schedule>) {
  for (const table of ['job_event', 'job', 'harvest']) store.statement<object>(`DELETE FROM ${table}`).run({})
  let at = startMs
  const clock = { now: () => at, elapsed: () => at, sleep: () => Promise.resolve() }
  const world = { ...seededWorld({ seed: 1, startMs }), clock }
  const jobs = openJobs(store, world)
  const sql = engineStatements(store)
  const move = mover(store, jobStates, { table: 'job' })
  const logged: string[] = []
  const engine: JobStartEngine = {
    store,
    world,
    sql,
    move,
    log: (_job, _level, line) => void logged.push(textOf(line)),
  }
  const schedule = scheduleShape.parse(given)
  const job = jobs.create(harvestDefinition.parse({ seeds: ['http://site.test/'], schedule }))
  const schedules = openSchedules(store, world)
  const loop = jobStartLoop(engine)
  const state = () => jobs.summary(job).state

  /** Makes the moves of the other loops that are possible now, once each. */
  function others(): void {
    if (state() === 'NOTIFYINGOFCOMPLETION') sql.end.run({ job, nowMs: at })
    for (const event of ['drained', 'resumed', 'startupTaken', 'seeded', 'notificationTaken', 'notified'] as const) {
      const to = move(job, event)
      if (event !== 'drained') continue
      if (to === 'READYFORNOTIFY') sql.endRun.run({ job, nowMs: at })
      if (to === 'READYFORSTARTUP') sql.beginRun.run({ job, runId: '' })
    }
  }
  return {
    job,
    logged,
    jobs,
    schedules,
    state,
    move: (event: JobEvent) => move(job, event),
    act: (action: JobAction) => jobs.act(job, action),
    others,
    /** Moves the clock forward, or back. */
    pass: (ms: number) => {
      at += ms
    },
    now: () => at,
    runLoop: () => void loop.pass([]),
    /** Cuts the power at a statement or call of the pass. Returns whether the pass got that far. */
    lookUntilCut(calls: number): boolean {
      let left = Infinity
      const cut = <T extends object>(whole: T): T =>
        new Proxy(whole, {
          get(target, name, receiver) {
            const value: unknown = Reflect.get(target, name, receiver)
            if (typeof value === 'object' && value !== null) return cut(value)
            if (typeof value !== 'function') return value
            return (...given: unknown[]) => {
              left -= 1
              if (left < 0) throw new Error('the power is gone')
              const answer: unknown = Reflect.apply(value, target, given)
              return name === 'statement' ? cut(answer as object) : answer
            }
          },
        })
      const loopOfCut = jobStartLoop(cut(engine))
      left = calls
      try {
        void loopOfCut.pass([])
        return false
      } catch (error) {
        if (error instanceof Error && error.message === 'the power is gone') return true
        throw error
      }
    },
    windowEndMs: () => {
      const { windowEnd } = schedules.show(job)
      return windowEnd === null ? null : Date.parse(windowEnd)
    },
    /** Everything was fetched. */
    finish() {
      if (move(job, 'finished') === undefined) return
      move(job, 'cleaned')
      sql.endRun.run({ job, nowMs: at })
      for (let round = 0; round < 3; round += 1) others()
    },
  }
}

const nightly = { records: [{ hours: [2], durationMinutes: 180 }] } as object

describe('windows', () => {
  test('a window starts the job, its end makes it wait, and the next one resumes it', () => {
    const at = machine(nightly)
    at.runLoop()
    expect(at.state()).toBe('INACTIVE')
    at.pass(14 * hourMs + 5_000)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUP')
    expect(at.windowEndMs()).toBe(Date.UTC(2026, 10, 23, 5))
    expect(at.logged.at(-1)).toBe('A scheduled time window has opened; it closes at Monday 2026-11-23 05:00 (UTC).')
    at.others()
    expect(at.state()).toBe('ACTIVE')
    at.pass(3 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVEWAITING')
    expect(at.windowEndMs()).toBe(null)
    at.others()
    expect(at.state()).toBe('ACTIVEWAIT')
    expect(reasonTextOf(at.jobs.summary(at.job))).toBe('Outside its time window until Tuesday 2026-11-24 02:00 (UTC).')
    at.runLoop()
    expect(at.state()).toBe('ACTIVEWAIT')
    at.pass(21 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('RESUMING')
    expect(at.windowEndMs()).toBe(Date.UTC(2026, 10, 24, 5))
  })

  test('a run that ends within its window is followed by another only if jobs may start at any time in it', () => {
    for (const [startMethod, state] of [
      ['WINDOWBEGIN', 'INACTIVE'],
      ['WINDOWINSIDE', 'READYFORSTARTUP'],
    ] as const) {
      const at = machine({ ...nightly, startMethod })
      at.pass(14 * hourMs + 5_000)
      at.runLoop()
      at.others()
      at.pass(hourMs)
      at.finish()
      expect(at.state()).toBe('INACTIVE')
      at.pass(10_000)
      at.runLoop()
      expect(at.state()).toBe(state)
    }
  })

  test('a schedule record for minimal runs starts a minimal run', () => {
    const at = machine({ records: [{ hours: [2], minimal: true }] } as object)
    at.pass(15 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUPMINIMAL')
    expect(at.windowEndMs()).toBe(null)
  })

  test('a job started by a user does not wait for a window', () => {
    const at = machine(nightly)
    at.act('start')
    at.others()
    for (let hours = 0; hours < 40; hours += 1) {
      at.pass(hourMs)
      at.runLoop()
      expect(at.state()).toBe('ACTIVE')
      expect(at.windowEndMs()).toBe(null)
    }
  })

  test('windows still apply during a pause, also while it is draining', () => {
    const at = machine(nightly)
    at.pass(14 * hourMs + 5_000)
    at.runLoop()
    at.others()
    at.act('pause')
    at.pass(3 * hourMs)
    at.runLoop()
    // ManifoldCF's tables have this move, but its loop never makes it.
    expect(at.state()).toBe('PAUSINGWAITING')
    at.pass(21 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('PAUSING')
    at.others()
    expect(at.state()).toBe('PAUSED')
    at.pass(3 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('PAUSEDWAIT')
    at.act('resume')
    expect(at.state()).toBe('ACTIVEWAIT')
  })

  test('a window that ends during a seeding makes the job wait, and the seeding is completed', () => {
    const at = machine(nightly)
    at.pass(14 * hourMs + 5_000)
    at.runLoop()
    at.others()
    at.move('seedingBegan')
    at.pass(3 * hourMs)
    at.runLoop()
    at.others()
    expect(at.state()).toBe('ACTIVEWAITSEEDING')
    at.pass(21 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('RESUMINGSEEDING')
    at.move('seedingEnded')
    expect(at.state()).toBe('RESUMING')
  })
})

describe('clock jumps', () => {
  test('a machine suspended at the beginning of a window starts the job; one suspended during all of it does not', () => {
    const at = machine(nightly)
    at.pass(15.5 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUP')
    expect(at.windowEndMs()).toBe(Date.UTC(2026, 10, 23, 5))
    const late = machine(nightly)
    late.pass(18 * hourMs)
    late.runLoop()
    expect(late.state()).toBe('INACTIVE')
  })

  test('a clock set back into a window that had its run starts no second one', () => {
    const at = machine(nightly)
    at.pass(14 * hourMs + 5_000)
    at.runLoop()
    at.others()
    at.pass(-2 * hourMs)
    at.finish()
    for (let minutes = 0; minutes < 5 * 60; minutes += 10) {
      at.pass(10 * minuteMs)
      at.runLoop()
      expect(at.state()).toBe('INACTIVE')
    }
    at.pass(dayMs - 2 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUP')
  })

  test('a clock set back before a window in which nothing started does not miss it', () => {
    const at = machine(nightly)
    at.pass(18 * hourMs)
    at.runLoop()
    at.pass(-3 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUP')
  })

  test('a clock that was years ahead does not delay the job once it is corrected', () => {
    const at = machine(nightly)
    const yearsMs = 20 * 365 * dayMs
    at.pass(yearsMs + 16 * hourMs)
    at.runLoop()
    at.others()
    expect(at.state()).toBe('ACTIVE')
    at.pass(-yearsMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVEWAITING')
    at.others()
    at.runLoop()
    at.act('abort')
    at.pass(yearsMs)
    for (let round = 0; round < 4; round += 1) at.others()
    at.pass(-yearsMs)
    at.runLoop()
    expect(at.logged.at(-1)).toContain('far ahead')
    at.pass(dayMs)
    at.runLoop()
    expect(at.state()).toBe('READYFORSTARTUP')
  })
})

test('after a kill at any step of a pass, the next pass ends in the same state as an uninterrupted one', () => {
  const ends = (cut: number): { state: JobState; windowEndMs: number | null; wasCut: boolean } => {
    const at = machine(nightly)
    at.pass(14 * hourMs + 5_000)
    const wasCut = at.lookUntilCut(cut)
    at.runLoop()
    return { state: at.state(), windowEndMs: at.windowEndMs(), wasCut }
  }
  const { wasCut: _never, ...undisturbed } = ends(Infinity)
  let steps = 0
  for (let cut = 0; ends(cut).wasCut; cut += 1) {
    expect(ends(cut)).toEqual({ ...undisturbed, wasCut: true })
    steps += 1
  }
  expect(steps).toBeGreaterThan(3)
})

describe('changes of a schedule', () => {
  test('a new schedule applies from now on: a window that has already begun does not start the job', () => {
    const at = machine({ records: [{ hours: [2] }] } as object)
    at.pass(12 * hourMs)
    at.schedules.set(at.job, scheduleShape.parse({ records: [{ hours: [10], durationMinutes: 1440 }] }))
    at.runLoop()
    expect(at.state()).toBe('INACTIVE')
    at.schedules.set(at.job, null)
    at.pass(3 * dayMs)
    at.runLoop()
    expect(at.state()).toBe('INACTIVE')
  })

  test('a run keeps the end of the window in which it started', () => {
    const at = machine(nightly)
    at.pass(15 * hourMs)
    at.runLoop()
    at.others()
    at.schedules.set(at.job, null)
    at.pass(hourMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVE')
    at.pass(2 * hourMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVEWAITING')
  })
})

/** Windows of one length at the same hour of each day, so that open windows can be computed without a calendar. */
function daily(hour: number, durationMinutes: number) {
  const beginMsAt = (ms: number) => {
    const todayMs = Math.floor(ms / dayMs) * dayMs + hour * hourMs
    return todayMs < ms ? todayMs : todayMs - dayMs
  }
  return {
    schedule: scheduleShape.parse({ records: [{ hours: [hour], durationMinutes }] }),
    /** The beginning of the window that is open. */
    openAt: (ms: number) => (beginMsAt(ms) + durationMinutes * minuteMs > ms ? beginMsAt(ms) : undefined),
  }
}

type Step =
  | { kind: 'pass'; ms: number }
  | { kind: 'act'; action: JobAction }
  | { kind: 'event'; event: JobEvent }
  | { kind: 'others' }
  | { kind: 'finish' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 * hourMs }).map((ms): Step => ({ kind: 'pass', ms })) },
  { weight: 1, arbitrary: fc.integer({ min: -25 * hourMs, max: 0 }).map((ms): Step => ({ kind: 'pass', ms })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * dayMs }).map((ms): Step => ({ kind: 'pass', ms })) },
  { weight: 5, arbitrary: fc.constant<Step>({ kind: 'others' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'finish' }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<JobAction>('start', 'pause', 'resume', 'abort', 'restart')
      .map((action): Step => ({ kind: 'act', action })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<JobEvent>('seedingBegan', 'seedingEnded', 'interrupted', 'connectorGone', 'connectorBack')
      .map((event): Step => ({ kind: 'event', event })),
  },
)

test(
  'over months of random actions, suspends, kills and clock jumps, no window starts two runs and no open window is missed',
  () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 1, max: 1440 }),
        fc.array(anyStep, { minLength: 20, maxLength: 80 }),
        (hour, durationMinutes, steps) => {
          const { schedule, openAt } = daily(hour, durationMinutes)
          const at = machine(schedule)
          const begun = new Set<number>()
          let isByHand = false
          let wrongBefore = 0
          for (const step of steps) {
            if (step.kind === 'pass') at.pass(step.ms)
            else if (step.kind === 'others') at.others()
            else if (step.kind === 'finish') at.finish()
            else if (step.kind === 'event') at.move(step.event)
            else if (jobStates.next(at.state(), step.action)) {
              at.act(step.action)
              if (step.action === 'start' || step.action === 'restart') isByHand = true
            }
            const before = at.state()
            at.runLoop()
            const after = at.state()
            const open = openAt(at.now())
            // A clock set back by more than a day in several steps counts as one that was wrong before: the job starts, and that is logged.
            const wrongClocks = at.logged.filter((text) => text.startsWith('The system clock was far ahead')).length
            if (wrongClocks > wrongBefore) begun.clear()
            wrongBefore = wrongClocks
            if (before === 'INACTIVE' && after !== 'INACTIVE') {
              expect(open).toBeDefined()
              expect(begun.has(open ?? 0), 'a second run in one window').toBe(false)
              begun.add(open ?? 0)
              isByHand = false
            }
            if (isByHand) expect(after).not.toMatch(/WAIT/)
            if (/WAIT/.test(after)) expect(at.windowEndMs()).toBe(null)
            if (jobStates.next(after, 'windowEnded')) {
              const endMs = at.windowEndMs()
              if (endMs !== null) expect(endMs).toBeGreaterThanOrEqual(at.now())
            }
            // A job that waits for a window does not stay waiting in one that has begun since.
            if (jobStates.next(after, 'windowBegan') && step.kind === 'pass' && step.ms >= dayMs) {
              expect(open, 'a window that is open was missed').toBeUndefined()
            }
          }
        },
      ),
      { numRuns },
    )
  },
  2_000 * Math.max(150, numRuns),
)
