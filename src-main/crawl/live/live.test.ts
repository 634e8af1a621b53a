/** Live control over a real database file: a change has the effect that its trial showed, counters match the documents, and
 *  budgets are never exceeded by concurrent requests. */
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { budgetsFrom } from '../../contract/services/budgetLines.ts'
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openFrontier } from '../frontier/frontier.ts'
import { openJobs } from '../jobs/jobs.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { claimsOf, page } from '../frontier/testing/frontierFixture.ts'
import { noCounts } from '../frontier/counts.ts'
import { openLiveControl, type LiveControl } from './control.ts'
import { doingOf } from './doing.ts'
import { openLiveRun } from './liveRun.ts'
import { sweptEveryMs } from './limits.ts'
import { readQueue } from './readQueue.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 60)
const world = seededWorld({ seed: 1 })
let folder: string
let store: Store
let live: LiveControl

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-live-'))
  store = openStore(join(folder, 'loupe.db'))
  live = openLiveControl(world, store, join(folder, 'loupe.db'))
})
afterAll(() => {
  live.close()
  store.close()
  rmSync(folder, { recursive: true })
})

/** A running job with these URLs in its queue. */
function jobWith(urls: readonly string[], robots: 'obey' | 'ignore' = 'ignore') {
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'], robots }))
  const claim = claimsOf(store, job)
  const frontier = openFrontier(store, job, robots)
  const sql = frontierStatements(store)
  store.transaction(() => {
    const { counts } = frontier.discover(
      urls.map((url) => page(url)),
      0,
    )
    sql.count.run({ job, ...counts })
  })
  return { job, claim, frontier }
}

const counters = (job: number) =>
  store
    .statement<{ job: number }, Record<'total' | 'fetched' | 'failed' | 'excluded', number>>(
      `SELECT documents_total AS total, documents_fetched AS fetched, documents_failed AS failed, documents_excluded AS excluded FROM job WHERE id = @job`,
    )
    .get({ job })
const counted = (job: number) =>
  store
    .statement<{ job: number }, Record<'total' | 'fetched' | 'failed' | 'excluded', number>>(
      `SELECT COUNT(*) AS total, COUNT(*) FILTER (WHERE outcome = 'fetched') AS fetched, COUNT(*) FILTER (WHERE outcome = 'failed') AS failed,
              COUNT(*) FILTER (WHERE outcome = 'excluded') AS excluded FROM document WHERE job_id = @job`,
    )
    .get({ job })
