import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reason } from '../contract/outcomes.ts'
import { hotSql, type HostRow } from './frontier.sql.ts'
import { openFrontier, type Frontier } from './frontier.ts'
import { settledStatements } from './recrawl/settled.sql.ts'
import { madeFrontier, page } from './madeFrontier.ts'

const anyTime = Number.MAX_SAFE_INTEGER

/** The addresses that a host gives, in its order. */
function claimed(
  frontier: Frontier,
  host: HostRow | undefined,
  turn: { limit?: number; nowMs?: number } = {},
): string[] {
  if (!host) throw new Error('the host has nothing waiting')
  return frontier.claim({ host: host.id, limit: 100, nowMs: anyTime, onlyRobots: false, ...turn }).map(({ url }) => url)
}

describe('the hot statements use their index', () => {
  const { store } = madeFrontier()
  const names =
    'host nowMs limit hopsBelow job payloadDigest key url state outcome reason detail role hopPath hops via dueMs'
  const parameters = Object.fromEntries(names.split(' ').map((name) => [name, 1]))
  test.each<[keyof typeof hotSql, string[]]>([
    [
      'claim',
      [
        // Found by their ids, which come from the index in its own order: nothing is sorted, however long the queue is.
        'SEARCH document USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH document USING INDEX document_by_turn (host_id=? AND hops<?)',
        // What it waits for, if anything: two small tables, mostly empty.
        'SEARCH prerequisite USING PRIMARY KEY (document_id=?)',
        'SEARCH live_event USING PRIMARY KEY (job_id=? AND name=?)',
        'SEARCH via USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    ],
    ['nextDue', ['SEARCH document USING INDEX document_by_turn (host_id=? AND hops<?)']],
    ['revive', ['SEARCH document USING INDEX sqlite_autoindex_document_1 (job_id=? AND url_key=?)']],
    ['payloadKnown', ['SEARCH document USING COVERING INDEX document_by_digest (job_id=? AND payload_digest=?)']],
  ])('%s', (name, plan) => {
    const explained = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${hotSql[name]}`).all(parameters)
    const steps = explained.map(({ detail }) => detail)
    expect(steps.filter((step) => /SEARCH|SCAN|B-TREE/.test(step))).toEqual(plan)
  })
})

describe('turns', () => {
  test('a claim is exclusive: two frontiers of one job share every document out between them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 9 })), { minLength: 1 }), (claims) => {
        const { store, job, frontier } = madeFrontier()
        const other = openFrontier(store, job, 'ignore')
        const urls = Array.from({ length: 60 }, (_, index) => `http://a.test/${index}`)
        const { hosts } = frontier.discover(
          urls.map((url) => page(url)),
          0,
        )
        const taken = claims.flatMap(([first, limit]) => claimed(first ? frontier : other, hosts[0], { limit }))
        const rest = claimed(other, hosts[0])
        expect([...taken, ...rest]).toEqual(urls)
        store.close()
      }),
      { numRuns: 20 },
    )
  })

  test('robots.txt first, then what is nearest to a seed, then what was found first', () => {
    const { frontier } = madeFrontier({ robots: 'obey' })
    const { counts, hosts } = frontier.discover(
      [
        page('http://a.test/far', { hops: 3 }),
        page('http://a.test/near'),
        page('http://a.test/seed', { hops: 0 }),
        page('http://a.test/also-near'),
      ],
      0,
    )
    expect(counts.total).toBe(5)
    expect(claimed(frontier, hosts[0])).toEqual(
      ['robots.txt', 'seed', 'near', 'also-near', 'far'].map((path) => `http://a.test/${path}`),
    )
  })

  test('until the rules are known a host gives its robots.txt and nothing else', () => {
    const { frontier } = madeFrontier({ robots: 'obey' })
    const [host] = frontier.discover([page('http://a.test/')], 0).hosts
    const turn = { host: host?.id ?? 0, limit: 10, nowMs: anyTime, onlyRobots: true }
    expect(frontier.claim(turn).map(({ url, role }) => [url, role])).toEqual([['http://a.test/robots.txt', 'robots']])
    expect(frontier.claim(turn)).toEqual([])
    expect(frontier.nextDueMs(turn.host, true)).toBeUndefined()
    expect(frontier.nextDueMs(turn.host, false)).toBe(0)
  })

  test('what was postponed waits for its time, and says when that is', () => {
    const { store, frontier, row } = madeFrontier()
    const later = { attempts: 0, failMs: null, failCount: null }
    const [host] = frontier.discover([page('http://a.test/1'), page('http://a.test/2')], 0).hosts
    for (const { id, url } of frontier.claim({ host: host?.id ?? 0, limit: 2, nowMs: 0, onlyRobots: false })) {
      settledStatements(store, 'settled').putBack.run({ ...later, id, dueMs: url.endsWith('1') ? 500 : 300 })
    }
    expect(claimed(frontier, host, { nowMs: 299 })).toEqual([])
    expect(frontier.nextDueMs(host?.id ?? 0, false)).toBe(300)
    expect(claimed(frontier, host, { nowMs: 300 })).toEqual(['http://a.test/2'])
    expect(claimed(frontier, host, { nowMs: 500 })).toEqual(['http://a.test/1'])
    expect(row('http://a.test/1')?.attempts).toBe(2)
  })

  test('release puts back what was claimed and not settled, as if it had not been tried', () => {
    const { frontier, row } = madeFrontier()
    const [host] = frontier.discover([page('http://a.test/1'), page('http://a.test/2')], 0).hosts
    const once = claimed(frontier, host, { limit: 1 })
    frontier.release()
    expect(row(once[0] ?? '')).toMatchObject({ state: 'PENDING', attempts: 0 })
    expect(claimed(frontier, host)).toEqual(['http://a.test/1', 'http://a.test/2'])
  })
})

