/** Changing a definition: what may be changed in which state, what the next run checks because of it, and that every run is
 *  described by the definition that it used. */
import { textOf } from '../../contract/words/render.ts'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { repositoryNames } from '../../contract/shapes/choices.ts'
import type { RepositoryName } from '../../contract/services/connectors.ts'
import { harvestDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { editIn, jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import { mover } from '../../storage/guard.ts'
import { openStore } from '../../storage/storage.ts'
import { openOutputs } from '../../delivery/outputs.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { runEndStatements, runStartStatements, seedingStatements } from '../model/runs.sql.ts'
import { connectorModels, scanFor } from '../model/scanPlan.ts'
import { openDefinitions } from './definitions.ts'
import { definitionsSinceDescribed, ranWith } from './storedDefinition.ts'

const runs = { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150) }
const store = openStore(':memory:')
afterAll(() => store.close())
const world = seededWorld({ seed: 1 })
const jobs = openJobs(store, world)
const definitions = openDefinitions(store, world)
const settings = { connector: 'folder', folder: '/copies' } as const
openOutputs(store, world.clock).add({ name: 'catalogue', description: '', settings, steps: [], requestsMax: 1 })
const sql = {
  ...jobStatements(store),
  ...runStartStatements(store),
  ...runEndStatements(store),
  ...seedingStatements(store),
}
const move = mover(store, jobStates, { table: 'job' })

const base = { seeds: ['http://a.test/'] }
const parsed = (input: object): HarvestDefinition => harvestDefinition.parse({ ...base, ...input })

interface Job {
  id: number
  state(): JobState
  seedingVersion(): string | null
  versions(): { definition: number; seeded: number } | undefined
  lastLine(): string | undefined
  /** Ends the seeding as the startup loop does, with the seeds of the current definition. */
  seeded(definitionVersion?: number): void
  to(...events: JobEvent[]): void
  end(): void
  edit(input: object): ReturnType<typeof definitions.edit>
}

function made(input: object = {}): Job {
  const id = jobs.create(parsed(input))
  const row = () => sql.one.get({ job: id })
  return {
    id,
    state: () => row()?.state as JobState,
    seedingVersion: () => row()?.seedingVersion ?? null,
    versions: () => sql.versions.get({ job: id }),
    lastLine: () =>
      jobs
        .log(id, 0, 1000)
        .map(({ message }) => textOf(message))
        .at(-1),
    seeded(definitionVersion = row()?.definitionVersion ?? 0) {
      move(id, 'seeded')
      sql.begin.run({ job: id, nowMs: 1 })
      sql.seeded.run({ job: id, version: 'then', reseedMs: null, definitionVersion })
    },
    to: (...events) => void events.forEach((event) => move(id, event)),
    end() {
      this.to('abort', 'drained', 'notificationTaken', 'notified')
      sql.end.run({ job: id, nowMs: 2 })
    },
    edit: (changes) => definitions.edit(id, parsed({ ...input, ...changes })),
  }
}

function running(input: object = {}): Job {
  const job = made(input)
  job.to('startupTaken')
  job.seeded()
  return job
}

function ended(input: object = {}): Job {
  const job = running(input)
  job.end()
  return job
}

/** A change of each part, and whether it makes the next run check the list from the beginning. */
const changes: [changes: object, fromBeginning: boolean][] = [
  [{ seeds: ['http://b.test/'] }, true],
  [{ scope: 'domain' }, true],
  [{ include: ['/news/'] }, true],
  [{ exclude: ['/calendar/'] }, true],
  [{ domains: { 'a.test': { exclude: ['/calendar/'] } } }, true],
  [{ robots: 'ignore' }, true],
  [{ maxHops: 3 }, true],
  [{ hops: { limits: { redirect: 2 } } }, true],
  [{ maxObjects: 10 }, true],
  [{ maxBytes: 10 }, true],
  [{ maxSeconds: 10 }, true],
  [{ maxNoResponseSeconds: 10 }, true],
  [{ maxInactiveSeconds: 10 }, true],
  [{ userAgent: 'Another' }, true],
  [{ resolve: { 'a.test': '127.0.0.1' } }, true],
  [{ connectors: { output: 'null' } }, true],
  [{ connectors: { repository: { connector: 'sitemap' } } }, true],
  [{ login: { areas: [{ kind: 'basic', credential: 'one', urls: ['http://a.test/'] }] } }, true],
  [{ deduplication: { match: 'payload' } }, false],
  [{ name: 'Another name' }, false],
  [{ workers: 3 }, false],
  [{ delayMs: 5 }, false],
  [{ connectionsPerHost: 2 }, false],
  [{ order: 'scheduled' }, false],
  [{ throttle: { rules: [{ match: 'a', connections: 1 }] } }, false],
  [{ recheck: { gone: 'keep' } }, false],
  [{ outputs: [{ output: 'catalogue' }] }, false],
]

test.each(changes)('at rest %j is taken for the next run', (change, fromBeginning) => {
  const job = ended()
  expect(job.seedingVersion()).toBe('then')
  expect(job.edit(change)).toEqual({ job: job.id, changed: Object.keys(change), holds: 'nextRun' })
  expect(job.seedingVersion()).toBe(fromBeginning ? null : 'then')
  expect(jobs.show(job.id).definition).toEqual(parsed(change))
  expect(jobs.show(job.id).ranWith).toEqual(parsed({}))
  expect(job.lastLine()).toMatch(/^Definition changed: .*The change applies to the next run/)
})

test('every part of a definition has its row', () => {
  const parts = Object.keys(harvestDefinition.shape).filter((name) => name !== 'schedule')
  expect([...new Set(changes.flatMap(([change]) => Object.keys(change)))].sort()).toEqual(parts.sort())
})

const inRun: [before: object, changes: object, refusal: RegExp | undefined][] = [
  [{}, { seeds: ['http://a.test/', 'http://b.test/'] }, undefined],
  [{}, { scope: 'page', exclude: ['x'], delayMs: 3, maxObjects: 4, userAgent: 'B' }, undefined],
  [{ maxHops: 2 }, { maxHops: 4, hops: { limits: { link: 3 } } }, undefined],
  [{ maxHops: 2 }, { maxHops: undefined }, undefined],
  [{}, { maxHops: 4 }, /the link depth limits \(this run did not track/],
  [{}, { order: 'scheduled' }, /the order of documents \(it applies to a whole run\)/],
  [{}, { robots: 'ignore' }, /robots\.txt is obeyed \(the run has already/],
  [{}, { connectors: { output: 'null' } }, /the output \(a run has one source and one output\)/],
  [{}, { recheck: { type: 'continuous' } }, /URLs are rechecked \(the run has already/],
  [{ recheck: { type: 'continuous' } }, { recheck: { type: 'continuous', intervalSeconds: 9 } }, undefined],
  [{}, { login: { areas: [{ kind: 'basic', credential: 'one', urls: ['http://a.test/'] }] } }, /the login/],
  [{}, { robots: 'ignore', connectors: { output: 'null' }, delayMs: 9 }, /robots.* or the source and the output/],
]
test.each(inRun)('of a run under way with %j: %j', (before, change, refusal) => {
  for (const state of ['ACTIVE', 'PAUSED'] as const) {
    const job = running(before)
    if (state === 'PAUSED') job.to('pause', 'drained')
    expect(job.state()).toBe(state)
    const edit = () => job.edit(change)
    if (refusal === undefined) expect(edit()).toMatchObject({ holds: 'now' })
    else {
      expect(edit).toThrow(refusal)
      expect(edit).toThrow(/Nothing was changed/)
      expect(jobs.show(job.id).definition).toEqual(parsed(before))
      expect(job.seedingVersion()).toBe('then')
    }
  }
})

/** A way into each state, the shortest. */
function waysInto(): Map<JobState, JobEvent[]> {
  const ways = new Map<JobState, JobEvent[]>([['INACTIVE', []]])
  for (const [state, events] of ways) {
    for (const { from, event, to } of jobStates.moves)
      if (from === state && !ways.has(to)) ways.set(to, [...events, event])
  }
  return ways
}

describe('by state of the job', () => {
  test.each([...waysInto()])('%s', (state, events) => {
    const job = made({ schedule: { records: [{ hours: [2] }] } })
    job.to(...events)
    expect(job.state()).toBe(state)
    const edit = () => job.edit({ schedule: { records: [{ hours: [2] }] }, delayMs: 77 })
    const allowed = editIn(state)
    if (allowed === 'whole' || allowed === 'inRun') return void expect(edit().changed).toEqual(['delayMs'])
    expect(edit).toThrow(allowed === 'ending' ? /its run is ending/ : /it is being deleted/)
    expect(jobs.show(job.id).definition.delayMs).toBeUndefined()
  })
})

test('a definition that is the same changes nothing', () => {
  const job = ended()
  const line = job.lastLine()
  expect(job.edit({})).toEqual({ job: job.id, changed: [], holds: 'nextRun' })
  expect([job.seedingVersion(), job.lastLine()]).toEqual(['then', line])
})

test('an import has no definition to change, and a missing job is reported', () => {
  const job = jobs.createImport(['/a.warc'])
  expect(() => definitions.edit(job, parsed({}))).toThrow(/is an import and has no definition/)
  expect(() => definitions.edit(999_999, parsed({}))).toThrow('There is no job 999999.')
})

describe('a refusal names the fields at fault', () => {
  const refusal = (ask: () => unknown): Fault => {
    try {
      ask()
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
    throw new Error('it was not refused')
  }

  const wrongSeeds: [connector: RepositoryName, good: string, wrong: string][] = [
    ['web', 'http://a.test/', 'mailto:a@b'],
    ['sitemap', 'http://a.test/', 'ftp://a.test/'],
    ['feed', 'http://a.test/', 'http://'],
    ['folder', '/srv/a', 'not/absolute'],
    ['module', 'cms:all', 'all'],
  ]
  test('each source', () => expect(wrongSeeds.map(([name]) => name)).toEqual(repositoryNames))
  test.each(wrongSeeds)('of %s: the invalid seed', (connector, good, wrong) => {
    const settings = connector === 'module' ? { module: '/srv/cms.mjs' } : {}
    const connectors = { repository: { connector, ...settings } }
    const asked = parsed({ seeds: [good, wrong], connectors })
    expect(refusal(() => jobs.create(asked))).toMatchObject({ code: 'badInput', fields: [['seeds', 1]] })
    const job = made({ seeds: [good], connectors })
    expect(refusal(() => definitions.edit(job.id, asked)).fields).toEqual([['seeds', 1]])
  })

  test('a name that is not a registered domain', () => {
    const asked = parsed({ domains: { 'a.test': { exclude: [] }, 'www.a.test': { exclude: ['x'] } } })
    expect(refusal(() => jobs.create(asked)).fields).toEqual([['domains', 'www.a.test']])
    expect(refusal(() => jobs.create(asked)).message).toContain('Enter a.test')
  })

  const fixed: [change: object, field: (string | number)[]][] = [
    [{ maxHops: 4 }, ['maxHops']],
    [{ hops: { limits: { link: 1 } } }, ['hops']],
    [{ order: 'scheduled' }, ['order']],
    [{ robots: 'ignore' }, ['robots']],
    [{ recheck: { type: 'continuous' } }, ['recheck', 'type']],
    [{ connectors: { output: 'null' } }, ['connectors']],
    [{ login: { areas: [{ kind: 'basic', credential: 'one', urls: ['http://a.test/'] }] } }, ['login']],
  ]
  test('each field that is fixed during a run is refused, and the interface knows it beforehand', () => {
    const job = running()
    const told = jobs.show(job.id).fixed
    expect(told.map(({ field }) => field)).toEqual(expect.arrayContaining(fixed.map(([, field]) => field)))
    expect(told).toHaveLength(fixed.length)
    for (const { why } of told) expect(textOf(why)).toMatch(/^[a-z].*[^.]$/)
  })
  test.each(fixed)('of a run under way: %j', (change, field) => {
    const job = running()
    expect(refusal(() => job.edit(change))).toMatchObject({ code: 'refused', fields: [field] })
  })
  test('several refused fields are all named, and the allowed ones are not', () => {
    const job = running()
    const refused = refusal(() => job.edit({ robots: 'ignore', maxHops: 1, delayMs: 4 }))
    expect(refused.fields).toEqual([['maxHops'], ['robots']])
  })
  test('no field is fixed between runs, and hops only during a run that counts them', () => {
    expect(jobs.show(ended().id).fixed).toEqual([])
    const counting = jobs.show(running({ maxHops: 3 }).id).fixed
    expect(counting.map(({ field }) => field.join('.'))).toEqual([
      'order',
      'robots',
      'recheck.type',
      'connectors',
      'login',
    ])
  })
})

test('an invalid seed changes nothing', () => {
  const job = ended()
  expect(() => job.edit({ seeds: ['mailto:a@b'], delayMs: 5 })).toThrow()
  expect(jobs.show(job.id).definition).toEqual(parsed({}))
})

test('a schedule is part of the change, and past runs keep theirs', () => {
  const job = ended()
  const schedule = { records: [{ hours: [3] }] }
  expect(job.edit({ schedule }).changed).toEqual(['schedule'])
  expect(jobs.show(job.id).definition.schedule?.records).toHaveLength(1)
  expect([jobs.show(job.id).ranWith, job.seedingVersion()]).toEqual([null, 'then'])
})

describe('the definition of a run', () => {
  test('is not that of the next run', () => {
    const job = ended()
    job.edit({ delayMs: 1 })
    job.edit({ delayMs: 2 })
    expect(ranWith(store, job.id)).toBe(JSON.stringify(parsed({})))
    jobs.act(job.id, 'start')
    expect(ranWith(store, job.id)).toBe(JSON.stringify(parsed({ delayMs: 2 })))
    job.edit({ delayMs: 3 })
    expect(definitionsSinceDescribed(store, job.id)).toMatchObject([{ run: 1 }, { run: 2, fromMs: null }])
  })
  test('includes changes during the run', () => {
    const job = running()
    job.edit({ delayMs: 1 })
    job.edit({ delayMs: 2 })
    const held = definitionsSinceDescribed(store, job.id).map(({ run, fromMs, definition }) => ({
      run,
      since: fromMs === null ? 'start' : 'then',
      delayMs: (JSON.parse(definition) as HarvestDefinition).delayMs,
    }))
    expect(held).toEqual([
      { run: 1, since: 'start', delayMs: undefined },
      { run: 1, since: 'then', delayMs: 1 },
      { run: 1, since: 'then', delayMs: 2 },
    ])
  })
  test('is that of an earlier run when it was not changed since', () => {
    const job = ended()
    store.statement<{ job: number }>(`INSERT INTO run_metadata (job_id, run, name) VALUES (@job, 1, 'x' || @job)`).run({ job: job.id }) // prettier-ignore
    jobs.act(job.id, 'start')
    expect(definitionsSinceDescribed(store, job.id)).toMatchObject([{ run: 1, definition: JSON.stringify(parsed({})) }])
  })
})

describe('new seeds during a run', () => {
  test('are to be added, and other changes are not', () => {
    const job = running()
    job.edit({ delayMs: 1 })
    expect(job.versions()).toEqual({ definition: 1, seeded: 1 })
    job.edit({ delayMs: 1, seeds: ['http://b.test/'] })
    expect(job.versions()).toEqual({ definition: 2, seeded: 1 })
    job.edit({ delayMs: 2, seeds: ['http://b.test/'] })
    expect(job.versions()).toEqual({ definition: 3, seeded: 1 })
  })
  test('are not lost when they arrive while the first ones are added to the queue', () => {
    const job = made()
    job.to('startupTaken')
    job.edit({ seeds: ['http://b.test/'] })
    job.seeded(0)
    expect(job.versions()).toEqual({ definition: 1, seeded: 0 })
    expect(job.seedingVersion()).toBeNull()
  })
})

/** Under random edits, kills, runs and ends: the next run checks everything exactly while a change of the scope has not been
 *  seeded from the start of a run, and then a minimal run is a complete one. */
test('a change forces a complete scan, also in a minimal run', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), at: fc.nat(changes.length - 1) }),
    fc.record({ kind: fc.constant('seeded' as const), isLate: fc.boolean() }),
    fc.record({
      kind: fc.constant('event' as const),
      event: fc.constantFrom(...jobStates.moves.map(({ event }) => event)),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const job = made()
      let isExpected = true
      let version = 0
      for (const one of steps) {
        const before = job.versions()?.definition ?? 0
        if (one.kind === 'edit') {
          const [change, fromBeginning] = changes[one.at] ?? [{}, false]
          const asked = { ...jobs.show(job.id).definition, ...change }
          try {
            const { changed } = definitions.edit(job.id, harvestDefinition.parse(asked))
            if (changed.length > 0 && fromBeginning) isExpected = true
          } catch (error) {
            expect(String(error)).toMatch(/cannot|does not allow/)
          }
        } else if (one.kind === 'seeded') {
          if (jobStates.next(job.state(), 'seeded') === undefined) continue
          // A change may come between the reading of the definition and its last step.
          if (one.isLate && before > version) {
            job.seeded(version)
            isExpected = true
          } else {
            job.seeded()
            isExpected = false
          }
        } else if (one.event !== 'seeded') {
          version = one.event === 'startupTaken' ? before : version
          job.to(one.event)
        }
        expect(job.seedingVersion() === null).toBe(isExpected)
        for (const model of connectorModels) {
          const setting = { model, isContinuous: false, fromBeginning: job.seedingVersion() === null }
          const asked = scanFor({ ...setting, isMinimal: true })
          if (isExpected) expect(asked).toBe(scanFor({ ...setting, isMinimal: false }))
          if (isExpected) expect(asked).not.toBe('none')
        }
      }
    }),
    runs,
  )
})