const waiting = (job: number) =>
  store
    .statement<{ job: number }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND state IN ('PENDING', 'PENDINGPURGATORY') ORDER BY id`,
    )
    .all({ job })
    .map(({ url }) => url)
const log = (job: number) =>
  openJobs(store, world)
    .log(job, 0, 100)
    .map(({ message }) => textOf(message))

describe('changes of a queue', () => {
  const urls = ['http://a.test/1', 'http://a.test/calendar/2026', 'http://b.test/calendar/2027', 'http://b.test/2']

  test('a reject rule excludes queued and newly found URLs, and its removal queues them again', async () => {
    const { job } = jobWith(urls)
    const tried = await world.run(live.reject({ job, pattern: '/calendar/', isTrial: true }))
    expect(tried).toEqual({ documents: 2, inProgress: 0, first: [urls[1], urls[2]] })
    expect(waiting(job)).toEqual(urls)
    expect(await world.run(live.reject({ job, pattern: '/calendar/', isTrial: false }))).toEqual(tried)
    expect(waiting(job)).toEqual([urls[0], urls[3]])
    expect(counters(job)).toEqual(counted(job))
    expect(log(job).at(-1)).toBe('URLs matching /calendar/ are now rejected. Removed from the queue: 2 URLs.')
    const run = openLiveRun({ store, world, job })
    const found = [page('http://c.test/calendar/1'), page('http://c.test/other')]
    const judged = run.judged(found)
    expect(judged.map(({ excluded }) => excluded)).toEqual([{ reason: 'rejected', detail: '/calendar/' }, undefined])
    expect(run.refusal({ id: 0, url: 'http://c.test/calendar/1', role: 'page' })).toMatchObject({ reason: 'rejected' })
    expect(run.refusal({ id: 0, url: 'http://calendar.test/calendar/robots.txt', role: 'robots' })).toBe(undefined)
    const [rule] = readQueue(store, { job, host: null, nowMs: 0 }).rules
    expect(rule).toMatchObject({ pattern: '/calendar/', rejected: 2, problem: null })
    expect(await world.run(live.unreject({ job, rule: rule?.rule ?? 0 }))).toEqual(tried)
    expect(waiting(job)).toEqual(urls)
    expect(counters(job)).toEqual(counted(job))
    // The run notices the removal without a restart.
    expect(run.judged(found)).toEqual(found)
  })

  test('documents that a continuous job excluded are restored in every state', async () => {
    const { job } = jobWith(urls)
    await world.run(live.reject({ job, pattern: '/calendar/', isTrial: false }))
    const set = (url: string | undefined, state: string) =>
      store
        .statement<{ job: number; url: string; state: string }>(
          `UPDATE document SET state = @state, due_ms = 9e12
           WHERE job_id = @job AND url = @url`,
        )
        .run({ job, url: url ?? '', state })
    for (const url of urls.slice(1, 3)) set(url, 'PENDINGPURGATORY')
    set(urls[2], 'ACTIVEPURGATORY')
    const [rule] = readQueue(store, { job, host: null, nowMs: 0 }).rules
    await world.run(live.unreject({ job, rule: rule?.rule ?? 0 }))
    expect(waiting(job)).toEqual([urls[0], urls[1], urls[3]])
    expect(counters(job)).toMatchObject({ excluded: 0 })
    expect(counters(job)).toEqual(counted(job))
  })

  test('restored documents of a host with unknown rules wait for its robots.txt', async () => {
    const { job } = jobWith([], 'obey')
    const sql = frontierStatements(store)
    const left = { reason: 'rejected', detail: '.' } as const
    // The robots.txt of b was also found as a page.
    const found = ['http://a.test/1', 'http://a.test/2', 'http://b.test/robots.txt', 'http://b.test/1']
    await world.run(live.reject({ job, pattern: '.', isTrial: false }))
    store.transaction(() => {
      const candidates = found.map((url) => page(url, { excluded: left }))
      sql.count.run({ job, ...openFrontier(store, job, 'obey').discover(candidates, 0).counts })
    })
    const [rule] = readQueue(store, { job, host: null, nowMs: 0 }).rules
    await world.run(live.unreject({ job, rule: rule?.rule ?? 0 }))
    const robots = store.statement<{ job: number }, { url: string; state: string }>(
      `SELECT url, state FROM document WHERE job_id = @job AND role = 'robots' ORDER BY url`,
    )
    expect(robots.all({ job })).toEqual(
      ['a', 'b'].map((host) => ({ url: `http://${host}.test/robots.txt`, state: 'PENDING' })),
    )
    expect(waiting(job)).toHaveLength(5)
    expect(counters(job)).toEqual(counted(job))
  })

  test('documents are deleted by host, by pattern or by both, and the deletion is logged', async () => {
    const { job } = jobWith(urls)
    const drop = (of: { pattern?: string; host?: string }) => world.run(live.drop({ job, of, isTrial: true }))
    expect((await drop({ host: 'b.test' })).documents).toBe(2)
    expect((await drop({ host: 'b.test', pattern: 'calendar' })).first).toEqual([urls[2]])
    expect((await world.run(live.drop({ job, of: { host: 'b.test' }, isTrial: false }))).documents).toBe(2)
    expect(waiting(job)).toEqual(urls.slice(0, 2))
    expect(log(job).at(-1)).toBe('Deleted from the queue: 2 URLs of b.test.')
  })

  test('documents moved to the front are handed out first, those moved to the end last', async () => {
    const { job, claim } = jobWith([1, 2, 3, 4, 5].map((number) => `http://a.test/${number}`))
    await world.run(live.lift({ job, of: { pattern: '/4$' }, to: 'first', isTrial: false }))
    await world.run(live.lift({ job, of: { pattern: '/1$' }, to: 'last', isTrial: false }))
    expect(claim().map(({ url }) => url.at(-1))).toEqual(
      ['2', '4', '3', '5', '1'].sort((a, b) => '42351'.indexOf(a) - '42351'.indexOf(b)),
    )
  })

  test('the priority of a job is changed and logged', () => {
    const { job } = jobWith(urls)
    live.priority({ job, priority: 1 })
    expect(readQueue(store, { job, host: null, nowMs: 0 })).toMatchObject({ priority: 1, waiting: 4, hostsTotal: 2 })
    expect(log(job).at(-1)).toMatch(/^Priority changed to 1 /)
  })

  test('a job that has ended has no queue', async () => {
    const { job } = jobWith(urls)
    store.statement<{ job: number }>(`UPDATE job SET state = 'ABORTING' WHERE id = @job`).run({ job })
    await expect(world.run(live.reject({ job, pattern: 'a', isTrial: true }))).rejects.toThrow(/has no queue because/)
    await expect(world.run(live.drop({ job: 4711, of: { host: 'a.test' }, isTrial: true }))).rejects.toThrow(
      /no job 4711/,
    )
  })

  test('a fault in the thread keeps its code, message and fields', async () => {
    const fault = (act: Promise<unknown>) =>
      world.run(act).then(
        () => undefined,
        (error: unknown) => error,
      )
    const absent = await fault(live.unreject({ job: 4711, rule: 1 }))
    expect(absent).toBeInstanceOf(Fault)
    expect(absent).toMatchObject({ code: 'notFound', userMessage: message('job.absent', { job: 4711 }) })
    const { job } = jobWith(urls)
    const budgets = ['a.test', 'not a domain'].map((domain) => ({ domain, objects: 1, bytes: null }))
    expect(await fault(live.budgets({ job, budgets, isTrial: true }))).toMatchObject({
      code: 'badInput',
      fields: [['budgets', 1, 'domain']],
    })
  })

  test('a change has the effect of its trial for any pattern', async () => {
    const path = fc.stringMatching(/^[ab]{1,4}$/)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 12 }),
        fc.stringMatching(/^[ab]{1,2}$/),
        async (paths, pattern) => {
          const { job } = jobWith(paths.map((each) => `http://a.test/${each}`))
          const given = { job, pattern: `/[ab]*${pattern}` }
          const tried = await world.run(live.reject({ ...given, isTrial: true }))
          const before = waiting(job)
          expect(await world.run(live.reject({ ...given, isTrial: false }))).toEqual(tried)
          expect(before.length - waiting(job).length).toBe(tried.documents)
          expect(counters(job)).toEqual(counted(job))
        },
      ),
      { numRuns: Math.min(numRuns, 60) },
    )
  })
})

