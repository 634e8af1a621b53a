import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { limitsBy } from '../../contract/shapes/throttle.ts'
import { openFrontier } from './frontier.ts'
import { openLiveActions } from '../live/actions.ts'
import { openJobs } from '../jobs/jobs.ts'
import { claimsOf, frontierFixture, slotFixture, page, type FrontierFixture } from './testing/frontierFixture.ts'
import { openPrerequisites } from './prerequisites.ts'
import { openQueue, type Queue } from './queue.ts'
import { placesOf } from './slotTerms.ts'
import { queueSql } from './queue.sql.ts'
import type { ReadyDocument } from './readyDocuments.ts'
import type { JobSlot } from './servers.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

describe('the statements of the queue use their index and do not sort', () => {
  const { store } = frontierFixture()
  const names = 'jobPriority nowMs limit ids dueMs job host id priority after afterId until last known'
  const parameters = Object.fromEntries(names.split(' ').map((name) => [name, 1]))
  const eligible = [
    'SEARCH document USING INDEX document_by_priority (job_priority=? AND priority>? AND priority<?)',
    'SEARCH job EXISTS USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH other USING INDEX document_in_progress (url_key=?)',
    'SEARCH prerequisite USING PRIMARY KEY (document_id=?)',
    'SEARCH live_event USING PRIMARY KEY (job_id=? AND name=?)',
  ]
  test.each<[keyof typeof queueSql, string[]]>([
    ['front', eligible],
    ['frontPriority', eligible],
    [
      'claim',
      ['SEARCH document USING INTEGER PRIMARY KEY (rowid=?)', 'SEARCH via USING INTEGER PRIMARY KEY (rowid=?)'],
    ],
    ['putBack', ['SEARCH document USING INTEGER PRIMARY KEY (rowid=?)']],
    ['needy', ['SEARCH document USING INDEX document_needing_priority (job_id=? AND due_ms<?)']],
    ['waitingHosts', ['SEARCH document USING INDEX document_waiting (job_id=? AND id>?)']],
    ['last', ['SEARCH document USING INDEX document_by_priority (job_priority=? AND priority>?)']],
    ['placed', ['SEARCH document USING INDEX document_by_priority (job_priority=? AND priority>? AND priority<?)']],
    ['displace', ['SEARCH document USING INDEX document_by_job (job_id=? AND rowid>? AND rowid<?)']],
  ])('%s', (name, plan) => {
    const explained = store
      .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${queueSql[name]}`)
      .all(parameters)
    const steps = explained.map(({ detail }) => detail).filter((step) => /SEARCH|SCAN document|B-TREE/.test(step))
    expect(steps.map((step) => step.replace(/ COVERING/, '')).sort()).toEqual([...plan].sort())
  })
})

interface Trial extends FrontierFixture {
  queue: Queue
  slot: JobSlot
  given: ReadyDocument[]
  /** Documents with this many pages, of hosts a, b … */
  found(hosts: string, pages: number): void
  /** Everything that goes without time passing. */
  turn(): string[]
}

function trial(more: Partial<JobSlot> = {}): Trial {
  const made = frontierFixture()
  const queue = openQueue(made.store, made.world, () => undefined)
  const slot = slotFixture(made.job, more)
  const given: ReadyDocument[] = []
  const frontier = openFrontier(made.store, made.job, 'ignore', { ...placesOf(slot), jobPriority: () => slot.priority })
  queue.join(slot, (ready) => given.push(ready))
  return {
    ...made,
    ...{ queue, slot, given },
    found(hosts, pages) {
      const urls = Array.from({ length: pages }, (_, at) =>
        [...hosts].map((host) => `http://${host}.test/${at}`),
      ).flat()
      frontier.discover(urls.map((url) => page(url)), made.world.clock.now()) // prettier-ignore
      queue.news()
    },
    turn() {
      queue.place()
      queue.refill()
      queue.feed()
      return given.splice(0).map((ready) => {
        queue.ended(ready.turn, { endedMs: made.world.clock.elapsed(), tookMs: 0 })
        return ready.document.url.slice(7)
      })
    },
  }
}

const wait = ({ world }: Trial, durationMs: number) => world.run(world.clock.sleep(durationMs))

