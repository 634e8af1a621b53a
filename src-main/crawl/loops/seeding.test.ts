import { textOf } from '../../contract/words/render.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import { mover } from '../../storage/guard.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { engineStatements } from './engine.ts'
import { openJobs } from '../jobs/jobs.ts'
import { seedingLoop, type SeedingEngine } from './seeding.ts'
import { openJobWork } from './jobWork.ts'

const minuteMs = 60_000
const store = openStore(':memory:')
afterAll(() => store.close())

/** An ACTIVE job with these seeds. */
function running(recheck: object, seeds = ['http://a.test/', 'http://b.test/']) {
  const world = seededWorld({ seed: 1 })
  const sql = engineStatements(store)
  const move = mover(store, jobStates, { table: 'job' })
  const jobs = openJobs(store, world)
  const job = jobs.create(harvestDefinition.parse({ seeds, recheck }))
  const logged: string[] = []
  const faults: unknown[] = []
  const displaced: number[] = []
  const jobWork = openJobWork({
    world,
    signal: new AbortController().signal,
    onEnded: () => undefined,
    onFault: (_job, error) => faults.push(error),
    interrupt: () => move(job, 'interrupted'),
  })
  const engine: SeedingEngine = {
    store,
    world,
    sql,
    queue: frontierStatements(store),
    jobWork,
    turns: { displaceLater: (job) => void displaced.push(job) },
    move,
    log: (_job, _level, line) => void logged.push(textOf(line)),
    definitionOf: () => jobs.show(job).definition,
    onChanged: () => undefined,
  }
  const loop = seedingLoop(engine)
  const state = () => jobs.summary(job).state
  for (const event of ['startupTaken', 'seeded'] as const) move(job, event)
  return {
    job,
    logged,
    faults,
    displaced,
    state,
    world,
    move: (event: JobEvent) => move(job, event),
    setReseed: (reseedMs: number) => sql.setReseed.run({ job, reseedMs }),
    reseedMs: () => sql.reseedMs.get({ job })?.reseedMs ?? null,
    documents: () => jobs.summary(job).documents.total,
    runLoop: () => void loop.pass([{ id: job, state: state() }]),
    stopThoseWhoseJobLeft: () => jobWork.stopThoseWhoseJobLeft([{ id: job, state: state() }]),
    /** Resolves when no work is in progress. */
    settle: () => world.run(world.clock.sleep(1_000)),
    pass: (ms: number) => world.run(world.clock.sleep(ms)),
  }
}

const hourly = { type: 'continuous', reseedSeconds: 3_600 }

describe('a continuous job', () => {
  test('queues its seeds again when they are due, and returns to its state', async () => {
    const at = running(hourly)
    at.setReseed(at.world.clock.now() + 60 * minuteMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVE')
    await at.pass(60 * minuteMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVESEEDING')
    expect(at.reseedMs()).toBe(at.world.clock.now() + 60 * minuteMs)
    await at.settle()
    expect(at.state()).toBe('ACTIVE')
    // Including the robots.txt of each host.
    expect(at.logged).toEqual(['Seeds read again: 4 URLs are due.'])
    expect(at.documents()).toBe(4)
    await at.pass(60 * minuteMs)
    at.runLoop()
    await at.settle()
    expect(at.logged.at(-1)).toBe('Seeds read again: no URLs are due.')
    expect(at.faults).toEqual([])
  })

  test.each([
    ['without an interval seeds are queued only once', { type: 'continuous', reseedSeconds: null }],
    ['it is not continuous', { type: 'once', reseedSeconds: 1 }],
  ])('%s', async (_why, recheck) => {
    const at = running(recheck)
    for (let round = 0; round < 5; round += 1) {
      await at.pass(10 * minuteMs)
      at.runLoop()
      expect(at.state()).toBe('ACTIVE')
    }
    expect(at.logged).toEqual([])
  })

  test('a clock that was set far back does not prevent a seeding', async () => {
    const at = running(hourly)
    at.setReseed(at.world.clock.now() + 365 * 24 * 60 * minuteMs)
    at.runLoop()
    expect(at.state()).toBe('ACTIVESEEDING')
    await at.settle()
    expect(at.reseedMs()).toBeLessThanOrEqual(at.world.clock.now() + 60 * minuteMs)
  })
})

describe('during a seeding', () => {
  const many = Array.from({ length: 1_200 }, (_, number) => `http://a.test/${number}`)

  test.each<[string, JobEvent[], JobState]>([
    ['a user pauses it', ['pause', 'drained'], 'PAUSED'],
    ['its window ends', ['windowEnded', 'drained'], 'ACTIVEWAIT'],
    ['a user pauses and resumes it', ['pause', 'drained', 'resume'], 'RESUMING'],
    ['its window ends and the next begins', ['windowEnded', 'drained', 'windowBegan'], 'RESUMING'],
    ['it is restarted', ['restart'], 'ABORTINGFORRESTART'],
    ['its connector is removed', ['connectorGone'], 'ACTIVE_UNINSTALLED'],
  ])('%s: only the seeding ends', async (_what, events, expected) => {
    const at = running(hourly, many)
    at.runLoop()
    for (const event of events) at.move(event)
    expect(at.state()).not.toBe(expected)
    await at.settle()
    expect(at.state()).toBe(expected)
    // A job that is not worked on has no positions in the queue.
    expect(at.displaced).toEqual([at.job])
    expect(at.documents()).toBe(many.length + 1)
    expect(at.faults).toEqual([])
  })

  test('a stop ends it: no further seed is added', async () => {
    const at = running(hourly, many)
    at.runLoop()
    at.move('abort')
    at.stopThoseWhoseJobLeft()
    await at.settle()
    expect(at.state()).toBe('ABORTING')
    expect(at.documents()).toBe(0)
  })

  test('a kill ends it: recovery restores the state of the job, and the next seeding starts on time', async () => {
    const at = running(hourly, many)
    at.runLoop()
    at.move('interrupted')
    expect(at.state()).toBe('ACTIVE')
    at.runLoop()
    expect(at.state()).toBe('ACTIVE')
  })
})