describe('what is found', () => {
  const refused = (reason: Reason) => page('http://a.test/x', { excluded: { reason, detail: 'because' } })

  test('each address once, whoever finds it how often', () => {
    const { store, job, frontier } = madeFrontier()
    const found = [page('http://a.test/1'), page('http://b.test/1'), page('http://a.test/1', { hops: 7 })]
    expect(frontier.discover(found, 0)).toMatchObject({
      counts: { total: 2 },
      hosts: [{ origin: 'http://a.test' }, { origin: 'http://b.test' }],
    })
    expect(frontier.discover(found, 0)).toMatchObject({ counts: { total: 0 }, hosts: [] })
    // One that remembers nothing comes to the same, by the database.
    expect(openFrontier(store, job, 'ignore').discover(found, 0)).toMatchObject({ counts: { total: 0 }, hosts: [] })
  })

  test.each<[Reason, 'PENDING' | 'COMPLETE']>([
    ['outOfScope', 'PENDING'],
    ['notIncluded', 'PENDING'],
    // These say something of the address itself, not of the place where it was found.
    ['excludedByPattern', 'COMPLETE'],
    ['robots', 'COMPLETE'],
  ])('refused with %s and found again at a better place: %s', (reason, state) => {
    const { frontier, row } = madeFrontier()
    expect(frontier.discover([refused(reason)], 0).counts).toMatchObject({ total: 1, excluded: 1 })
    expect(row('http://a.test/x')).toMatchObject({ state: 'COMPLETE', outcome: 'excluded', reason })
    const again = frontier.discover([page('http://a.test/x', { hops: 2 })], 0)
    const isRevived = state === 'PENDING'
    expect(again.counts).toMatchObject({ total: 0, excluded: isRevived ? -1 : 0 })
    expect(again.hosts).toHaveLength(isRevived ? 1 : 0)
    expect(row('http://a.test/x')).toMatchObject(
      isRevived ? { state, outcome: null, reason: null, hops: 2 } : { state, reason },
    )
  })

  test('what is too far is kept in mind, and waits for its turn when it is nearer', () => {
    const { frontier, row } = madeFrontier()
    frontier.discover([refused('tooManyHops')], 0)
    const before = row('http://a.test/x')
    expect(before).toMatchObject({ state: 'HOPCOUNTREMOVED', outcome: 'excluded', reason: 'tooManyHops' })
    const nearer = { id: before?.id ?? 0, url: 'http://a.test/x', via: null, hopPath: 'L', hops: 1 }
    expect(frontier.reach([nearer], 0)).toMatchObject({ hosts: [{ origin: 'http://a.test' }] })
    expect(row('http://a.test/x')).toMatchObject({ state: 'PENDING', outcome: null, reason: null, hops: 1 })
  })

  test('what is wanted is not refused by a worse place', () => {
    const { frontier, row } = madeFrontier()
    frontier.discover([page('http://a.test/x')], 0)
    expect(frontier.discover([refused('tooManyHops')], 0).counts).toMatchObject({ total: 0, excluded: 0 })
    expect(row('http://a.test/x')).toMatchObject({ state: 'PENDING' })
  })

  test('only what was wanted is known to be wanted, until it is forgotten', () => {
    const { frontier } = madeFrontier()
    frontier.discover([page('http://a.test/1'), refused('outOfScope')], 0)
    const known = () => ['http://a.test/1', 'http://a.test/x', 'http://a.test/2'].map((url) => frontier.isWanted(url))
    expect(known()).toEqual([true, false, false])
    frontier.forget()
    expect(known()).toEqual([false, false, false])
  })
})
