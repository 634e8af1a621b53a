import { describe, expect, test } from 'vitest'
import type { HostRow } from './frontier.sql.ts'
import { crawlDelayMsMax } from './limits.ts'
import { madeFrontier, page } from './madeFrontier.ts'
import { turnsOf, type HostTurn, type Turns } from './politeness.ts'

interface Trial {
  hosts?: number
  pages?: number
  delayMs?: number
  connectionsPerHost?: number
  robots?: 'obey' | 'ignore'
}

/** Hosts a.test, b.test …, each with pages 1, 2 …, all of them awake. */
function trial({ hosts = 1, pages = 3, delayMs = 0, connectionsPerHost = 1, robots = 'ignore' }: Trial) {
  const { frontier } = madeFrontier({ robots })
  const names = Array.from({ length: hosts }, (_, index) => String.fromCharCode(97 + index))
  const found = names.flatMap((name) => Array.from({ length: pages }, (_, at) => page(`http://${name}.test/${at + 1}`)))
  const rows = frontier.discover(found, 0).hosts
  const turns = turnsOf({ frontier, delayMs, connectionsPerHost, robots, robotsToken: 'loupe' })
  for (const row of rows) turns.wake(row)
  return { turns, rows }
}

/** `a/1` for a document, a number for "again then", undefined for "nothing waits". */
function next(turns: Turns, nowMs: number): { said: string | number | undefined; host?: HostTurn } {
  const turn = turns.next(nowMs)
  if (!('document' in turn)) return { said: turn.againMs }
  return { said: turn.document.url.replace(/^http:\/\/(.)\.test/, '$1'), host: turn.host }
}

function taken(turns: Turns, nowMs: number): HostTurn {
  const { host } = next(turns, nowMs)
  if (!host) throw new Error('nothing may be fetched now')
  return host
}

const said = (turns: Turns, nowMs: number) => next(turns, nowMs).said

describe('a host and its pause', () => {
  test('one request at a time, and the pause counts from the end of the last one', () => {
    const { turns } = trial({ delayMs: 1000 })
    const host = taken(turns, 0)
    expect(said(turns, 5000)).toBeUndefined()
    turns.ended(host, 5000)
    expect(said(turns, 5000)).toBe(6000)
    expect(said(turns, 5999)).toBe(6000)
    expect(said(turns, 6000)).toBe('a/2')
  })

  test('a turn that ended without a request costs no pause', () => {
    const { turns } = trial({ delayMs: 1000 })
    turns.ended(taken(turns, 0), undefined)
    expect(said(turns, 0)).toBe('a/2')
  })

  test('as many requests at once as allowed', () => {
    const { turns } = trial({ connectionsPerHost: 2 })
    const host = taken(turns, 0)
    expect(said(turns, 0)).toBe('a/2')
    expect(said(turns, 0)).toBeUndefined()
    turns.ended(host, 1)
    expect(said(turns, 1)).toBe('a/3')
  })

  test('one name is one host to be polite to, whatever scheme and port it is asked under', () => {
    const { frontier } = madeFrontier({ robots: 'ignore' })
    const addresses = ['http://a.test/1', 'https://a.test/1', 'https://a.test:8443/1']
    const { hosts } = frontier.discover(
      addresses.map((url) => page(url)),
      0,
    )
    const turns = turnsOf({ frontier, delayMs: 1000, connectionsPerHost: 1, robots: 'ignore', robotsToken: 'loupe' })
    for (const row of hosts) turns.wake(row)
    for (const startMs of [0, 6000, 12_000]) {
      const host = taken(turns, startMs)
      expect(said(turns, startMs)).toBeUndefined()
      turns.ended(host, startMs + 5000)
      if (startMs < 12_000) expect(said(turns, startMs + 5000)).toBe(startMs + 6000)
    }
  })

  test('hosts take turns, and one that pauses holds up nobody', () => {
    const { turns } = trial({ hosts: 3, delayMs: 1000 })
    const [a, b, c] = [taken(turns, 0), taken(turns, 0), taken(turns, 0)]
    expect([a, b, c].map(({ origin }) => origin)).toEqual(['a', 'b', 'c'].map((name) => `http://${name}.test`))
    turns.ended(c, 0)
    turns.ended(a, 500)
    turns.ended(b, 500)
    expect(said(turns, 999)).toBe(1000)
    expect([said(turns, 1500), said(turns, 1500), said(turns, 1500)].sort()).toEqual(['a/2', 'b/2', 'c/2'])
  })

  test('a host with nothing left is asked again only when it is woken', () => {
    const { turns, rows } = trial({ pages: 1 })
    turns.ended(taken(turns, 0), 0)
    expect(said(turns, 0)).toBeUndefined()
    for (const row of rows) turns.wake(row)
    expect(said(turns, 0)).toBeUndefined()
  })
})

describe('a host and its robots.txt', () => {
  const answers: [name: string, state: HostRow['robotsState'], text: string | null, pauseMs: number][] = [
    ['everything is allowed', 'ALLOWED', null, 100],
    ['rules without a delay', 'RULES', 'User-agent: *\nDisallow: /x', 100],
    ['a longer delay', 'RULES', 'User-agent: *\nCrawl-delay: 3', 3000],
    ['a shorter delay than ours', 'RULES', 'User-agent: *\nCrawl-delay: 0.01', 100],
    ['a delay for us alone', 'RULES', 'User-agent: *\nCrawl-delay: 1\n\nUser-agent: Loupe\nCrawl-delay: 2', 2000],
    ['a delay without measure', 'RULES', 'User-agent: *\nCrawl-delay: 86400', crawlDelayMsMax],
    // The turn goes on: it is refused one by one, without a request.
    ['no answer', 'UNREACHABLE', 'timeout', 100],
  ]
  test.each(answers)('is asked first, and then obeyed: %s', (_, state, text, pauseMs) => {
    const { turns } = trial({ robots: 'obey', delayMs: 100 })
    const { said: first, host } = next(turns, 0)
    expect(first).toBe('a/robots.txt')
    if (!host) throw new Error('a turn has a host')
    turns.ended(host, 0)
    // The answer is being written down: nothing but robots.txt may be asked for until it is known.
    expect(said(turns, 100)).toBeGreaterThan(100)
    turns.setRobots(host, state, text)
    expect(said(turns, 1000)).toBe('a/1')
    turns.ended(host, 2000)
    expect(said(turns, 2000)).toBe(2000 + pauseMs)
  })

  test('is not asked for when it is to be ignored', () => {
    expect(said(trial({ robots: 'ignore' }).turns, 0)).toBe('a/1')
  })
})
