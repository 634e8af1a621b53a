import { describe, expect, test } from 'vitest'
import { limitsBy, type ThrottleRule } from '../../contract/shapes/throttle.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { HostRow, Role } from '../model/document.ts'
import { crawlDelayMsMax } from '../model/limits.ts'
import { slotFixture } from './testing/frontierFixture.ts'
import { newReadyBuffer, type ReadyBuffer } from './readyBuffer.ts'
import type { ReadyDocument } from './readyDocuments.ts'
import { originRobots } from './originRobots.ts'
import { serversOf, type HostTurn, type JobSlot, type Servers } from './servers.ts'

interface Trial {
  buffer: ReadyBuffer
  servers: Servers
  /** Puts `a/1`, or `https://a.test:8443/1`, into the buffer, for this job. */
  put(slot: JobSlot, address: string, role?: Role): HostTurn
}

function trial({ rules = [] }: { rules?: ThrottleRule[] } = {}): Trial {
  const buffer = newReadyBuffer()
  const servers = serversOf(seededWorld({ seed: 1 }), (id) => ({
    ...{ id, origin: origins.get(id) ?? '' },
    ...{ robotsState: 'UNKNOWN', robotsText: null },
  }))
  servers.applyLimits(limitsBy(rules))
  const hosts = new Map<string, number>()
  const origins = new Map<number, string>()
  let count = 0
  return {
    buffer,
    servers,
    put(slot, address, role = 'page') {
      const url = address.includes('://') ? address : `http://${address.replace('/', '.test/')}`
      const { origin } = new URL(url)
      const key = `${slot.job} ${origin}`
      const id = hosts.get(key) ?? hosts.size + 1
      hosts.set(key, id)
      origins.set(id, origin)
      const turn = servers.turnOf(slot, id, url)
      count += 1
      const document = { id: count, url, role, hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 }
      buffer.put({ turn, document })
      return turn
    },
  }
}

/** One job with hosts a, b …, each with pages 1, 2 … */
function filled({ hosts = 1, pages = 3, ...slot }: { hosts?: number; pages?: number } & Partial<JobSlot>): Trial {
  const made = trial()
  const own = slotFixture(1, slot)
  for (let at = 1; at <= pages; at += 1) {
    for (let host = 0; host < hosts; host += 1) made.put(own, `${String.fromCharCode(97 + host)}/${at}`)
  }
  return made
}

/** Returns `a/1` for a document, the time when to ask again, or undefined if only an event can make a document ready. */
function said({ buffer }: Trial, nowMs: number): string | number | undefined {
  const next = buffer.next(nowMs)
  return 'document' in next ? shortOf(next) : next.againMs
}
const shortOf = ({ document }: ReadyDocument) => document.url.replace(/^http:\/\/(.)\.test/, '$1')

function taken({ buffer }: Trial, nowMs: number): ReadyDocument {
  const next = buffer.next(nowMs)
  if (!('document' in next)) throw new Error('nothing may be fetched now')
  return next
}

const over = (endedMs: number, tookMs = 0) => ({ endedMs, tookMs })

