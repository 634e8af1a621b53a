import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reason } from '../../contract/states/outcomes.ts'
import { hotSql } from './frontier.sql.ts'
import type { DocumentToFetch } from '../model/document.ts'
import { openFrontier } from './frontier.ts'
import { settledStatements } from '../settle/settled.sql.ts'
import { frontierFixture, page } from './testing/frontierFixture.ts'

describe('the frequent statements use their index', () => {
  const { store } = frontierFixture()
  const names =
    'job payloadDigest key url host state outcome reason detail role hopPath hops via dueMs priority needsPriority jobPriority'
  const parameters = Object.fromEntries(names.split(' ').map((name) => [name, 1]))
  test.each<[keyof typeof hotSql, string[]]>([
    [
      'revive',
      [
        'SEARCH document USING INDEX sqlite_autoindex_document_1 (job_id=? AND url_key=?)',
        'SEARCH capture USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    ],
    ['payloadKnown', ['SEARCH document USING COVERING INDEX document_by_digest (job_id=? AND payload_digest=?)']],
    ['anyWaiting', ['SEARCH document USING COVERING INDEX document_waiting (job_id=?)']],
    // Claimed documents of all jobs: never many.
    ['releaseClaimed', ['SCAN document USING INDEX document_in_progress']],
  ])('%s', (name, plan) => {
    const explained = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${hotSql[name]}`).all(parameters)
    const steps = explained.map(({ detail }) => detail)
    expect(steps.filter((step) => /SEARCH|SCAN|B-TREE/.test(step))).toEqual(plan)
  })
})

describe('turns', () => {
  const urls = (documents: DocumentToFetch[]) => documents.map(({ url }) => url)

  test('a claim is exclusive: each document is claimed once and in order, by any number of workers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (limits) => {
        const { store, frontier, claim } = frontierFixture()
        const found = Array.from({ length: 60 }, (_, index) => `http://a.test/${index}`)
        frontier.discover(
          found.map((url) => page(url)),
          0,
        )
        const taken = limits.flatMap((limit) => urls(claim({ limit })))
        expect([...taken, ...urls(claim())]).toEqual(found)
        store.close()
      }),
      { numRuns: 20 },
    )
  })

  test('robots.txt first, then the documents nearest to a seed, then in order of discovery', () => {
    const { frontier, claim } = frontierFixture({ robots: 'obey' })
    const { counts } = frontier.discover(
      [
        page('http://a.test/far', { hops: 3 }),
        page('http://a.test/near'),
        page('http://a.test/seed', { hops: 0 }),
        page('http://a.test/also-near'),
      ],
      0,
    )
    expect(counts.total).toBe(5)
    expect(urls(claim())).toEqual(
      ['robots.txt', 'seed', 'near', 'also-near', 'far'].map((path) => `http://a.test/${path}`),
    )
  })

  test('robots.txt of another origin of a host comes before everything that waits there', () => {
    const { frontier, claim } = frontierFixture({ robots: 'obey' })
    frontier.discover(
      Array.from({ length: 9 }, (_, at) => page(`http://a.test/${at}`)),
      0,
    )
    frontier.discover([page('https://a.test/')], 0)
    expect(urls(claim({ limit: 2 })).sort()).toEqual(['http://a.test/robots.txt', 'https://a.test/robots.txt'])
  })

  test('hosts take turns, however many documents one has and however late another is found', () => {
    const { frontier, claim } = frontierFixture()
    frontier.discover(
      Array.from({ length: 9 }, (_, at) => page(`http://a.test/${at}`)),
      0,
    )
    frontier.discover([page('http://b.test/0'), page('http://b.test/1')], 0)
    const paths = urls(claim({ limit: 6 })).map((url) => url.slice(7))
    expect(paths.slice(0, 4).sort()).toEqual(['a.test/0', 'a.test/1', 'b.test/0', 'b.test/1'])
    expect(paths.slice(4)).toEqual(['a.test/2', 'a.test/3'])
  })

  test('a postponed document has no position until it is due', () => {
    const { store, frontier, claim, row } = frontierFixture()
    frontier.discover([page('http://a.test/1')], 0)
    const later = { dueMs: 500, attempts: 0, isFailing: 0, failMs: null, failCount: null }
    for (const { id } of claim()) settledStatements(store, 'settled').putBack.run({ ...later, id })
    expect(row('http://a.test/1')).toMatchObject({ state: 'PENDING', attempts: 1, priority: null })
    expect(claim({ nowMs: 499 })).toEqual([])
    expect(urls(claim({ nowMs: 500 }))).toEqual(['http://a.test/1'])
  })

  test('release returns claimed documents as if they had not been tried', () => {
    const { frontier, claim, row } = frontierFixture()
    frontier.discover([page('http://a.test/1'), page('http://a.test/2')], 0)
    claim({ limit: 1 })
    frontier.release()
    expect(row('http://a.test/1')).toMatchObject({ state: 'PENDING', attempts: 0, priority: null })
    expect(row('http://a.test/2')).toMatchObject({ state: 'PENDING', attempts: 0 })
  })

  test('a settled document has no position in the queue', () => {
    const { store, frontier, claim, row } = frontierFixture()
    frontier.discover(
      [page('http://a.test/1'), page('http://a.test/2', { excluded: { reason: 'robots', detail: '' } })],
      0,
    )
    const [{ id } = { id: 0 }] = claim()
    const ended = { outcome: 'failed', reason: 'reset', detail: '', fetchedMs: 1, durationMs: 1 } as const
    settledStatements(store, 'settled').unfetched.run({ id, ...ended, nextMs: 0, action: 'rescan' })
    for (const path of ['1', '2'])
      expect(row(`http://a.test/${path}`)).toMatchObject({ state: 'COMPLETE', priority: null })
  })
})