describe('budgets', () => {
  test('budgets are parsed from pasted lines', () => {
    expect(budgetsFrom('Example.org 5 100\n\nb.test\t7\nc.test - 9')).toEqual([
      { domain: 'example.org', objects: 5, bytes: 100 },
      { domain: 'b.test', objects: 7, bytes: null },
      { domain: 'c.test', objects: null, bytes: 9 },
    ])
    expect(budgetsFrom('a.test 5 20MB')).toEqual([{ domain: 'a.test', objects: 5, bytes: 20_000_000 }])
    expect(() => budgetsFrom('a.test 5MB 20')).toThrow(/Line 1/)
    expect(() => budgetsFrom('a.test\n')).toThrow(/Line 1, "a.test"/)
    expect(() => budgetsFrom('a.test 1\nb.test many')).toThrow(/Line 2/)
  })

  test('a spent budget excludes queued documents, a raised one restores them, and a trial shows both', async () => {
    const { job } = jobWith(['http://www.a.test/1', 'http://img.a.test/2', 'http://b.test/1'])
    const given = (objects: number | null) => ({ job, budgets: [{ domain: 'www.a.test', objects, bytes: null }] })
    const effect = (budgets: ReturnType<typeof given>, isTrial: boolean) =>
      world.run(live.budgets({ ...budgets, isTrial }))
    expect(await effect(given(1), true)).toMatchObject([{ domain: 'a.test', waiting: 2, dropped: 0, over: 1 }])
    expect(await effect(given(0), true)).toMatchObject([{ waiting: 2, dropped: 2 }])
    expect(await effect(given(0), false)).toMatchObject([{ dropped: 2 }])
    expect(waiting(job)).toEqual(['http://b.test/1'])
    expect(counters(job)).toEqual(counted(job))
    expect(await effect(given(2), true)).toMatchObject([{ excluded: 2, restored: 2, over: 0 }])
    expect(await effect(given(2), false)).toMatchObject([{ restored: 2 }])
    expect(waiting(job)).toHaveLength(3)
    expect(counters(job)).toEqual(counted(job))
    expect(readQueue(store, { job, host: null, nowMs: 0 }).budgets).toMatchObject([
      { domain: 'a.test', objectsMax: 2, waiting: 2 },
    ])
    await effect(given(null), false)
    expect(readQueue(store, { job, host: null, nowMs: 0 }).budgets).toEqual([])
  })

  test('a budget is never exceeded and used up completely, in whatever order requests end', () => {
    const turns = fc.array(fc.record({ ends: fc.nat(5), fails: fc.boolean() }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(fc.nat(8), fc.integer({ min: 1, max: 6 }), turns, (objects, workers, chances) => {
        const { job } = jobWith(['http://a.test/'])
        store
          .statement<{ job: number; objects: number }>(
            `INSERT INTO domain_budget (job_id, domain, objects_max) VALUES (@job, 'a.test', @objects)`,
          )
          .run({ job, objects })
        const run = openLiveRun({ store, world, job })
        const underWay: (() => void)[] = []
        let fetched = 0
        for (const { ends, fails } of chances) {
          while (underWay.length < workers && run.hostStatus('http://a.test') === 'go')
            underWay.push(run.begin('http://a.test'))
          expect(fetched + underWay.length).toBeLessThanOrEqual(objects)
          const [end] = underWay.splice(ends % Math.max(1, underWay.length), 1)
          if (!end) continue
          if (!fails) fetched += 1
          run.note(1, 'http://a.test/', { ...noCounts, fetched: fails ? 0 : 1, failed: fails ? 1 : 0 })
          end()
        }
        expect(run.hostStatus('http://a.test') === 'refused').toBe(fetched >= objects)
      }),
      { numRuns: Math.min(numRuns, 100) },
    )
  })

  test('a budget that is set during requests counts these requests', async () => {
    const { job } = jobWith(['http://a.test/1', 'http://a.test/2'])
    const run = openLiveRun({ store, world, job })
    const end = run.begin('http://a.test')
    await world.run(live.budgets({ job, budgets: [{ domain: 'a.test', objects: 1, bytes: null }], isTrial: false }))
    run.judged([])
    expect(run.hostStatus('http://a.test')).toBe('wait')
    end()
    expect(run.hostStatus('http://a.test')).toBe('go')
  })

  test('documents of a spent domain are excluded in steps, and counted', () => {
    const { job } = jobWith(Array.from({ length: 50 }, (_, number) => `http://a.test/${number}`))
    store
      .statement<{ job: number }>(`INSERT INTO domain_budget (job_id, domain, objects_max) VALUES (@job, 'a.test', 1)`)
      .run({ job })
    const run = openLiveRun({ store, world, job })
    expect(run.sweep()).toBe(false)
    run.note(1, 'http://a.test/', { ...noCounts, fetched: 1 })
    while (run.sweep());
    expect(waiting(job)).toEqual([])
    expect(counters(job)).toEqual(counted(job))
  })

  test('several spent domains are scanned together, at most once per interval', async () => {
    const { job } = jobWith(['a', 'b', 'c', 'd'].map((name) => `http://${name}.test/`))
    for (const domain of ['a.test', 'b.test', 'c.test'])
      store
        .statement<{ job: number; domain: string }>(
          `INSERT INTO domain_budget (job_id, domain, objects_max) VALUES (@job, @domain, 1)`,
        )
        .run({ job, domain })
    const run = openLiveRun({ store, world, job })
    for (const name of ['a', 'b']) run.note(1, `http://${name}.test/`, { ...noCounts, fetched: 1 })
    while (run.sweep());
    expect(waiting(job)).toEqual(['http://c.test/', 'http://d.test/'])
    run.note(1, 'http://c.test/', { ...noCounts, fetched: 1 })
    expect(run.sweep()).toBe(false)
    await world.run(world.clock.sleep(sweptEveryMs))
    while (run.sweep());
    expect(waiting(job)).toEqual(['http://d.test/'])
    expect(counters(job)).toEqual(counted(job))
  })
})

describe('the explanation of what a job is doing', () => {
  const now = {
    reason: null,
    lack: null,
    schedule: null,
    windowEndMs: null,
    next: undefined,
    ...{ waiting: 40, inFlight: 0, resting: { hosts: 0, afterMs: Infinity }, dueAfterMs: Infinity },
    ...{ forLogin: 0, neverAsked: [] },
  }
  const rows: [string, Partial<Parameters<typeof doingOf>[0]> & { state: JobState }, string][] = [
    ['fetches', { state: 'ACTIVE', inFlight: 3 }, 'Fetching: 3 in progress, 40 queued.'],
    [
      'several hosts must not be contacted yet',
      { state: 'ACTIVE', resting: { hosts: 12, afterMs: 3_400 } },
      'Waiting 4 s before the next request to 12 hosts (politeness).',
    ],
    [
      'one host must not be contacted yet',
      { state: 'ACTIVESEEDING', resting: { hosts: 1, afterMs: 400_000 } },
      'Waiting 7 min before the next request (politeness).',
    ],
    [
      'all documents are due later',
      { state: 'ACTIVE', dueAfterMs: 60_000 },
      'All queued URLs are due later, next in 60 s.',
    ],
    ['it logs in', { state: 'ACTIVE', forLogin: 40 }, 'Logging in. Waiting for the login: 40 URLs.'],
    [
      'a rule of 0',
      { state: 'ACTIVE', neverAsked: [{ host: 'http://a.test', waiting: 40 }] },
      'A throttle rule blocks all requests to http://a.test (0 requests per minute), and nothing else is queued. Stop the job, or start a harvest with a different rule.',
    ],
    [
      'a rule of 0, and other hosts',
      { state: 'ACTIVE', neverAsked: [{ host: 'http://a.test', waiting: 39 }] },
      '40 queued. Preparing the next requests.',
    ],
    ['the queue is empty', { state: 'ACTIVE', waiting: 0 }, 'The queue is empty. The job is about to finish.'],
    [
      'a connector is missing',
      { state: 'ACTIVE_UNINSTALLED', lack: message('connector.unknown', { name: 'feed' }) },
      'This version of Loupe has no connector "feed". Update Loupe.',
    ],
    [
      'the disk is nearly full',
      { state: 'PAUSED', reason: message('text', { text: 'Only 3 MB are free.' }) },
      'Only 3 MB are free.',
    ],
    ['a user paused it', { state: 'PAUSED' }, 'Paused by a user.'],
  ]
  test.each(rows)('%s', (_, given, text) => expect(textOf(doingOf({ ...now, ...given }))).toBe(text))

  test.each(jobStates.states.map((state) => [state]))('%s is a sentence', (state) => {
    for (const lack of [null, message('connector.unknown', { name: 'feed' })])
      expect(textOf(doingOf({ ...now, state, lack }))).toMatch(/^[A-Z0-9].*[.]$/)
  })

  test('outside its window it names the next one', () => {
    const schedule = { startMethod: 'WINDOWBEGIN' as const, records: [] }
    const next = { beginMs: Date.UTC(2026, 10, 23, 2), endMs: null, minimal: false }
    expect(textOf(doingOf({ ...now, state: 'ACTIVEWAIT', schedule, next }))).toBe(
      'Outside its time window until Monday 2026-11-23 02:00 (UTC).',
    )
  })
})