describe('the delay of a host', () => {
  test('one request at a time, and the delay counts from the end of the last one', () => {
    const made = filled({ delayMs: 1000 })
    const { turn } = taken(made, 0)
    expect(said(made, 5000)).toBeUndefined()
    made.buffer.ended(turn, over(5000))
    expect(said(made, 5000)).toBe(6000)
    expect(said(made, 5999)).toBe(6000)
    expect(said(made, 6000)).toBe('a/2')
  })

  test('a turn that ended without a request causes no delay', () => {
    const made = filled({ delayMs: 1000 })
    made.buffer.ended(taken(made, 0).turn, undefined)
    expect(said(made, 0)).toBe('a/2')
  })

  test('as many requests at once as connections are allowed', () => {
    const made = filled({ connectionsPerHost: 2 })
    const { turn } = taken(made, 0)
    expect(said(made, 0)).toBe('a/2')
    expect(said(made, 0)).toBeUndefined()
    made.buffer.ended(turn, over(1))
    expect(said(made, 1)).toBe('a/3')
  })

  test('all schemes and ports of a host name share its delay', () => {
    const made = trial()
    const slot = slotFixture(1, { delayMs: 1000 })
    for (const address of ['http://a.test/1', 'https://a.test/1', 'https://a.test:8443/1']) made.put(slot, address)
    for (const startMs of [0, 6000, 12_000]) {
      const { turn } = taken(made, startMs)
      expect(said(made, startMs)).toBeUndefined()
      made.buffer.ended(turn, over(startMs + 5000))
      if (startMs < 12_000) expect(said(made, startMs + 5000)).toBe(startMs + 6000)
    }
  })

  test('hosts take turns, and one in its delay does not block the others', () => {
    const made = filled({ hosts: 3, delayMs: 1000 })
    const [a, b, c] = [taken(made, 0), taken(made, 0), taken(made, 0)]
    expect([a, b, c].map(({ turn }) => turn.origin)).toEqual(['a', 'b', 'c'].map((name) => `http://${name}.test`))
    made.buffer.ended(c.turn, over(0))
    made.buffer.ended(a.turn, over(500))
    made.buffer.ended(b.turn, over(500))
    expect(said(made, 999)).toBe(1000)
    expect([said(made, 1500), said(made, 1500), said(made, 1500)].sort()).toEqual(['a/2', 'b/2', 'c/2'])
  })

  test('a slow answer makes the delay longer, up to a maximum', () => {
    const rows: [tookMs: number, pauseMs: number][] = [
      [0, 1000],
      [400, 1000],
      [2000, 4000],
      [60_000, 30_000],
    ]
    for (const [tookMs, pauseMs] of rows) {
      const made = filled({ delayMs: 1000, delayFactor: 2 })
      made.buffer.ended(taken(made, 0).turn, over(tookMs, tookMs))
      expect(said(made, tookMs)).toBe(tookMs + pauseMs)
    }
  })

  test('without a delay the duration of the answer has no effect', () => {
    const made = filled({ delayFactor: 2 })
    made.buffer.ended(taken(made, 0).turn, over(9000, 9000))
    expect(said(made, 9000)).toBe('a/2')
  })

  test('an interrupted run may have sent a request shortly before, so the delay applies at once', () => {
    const made = trial()
    made.put(slotFixture(1, { delayMs: 1000, askedUntilMs: 5000 }), 'a/1')
    expect(said(made, 5000)).toBe(6000)
  })
})

describe('several jobs on one host', () => {
  test('share its connection and the longer delay', () => {
    const made = trial()
    const [quick, slow] = [slotFixture(1, { delayMs: 100 }), slotFixture(2, { delayMs: 1000 })]
    made.put(quick, 'a/1')
    made.put(slow, 'a/2')
    made.put(quick, 'a/3')
    const first = taken(made, 0)
    expect(said(made, 0)).toBeUndefined()
    made.buffer.ended(first.turn, over(0))
    expect(said(made, 100)).toBe(1000)
    const second = taken(made, 1000)
    made.buffer.ended(second.turn, over(1000))
    // The pause that the slow job owes the host is kept by the quick one too.
    expect(said(made, 1100)).toBe(2000)
    expect(said(made, 2000)).toBe('a/3')
  })

  test('use as many connections as the stricter job allows while it has documents of the host', () => {
    const made = trial()
    const [wide, narrow] = [slotFixture(1, { connectionsPerHost: 4 }), slotFixture(2)]
    for (const path of ['1', '2', '3']) made.put(wide, `a/${path}`)
    made.put(narrow, 'a/4')
    taken(made, 0)
    expect(said(made, 0)).toBeUndefined()
    expect(made.buffer.takeBack(narrow).map(shortOf)).toEqual(['a/4'])
    expect([said(made, 0), said(made, 0)]).toEqual(['a/2', 'a/3'])
  })

  test('a job whose workers are all busy does not block the others', () => {
    const made = trial()
    made.put(slotFixture(1, { mayStart: () => false }), 'a/1')
    made.put(slotFixture(2), 'a/2')
    expect(said(made, 0)).toBe('a/2')
    expect(said(made, 0)).toBeUndefined()
  })
})

describe('throttle rules', () => {
  test('a rate applies from the start of one request to the start of the next', () => {
    const made = trial({ rules: [{ match: '^a\\.', fetchesPerMinute: 6 }] })
    const slot = slotFixture(1)
    for (const path of ['1', '2']) made.put(slot, `a/${path}`)
    const { turn } = taken(made, 0)
    made.buffer.ended(turn, over(3000))
    expect(said(made, 3000)).toBe(10_000)
    expect(said(made, 10_000)).toBe('a/2')
  })

  test('a rule limits the connections of a host', () => {
    const made = trial({ rules: [{ match: 'a', connections: 2 }] })
    const slot = slotFixture(1, { connectionsPerHost: 8 })
    for (const path of ['1', '2', '3']) made.put(slot, `a/${path}`)
    expect([said(made, 0), said(made, 0), said(made, 0)]).toEqual(['a/1', 'a/2', undefined])
  })
})