describe('a refill', () => {
  test('takes from all hosts in turn, and hands out each document once', () => {
    const made = trial({ connectionsPerHost: 100, workers: 100 })
    made.found('abc', 5)
    expect(made.turn().slice(0, 6).sort()).toEqual([
      'a.test/0',
      'a.test/1',
      'b.test/0',
      'b.test/1',
      'c.test/0',
      'c.test/1',
    ])
    expect(made.turn()).toEqual([])
  })

  test('takes documents of a job with priority 1 first, even if others were found earlier', () => {
    const made = trial({ connectionsPerHost: 100, workers: 1 })
    made.found('a', 30)
    const other = openJobs(made.store, made.world).create(harvestDefinition.parse({ seeds: ['http://b.test/'] }))
    claimsOf(made.store, other)
    made.store.statement<{ other: number }>(`UPDATE job SET priority = 1 WHERE id = @other`).run({ other })
    const urgent = slotFixture(other, { connectionsPerHost: 100, workers: 1, priority: 1 })
    const places = { ...placesOf(urgent), jobPriority: () => 1 }
    openFrontier(made.store, other, 'ignore', places).discover([page('http://b.test/0'), page('http://b.test/1')], 0)
    made.queue.join(urgent, (ready) => made.given.push(ready))
    // Four are stuffed, and only two of them can be of the urgent one.
    expect(made.turn().sort()).toEqual(['a.test/0', 'a.test/1', 'b.test/0', 'b.test/1'])
  })

  test('does not take a URL that is in the buffer for another job', () => {
    const made = trial({ connectionsPerHost: 100, workers: 100 })
    made.found('a', 1)
    const other = openJobs(made.store, made.world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
    claimsOf(made.store, other)
    const second = slotFixture(other, { connectionsPerHost: 100, workers: 100 })
    openFrontier(made.store, other, 'ignore').discover([page('http://a.test/0')], 0)
    made.queue.join(second, (ready) => made.given.push(ready))
    expect(made.turn()).toHaveLength(1)
    made.queue.news()
    expect(made.turn()).toEqual([])
  })

  test('takes nothing of a job that has left, and its ready documents wait without a position', () => {
    const made = trial()
    made.found('a', 3)
    made.queue.refill()
    made.queue.leave(made.job)
    expect(made.turn()).toEqual([])
    for (const at of [0, 1, 2])
      expect(made.row(`http://a.test/${at}`)).toMatchObject({ state: 'PENDING', attempts: 0, priority: null })
  })

  test('documents that block those of another host move after them', async () => {
    const made = trial({ delayMs: 5000, workers: 4 })
    made.found('a', 200)
    made.found('b', 1)
    const seen: string[] = []
    for (let at = 0; at < 40 && !seen.includes('b.test/0'); at += 1) {
      seen.push(...made.turn())
      await wait(made, 300)
    }
    expect(seen).toContain('b.test/0')
    expect(seen.filter((url) => url.startsWith('a')).length).toBeLessThan(4)
  })

  test('if every waiting document is blocked, the queue does not change until time has passed', async () => {
    const made = trial({ delayMs: 1_000, workers: 1 })
    made.found('ab', 30)
    // All documents of b wait for a login.
    const prerequisites = openPrerequisites(made.store, made.job)
    const waiting = made.store.statement<object, { id: number }>(`SELECT id FROM document WHERE url LIKE 'http://b%'`)
    for (const { id } of waiting.all({})) prerequisites.waitFor(id, ['login'])
    prerequisites.begin('login')
    const places = () => made.store.statement<object, object>('SELECT id, priority FROM document ORDER BY id').all({})
    made.queue.place()
    expect(made.turn()).toEqual(['a.test/0'])
    // One turn per alarm: each pass of `place` causes another refill.
    for (let round = 0; round < 60; round += 1) made.turn()
    const still = places()
    for (let round = 0; round < 5; round += 1) made.turn()
    expect(places()).toEqual(still)
    prerequisites.complete('login')
    await wait(made, 300)
    expect(made.turn()).toEqual(['b.test/0'])
  })

  test('documents of a single host keep their order, however long its delay is', async () => {
    const made = trial({ delayMs: 1000, workers: 4 })
    made.found('a', 60)
    const seen: string[] = []
    for (let at = 0; at < 60; at += 1) {
      seen.push(...made.turn())
      await wait(made, 300)
    }
    expect(seen).toEqual(seen.map((_, at) => `a.test/${at}`))
    expect(seen.length).toBeGreaterThan(10)
  })

  test('documents of a bin with a rate of 0 stay in the queue', () => {
    const made = trial({ workers: 9, limitsOf: limitsBy([{ match: '^b', fetchesPerMinute: 0 }]) })
    made.found('ab', 1)
    expect(made.turn()).toEqual(['a.test/0'])
    expect(made.row('http://b.test/0')).toMatchObject({ state: 'PENDING', priority: Infinity })
  })

  test('takes no document of a host until the pause that it demanded is over', async () => {
    const made = trial()
    made.found('a', 3)
    made.queue.refill()
    made.queue.feed()
    const [ready] = made.given.splice(0)
    if (!ready) throw new Error('something was given')
    made.queue.ended(ready.turn, { endedMs: made.world.clock.elapsed(), tookMs: 0 })
    made.queue.rest(ready.turn, 60_000)
    expect(made.turn()).toEqual([])
    expect(made.row('http://a.test/1')).toMatchObject({ state: 'PENDING', priority: null })
    await wait(made, 59_000)
    expect(made.turn()).toEqual([])
    await wait(made, 1_500)
    made.queue.place()
    expect(made.turn()).toHaveLength(1)
  })
})

describe('positions', () => {
  test('are assigned again to all documents after a stop, from the beginning and in the same order', async () => {
    const made = trial({ workers: 1 })
    made.found('ab', 30)
    const stopped = openJobs(made.store, made.world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
    claimsOf(made.store, stopped)
    openFrontier(made.store, stopped, 'ignore').discover([page('http://a.test/z')], 0)
    const before = made.row('http://a.test/9')?.priority
    await made.world.run(made.queue.displace(stopped, new AbortController().signal))
    expect(made.row('http://a.test/z')).toMatchObject({ state: 'PENDING', priority: null })
    made.found('a', 31)
    made.queue.place()
    const after = (at: number) => made.row(`http://a.test/${at}`)?.priority ?? NaN
    expect(after(9)).toBe(before)
    for (let at = 1; at < 30; at += 1) expect(after(at)).toBeGreaterThan(after(at - 1))
  })

  test('that a kill left to a job at rest are removed while other jobs are worked on', () => {
    const made = trial({ workers: 1 })
    made.found('a', 3)
    const paused = openJobs(made.store, made.world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
    claimsOf(made.store, paused)
    openFrontier(made.store, paused, 'ignore').discover([page('http://a.test/z')], 0)
    made.queue.displaceLater(paused)
    for (let at = 0; at < 3; at += 1) made.queue.place()
    expect(made.row('http://a.test/z')).toMatchObject({ state: 'PENDING', priority: null })
    expect(made.row('http://a.test/1')?.priority).not.toBeNull()
  })

  test('of a job whose priority changes are among those of the new priority', () => {
    const made = trial({ workers: 1 })
    made.found('a', 5)
    made.store.statement<object>(`UPDATE job SET priority = 2`).run({})
    for (let at = 0; at < 4; at += 1) made.queue.place()
    const rows = made.store
      .statement<object, { jobPriority: number }>(
        `SELECT DISTINCT job_priority AS jobPriority FROM document WHERE state = 'PENDING' AND priority IS NOT NULL`,
      )
      .all({})
    expect(rows).toEqual([{ jobPriority: 2 }])
    expect(made.slot.priority).toBe(2)
  })

  test('follow a priority that was changed before startup, for seeds and for documents that had a position', () => {
    const made = trial({ workers: 1 })
    made.queue.leave(made.job)
    const { store, world, job } = made
    const found = (url: string) => openFrontier(store, job, 'ignore').discover([page(url)], 0)
    found('http://a.test/0')
    openLiveActions(store, world).priority({ job, priority: 2 })
    found('http://b.test/0')
    made.queue.join(slotFixture(job, { priority: 2, connectionsPerHost: 9 }), (ready) => made.given.push(ready))
    const given = [...made.turn(), ...made.turn(), ...made.turn()]
    expect(given.sort()).toEqual(['a.test/0', 'b.test/0'])
    // A seed that a continuous job takes up while it runs.
    found('http://c.test/0')
    made.queue.news()
    expect(made.turn()).toEqual(['c.test/0'])
  })

  test('the depth of the queue never decreases', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ab', 'c'), fc.nat(6)), { maxLength: 12 }), (steps) => {
        const made = trial({ connectionsPerHost: 3, workers: 5 })
        const depth = made.store.statement<object, { depth: number }>(`SELECT depth_min AS depth FROM queue_depth`)
        let last = 0
        for (const [hosts, pages] of steps) {
          made.found(hosts, pages)
          made.turn()
          const now = depth.get({})?.depth ?? NaN
          expect(now).toBeGreaterThanOrEqual(last)
          last = now
        }
        made.store.close()
      }),
      { numRuns: Math.min(numRuns, 15) },
    )
  })
})
