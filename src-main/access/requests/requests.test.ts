import { describe, expect, test } from 'vitest'
import type { Fault } from '../../contract/calls/faults.ts'
import { authorityConnectionInput, type AuthorityConnectionRow } from '../../contract/services/authorities.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Answer, MappedUser } from '../model/answer.ts'
import { openRequests } from './requests.ts'

const ok = (...tokens: string[]): Answer => ({ status: 'OK', tokens })
const authority = (name: string, more: object = {}) =>
  authorityConnectionInput.parse({ kind: 'authority', name, connector: 'c', group: 'g', ...more })
const mapping = (name: string, more: object = {}) =>
  authorityConnectionInput.parse({ kind: 'mapping', name, connector: 'c', ...more })

/** How a connection behaves: it answers after a time, or never. */
interface Behaviour<Result> {
  afterMs?: number
  result: Result | ((user: string) => Result) | Error
}

interface Given {
  rows: readonly AuthorityConnectionRow[]
  authorities?: Record<string, Behaviour<Answer>>
  mappings?: Record<string, Behaviour<MappedUser>>
  uninstalled?: string
  workers?: number
}

function opened({ rows, authorities = {}, mappings = {}, uninstalled, workers = 10 }: Given) {
  const world = seededWorld({ seed: 1 })
  /** Calls of connectors, as `name user`. */
  const calls: string[] = []
  const aborted: string[] = []
  const bugs: unknown[] = []
  /** Rows with which authorities were opened. */
  const openedWith: AuthorityConnectionRow[] = []
  const current = { rows, atOnce: 0, atOnceMax: 0 }
  const connection = <Result>(
    name: string,
    behaviour: Behaviour<Result> | undefined,
    usual: (user: string) => Result,
  ) => ({
    async ask(user: string, signal: AbortSignal): Promise<Result> {
      calls.push(`${name} ${user}`)
      current.atOnce += 1
      current.atOnceMax = Math.max(current.atOnceMax, current.atOnce)
      try {
        await world.clock.sleep(behaviour?.afterMs ?? 1, signal)
      } catch (error) {
        aborted.push(name)
        throw error
      } finally {
        current.atOnce -= 1
      }
      const result = behaviour?.result ?? usual
      if (result instanceof Error) throw result
      return typeof result === 'function' ? (result as (user: string) => Result)(user) : result
    },
    check: async () => undefined,
  })
  const requests = openRequests({
    clock: world.clock,
    settings: () => ({ workers, mappingWorkers: workers }),
    rows: () => current.rows,
    isInstalled: ({ name }) => name !== uninstalled,
    authorityOf(row) {
      openedWith.push(row)
      return connection(row.name, authorities[row.name], (user) => ok(`${row.name} ${user}`))
    },
    mappingOf: ({ name }) => connection<MappedUser>(name, mappings[name], (user) => ({ user: `${user}.${name}` })),
    onBug: (error) => bugs.push(error),
  })
  const ask = (user = 'anna', domain = '') => requests.ask({ users: [{ user, domain }] })
  const elapsedOf = async <T>(asking: Promise<T>): Promise<[T, number]> => {
    const fromMs = world.clock.elapsed()
    const answer = await world.run(asking)
    return [answer, world.clock.elapsed() - fromMs]
  }
  return { world, requests, ask, elapsedOf, calls, aborted, bugs, current, opened: openedWith }
}

const named = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => authority(`a${index}`, more))
const allAfter = (rows: readonly AuthorityConnectionRow[], afterMs: number) =>
  Object.fromEntries(rows.map(({ name }) => [name, { afterMs, result: ok(name) }]))