describe('a host whose answer demands a pause', () => {
  test('gets no request until then, and its documents leave the buffer', () => {
    const made = filled({ pages: 3 })
    const { turn } = taken(made, 0)
    expect(made.buffer.rest(turn.server, 60_000, 0).map(shortOf)).toEqual(['a/2', 'a/3'])
    made.buffer.ended(turn, over(0))
    made.put(turn.slot, 'a/4')
    expect(said(made, 0)).toBe(60_000)
    expect(made.buffer.roomFor(turn, 0)).toBe(0)
  })

  test('keeps its documents in the buffer if the pause is short', () => {
    const made = filled({ pages: 2 })
    const { turn } = taken(made, 0)
    expect(made.buffer.rest(turn.server, 1000, 0)).toEqual([])
    made.buffer.ended(turn, over(0))
    expect(said(made, 0)).toBe(1000)
    expect(made.buffer.resting(turn.slot, 0)).toEqual({ hosts: 1, nextMs: 1000 })
    expect(made.buffer.resting(turn.slot, 1000)).toEqual({ hosts: 0, nextMs: Infinity })
  })
})

describe('room in the buffer', () => {
  const rows: [name: string, slot: Partial<JobSlot>, room: number][] = [
    ['without limit if there is no delay', {}, Infinity],
    ['for the requests of the next two seconds with a delay', { delayMs: 1000 }, 3],
    ['for one more document if the delay is long', { delayMs: 60_000 }, 2],
    ['for two documents until the rules are known', { robots: 'obey' }, 2],
  ]
  test.each(rows)('%s', (_, slot, room) => {
    const made = trial()
    const turn = made.put(slotFixture(1, slot), 'a/1')
    expect(made.buffer.roomFor(turn, 0)).toBe(room - 1)
  })

  test('documents that leave are no longer counted', () => {
    const made = filled({ hosts: 2, pages: 2 })
    expect(made.buffer.count).toBe(4)
    const { turn } = taken(made, 0)
    expect(made.buffer.countOf(turn.slot)).toBe(3)
    made.buffer.takeBack(turn.slot)
    expect(made.buffer.count).toBe(0)
    expect(said(made, 0)).toBeUndefined()
  })
})

describe('the robots.txt of a host', () => {
  const answers: [name: string, state: HostRow['robotsState'], text: string | null, pauseMs: number][] = [
    ['everything is allowed', 'ALLOWED', null, 100],
    ['rules without a delay', 'RULES', 'User-agent: *\nDisallow: /x', 100],
    ['a longer delay', 'RULES', 'User-agent: *\nCrawl-delay: 3', 3000],
    ['a delay shorter than that of the job', 'RULES', 'User-agent: *\nCrawl-delay: 0.01', 100],
    ['a delay for Loupe only', 'RULES', 'User-agent: *\nCrawl-delay: 1\n\nUser-agent: Loupe\nCrawl-delay: 2', 2000],
    ['an excessive delay', 'RULES', 'User-agent: *\nCrawl-delay: 86400', crawlDelayMsMax],
    // The documents are handed out, and each is refused without a request.
    ['no answer', 'UNREACHABLE', 'timeout', 100],
  ]
  test.each(answers)('is fetched first and then obeyed: %s', (_, state, text, pauseMs) => {
    const made = trial()
    const slot = slotFixture(1, { robots: 'obey', delayMs: 100 })
    made.put(slot, 'a/1')
    made.put(slot, 'a/2')
    made.put(slot, 'a/robots.txt', 'robots')
    const first = taken(made, 0)
    expect(shortOf(first)).toBe('a/robots.txt')
    made.buffer.ended(first.turn, over(0))
    // The answer is being committed: until it is known, nothing but robots.txt may be fetched.
    expect(said(made, 100)).toBeUndefined()
    made.buffer.setRobots(first.turn, originRobots(state, text, slot.robotsToken))
    const second = taken(made, 1000)
    expect(shortOf(second)).toBe('a/1')
    made.buffer.ended(second.turn, over(2000))
    expect(said(made, 2000)).toBe(2000 + pauseMs)
  })

  test('is not waited for if the job ignores it', () => {
    expect(said(filled({}), 0)).toBe('a/1')
  })
})