describe('discovered documents', () => {
  const refused = (reason: Reason) => page('http://a.test/x', { excluded: { reason, detail: 'because' } })

  test('each URL is added once, however often it is discovered', () => {
    const { store, job, frontier } = frontierFixture()
    const found = [page('http://a.test/1'), page('http://b.test/1'), page('http://a.test/1', { hops: 7 })]
    expect(frontier.discover(found, 0)).toMatchObject({ counts: { total: 2 }, hasNews: true })
    expect(frontier.discover(found, 0)).toMatchObject({ counts: { total: 0 }, hasNews: false })
    // A new frontier without a cache gets the same result from the database.
    expect(openFrontier(store, job, 'ignore').discover(found, 0)).toMatchObject({
      ...{ counts: { total: 0 }, hasNews: false },
    })
  })

  test.each<[Reason, 'PENDING' | 'COMPLETE']>([
    ['outOfScope', 'PENDING'],
    ['notIncluded', 'PENDING'],
    // These say something of the address itself, not of the place where it was found.
    ['excludedByPattern', 'COMPLETE'],
    ['robots', 'COMPLETE'],
  ])('refused with %s and found again at a better place: %s', (reason, state) => {
    const { frontier, row } = frontierFixture()
    expect(frontier.discover([refused(reason)], 0).counts).toMatchObject({ total: 1, excluded: 1 })
    expect(row('http://a.test/x')).toMatchObject({ state: 'COMPLETE', outcome: 'excluded', reason })
    const again = frontier.discover([page('http://a.test/x', { hops: 2 })], 0)
    const isRevived = state === 'PENDING'
    expect(again.counts).toMatchObject({ total: 0, excluded: isRevived ? -1 : 0 })
    expect(again.hasNews).toBe(isRevived)
    expect(row('http://a.test/x')).toMatchObject(
      isRevived ? { state, outcome: null, reason: null, hops: 2 } : { state, reason },
    )
  })

  test('a document beyond the limits is remembered, and queued when a shorter path is found', () => {
    const { frontier, row } = frontierFixture()
    frontier.discover([refused('tooManyHops')], 0)
    const before = row('http://a.test/x')
    expect(before).toMatchObject({ state: 'HOPCOUNTREMOVED', outcome: 'excluded', reason: 'tooManyHops' })
    const nearer = { id: before?.id ?? 0, url: 'http://a.test/x', via: null, hopPath: 'L', hops: 1 }
    expect(frontier.reach([nearer], 0)).toMatchObject({ hasNews: true })
    expect(row('http://a.test/x')).toMatchObject({ state: 'PENDING', outcome: null, reason: null, hops: 1 })
  })

  test('a wanted document is not rejected because of a worse path', () => {
    const { frontier, row } = frontierFixture()
    frontier.discover([page('http://a.test/x')], 0)
    expect(frontier.discover([refused('tooManyHops')], 0).counts).toMatchObject({ total: 0, excluded: 0 })
    expect(row('http://a.test/x')).toMatchObject({ state: 'PENDING' })
  })

  test('only wanted documents are known as such, until they are forgotten', () => {
    const { frontier } = frontierFixture()
    frontier.discover([page('http://a.test/1'), refused('outOfScope')], 0)
    const known = () => ['http://a.test/1', 'http://a.test/x', 'http://a.test/2'].map((url) => frontier.isWanted(url))
    expect(known()).toEqual([true, false, false])
    frontier.forget()
    expect(known()).toEqual([false, false, false])
  })
})