describe('time', () => {
  test('ten authorities of 200 ms are asked at the same time', async () => {
    const rows = named(10)
    const { ask, elapsedOf } = opened({ rows, authorities: allAfter(rows, 200) })
    const [access, ms] = await elapsedOf(ask())
    expect(access.tokens).toHaveLength(10)
    expect(ms).toBeGreaterThanOrEqual(200)
    expect(ms).toBeLessThan(400)
  })

  test('an authority of 30 s delays no request of another domain, however many wait for it', async () => {
    const rows = [authority('slow', { domain: 'far', answerSecondsMax: 60 }), ...named(5)]
    const authorities = { ...allAfter(rows, 200), slow: { afterMs: 30_000, result: ok('s') } }
    const { ask, elapsedOf, world } = opened({ rows, authorities })
    const waiting = Promise.all(Array.from({ length: 50 }, (_, index) => ask(`u${index}`, 'far')))
    const [access, ms] = await elapsedOf(ask('anna'))
    expect(access.tokens).toHaveLength(5)
    expect(ms).toBeLessThan(400)
    expect(await world.run(waiting)).toHaveLength(50)
  })

  test('an authority that does not answer in time is unreachable, and is told to stop', async () => {
    const rows = [authority('slow', { answerSecondsMax: 2 }), authority('quick')]
    const { ask, elapsedOf, aborted, bugs } = opened({
      rows,
      authorities: { slow: { afterMs: 30_000, result: ok('s') } },
    })
    const [access, ms] = await elapsedOf(ask())
    expect(ms).toBeGreaterThanOrEqual(2_000)
    expect(ms).toBeLessThan(2_100)
    expect(access.tokens).toEqual(['g:DEAD_AUTHORITY', 'g:quick+anna'])
    expect(access.answers[0]).toMatchObject({ status: 'UNREACHABLE', user: 'anna' })
    expect(access.answers[0]?.problem && textOf(access.answers[0].problem)).toContain('no answer within 2 seconds')
    expect([aborted, bugs]).toEqual([['slow'], []])
  })

  test('a connection is asked as often at once as it may be, and never by more than half of the workers', async () => {
    for (const [connectionsMax, most] of [
      [3, 3],
      [10, 5],
    ] as const) {
      const { ask, current, world } = opened({ rows: [authority('a', { connectionsMax })] })
      await world.run(Promise.all(Array.from({ length: 40 }, (_, index) => ask(`u${index}`))))
      expect(current.atOnceMax).toBe(most)
    }
  })

  test('more questions than the queue holds are refused', async () => {
    const { ask, world } = opened({ rows: [authority('a')] })
    const asked = await world.run(Promise.allSettled(Array.from({ length: 10_010 }, (_, index) => ask(`u${index}`))))
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as Fault] : []))
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ code: 'unreachable' })
  })
})

describe('one request', () => {
  test('asks the authorities of the domains that were given, each about the user of its domain', async () => {
    const rows = [
      authority('here'),
      authority('there', { domain: 'Web', group: 'h' }),
      authority('elsewhere', { domain: 'x' }),
    ]
    const { requests, world } = opened({ rows })
    const users = [
      { user: 'anna', domain: '' },
      { user: 'ann', domain: 'WEB' },
    ]
    expect((await world.run(requests.ask({ users }))).tokens).toEqual(['g:here+anna', 'h:there+ann'])
    expect((await world.run(requests.ask({ users: [{ user: 'anna', domain: 'unknown' }] }))).tokens).toEqual([])
    await expect(world.run(requests.ask({ users: [...users, { user: 'b', domain: 'web' }] }))).rejects.toMatchObject({
      ...{ code: 'badInput', fields: [['users', 2, 'domain']] },
    })
  })

  test('runs a mapping once per domain, before whatever needs it', async () => {
    const rows = [
      ...[
        authority('a', { mapping: 'long' }),
        authority('b', { mapping: 'LONG' }),
        authority('c', { mapping: 'short' }),
      ],
      ...[authority('d'), authority('e', { domain: 'web', mapping: 'short' })],
      ...[mapping('short'), mapping('long', { mapping: 'short' })],
    ]
    const { requests, calls, world } = opened({ rows })
    const access = await world.run(requests.ask({ users: [{ user: 'u', domain: '' }, { user: 'v', domain: 'web' }] })) // prettier-ignore
    expect(access.tokens).toEqual(['g:a+u.short.long', 'g:b+u.short.long', 'g:c+u.short', 'g:d+u', 'g:e+v.short'])
    const mapped = calls.filter((call) => /^(short|long)/.test(call))
    expect(mapped.sort()).toEqual(['long u.short', 'short u', 'short v'])
  })

  const failures: [string, Given, object][] = [
    [
      'an authority that throws is unreachable',
      { rows: [authority('a')], authorities: { a: { result: new Error('boom') } } },
      {
        tokens: ['g:DEAD_AUTHORITY'],
        answers: [{ status: 'UNREACHABLE', problem: message('authority.failed', { problem: 'boom' }) }],
      },
    ],
    [
      'an authority that says that it is unreachable hides what its group secures',
      { rows: [authority('a')], authorities: { a: { result: { status: 'UNREACHABLE', tokens: [] } } } },
      { tokens: ['g:DEAD_AUTHORITY'], answers: [{ status: 'UNREACHABLE', problem: null }] },
    ],
    [
      'a user whom a mapping does not know is not found',
      { rows: [authority('a', { mapping: 'm' }), mapping('m')], mappings: { m: { result: { user: undefined } } } },
      { tokens: [], answers: [{ status: 'USERNOTFOUND', user: null, problem: null }] },
    ],
    [
      'a mapping that throws hides what its authority secures',
      { rows: [authority('a', { mapping: 'm' }), mapping('m')], mappings: { m: { result: new Error('boom') } } },
      { tokens: ['g:DEAD_AUTHORITY'], answers: [{ status: 'USERNOTFOUND', user: null }] },
    ],
    [
      'a mapping after one that failed is not asked',
      {
        rows: [authority('a', { mapping: 'n' }), mapping('m'), mapping('n', { mapping: 'm' })],
        mappings: { m: { result: { problem: message('connection.working') } } },
      },
      { tokens: ['g:DEAD_AUTHORITY'], answers: [{ status: 'USERNOTFOUND', user: null }] },
    ],
    [
      'what an authority says of a user is passed on',
      { rows: [authority('a')], authorities: { a: { result: { status: 'USERUNAUTHORIZED', tokens: ['no'] } } } },
      { tokens: ['g:no'], answers: [{ status: 'USERUNAUTHORIZED', user: 'anna' }] },
    ],
  ]
  test.each(failures)('%s', async (_, given, expected) => {
    const { ask, world } = opened(given)
    expect(await world.run(ask())).toMatchObject(expected)
  })

  test('reports an error of a connector as a bug', async () => {
    const { ask, bugs, world } = opened({ rows: [authority('a')], authorities: { a: { result: new Error('boom') } } })
    await world.run(ask())
    expect(bugs).toMatchObject([{ message: 'boom' }])
  })

  test('fails where a connector is not installed, whether of an authority or of a mapping before it', async () => {
    const rows = [authority('a'), authority('b', { mapping: 'n' }), mapping('m'), mapping('n', { mapping: 'm' })]
    for (const uninstalled of ['a', 'm']) {
      const { ask, calls, world } = opened({ rows, uninstalled })
      await expect(world.run(ask())).rejects.toMatchObject({ code: 'notAllowed' })
      expect(calls).toEqual([])
    }
    const elsewhere = [authority('a'), authority('b', { domain: 'x' })]
    const { ask, world } = opened({ rows: elsewhere, uninstalled: 'b' })
    expect((await world.run(ask())).tokens).toEqual(['g:a+anna'])
  })
})

describe('kept answers', () => {
  const rows = [authority('a', { mapping: 'm' }), authority('b', { cacheSeconds: 0 }), mapping('m')]

  test('many requests at once for one user ask each connector once', async () => {
    const { ask, calls, world } = opened({ rows })
    const all = await world.run(Promise.all(Array.from({ length: 100 }, () => ask())))
    expect(new Set(all.map(({ tokens }) => tokens.join())).size).toBe(1)
    expect(calls.sort()).toEqual(['a anna.m', 'b anna', 'm anna'])
  })

  test('are used for their time, and of at most so many users', async () => {
    const { ask, calls, world } = opened({ rows: [authority('a', { cacheSeconds: 10, cachedUsersMax: 2 })] })
    const asked = async (...users: string[]) => {
      calls.length = 0
      for (const user of users) await world.run(ask(user))
      return calls.map((call) => call.slice(2))
    }
    expect(await asked('u', 'u', 'v', 'u', 'w', 'u', 'v')).toEqual(['u', 'v', 'w', 'v'])
    await world.run(world.clock.sleep(9_000))
    expect(await asked('v')).toEqual([])
    await world.run(world.clock.sleep(1_100))
    expect(await asked('v')).toEqual(['v'])
  })

  test('are dropped when the connection changes, also those that are on their way', async () => {
    const { ask, calls, requests, current, world } = opened({ rows: [authority('a')], authorities: { a: { afterMs: 100, result: ok('t') } } }) // prettier-ignore
    await world.run(ask())
    requests.forget('authority', 'A')
    const before = ask()
    await world.run(world.clock.sleep(10))
    current.rows = [authority('a', { group: 'h' })]
    requests.forget('authority', 'a')
    expect((await world.run(ask())).tokens).toEqual(['h:t'])
    expect((await world.run(before)).tokens).toEqual(['g:t'])
    await world.run(ask())
    expect(calls).toHaveLength(3)
  })

  test('of a request with a connection as it was are not given to later requests', async () => {
    const before = [authority('a', { mapping: 'm', settings: { path: '/before' } }), mapping('m')]
    const slow = { m: { afterMs: 100, result: { user: 'anna' } } }
    const { ask, requests, current, world, opened: openedWith } = opened({ rows: before, mappings: slow })
    const early = ask()
    await world.run(world.clock.sleep(50))
    current.rows = [authority('a', { settings: { path: '/after' } })]
    requests.forget('authority', 'a')
    await world.run(early)
    await world.run(ask())
    expect(openedWith.map(({ settings }) => settings['path'])).toEqual(['/before', '/after'])
  })

  const notKept: [string, Behaviour<Answer>['result']][] = [
    ['an authority that throws', new Error('boom')],
    ['an authority that says that it is unreachable', { status: 'UNREACHABLE', tokens: [] }],
    ['an answer with too many tokens', ok(...Array.from({ length: 10_001 }, (_, index) => `${index}`))],
  ]
  test.each(notKept)('are not kept of %s', async (_, result) => {
    const { ask, calls, world } = opened({ rows: [authority('a')], authorities: { a: { result } } })
    for (let round = 0; round < 2; round++)
      expect(await world.run(ask())).toMatchObject({
        tokens: ['g:DEAD_AUTHORITY'],
        answers: [{ status: 'UNREACHABLE' }],
      })
    expect(calls).toHaveLength(2)
  })
})
