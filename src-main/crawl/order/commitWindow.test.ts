import { describe, expect, test } from 'vitest'
import { seededChance, type SeededChance } from '../../world/testing/seededChance.ts'
import { isWhole } from '../../world/testing/sample.ts'
import { commitWindow, type CommitWindow, type Origin, type WindowEntry } from './commitWindow.ts'

/** Runs of the property; `LOUPE_WINDOW_RUNS` gives another number. */
const runs = Number(process.env['LOUPE_WINDOW_RUNS'] ?? (isWhole ? 10_000 : 200))

const open = (more: object = {}) => commitWindow<string>({ engine: 'one', width: 4, reschedulesMax: 3, ...more })

describe('a window', () => {
  test('issues numbers from 1 while it has room', () => {
    const window = open()
    expect([1, 2, 3, 4].map(() => window.issue(0))).toEqual([1, 2, 3, 4])
    expect(window.hasRoom()).toBe(false)
    expect(() => window.issue(0)).toThrow('no room')
  })

  test('delivers in order, whatever the order of the answers', () => {
    const window = open()
    for (let n = 0; n < 4; n++) window.issue(n)
    expect([window.receive(3), window.deliver(9)]).toEqual(['kept', []])
    expect([window.receive(2), window.deliver(9)]).toEqual(['kept', []])
    expect([window.receive(1), window.deliver(9)]).toEqual(['kept', [{ number: 1 }, { number: 2 }, { number: 3 }]])
    expect([window.base, window.next, window.headSinceMs]).toEqual([4, 5, 9])
  })

  test('drops a second answer, also after delivery, and one to a number that was never issued', () => {
    const window = open()
    window.issue(0)
    window.receive(1)
    expect(window.receive(1)).toBe('duplicate')
    window.deliver(0)
    expect([window.receive(1), window.receive(2), window.receive(0)]).toEqual(['duplicate', 'unknown', 'unknown'])
  })

  test('gives the number again that was given first, and gives up at the limit', () => {
    const window = open({ reschedulesMax: 2 })
    for (const nowMs of [10, 20, 30]) window.issue(nowMs)
    window.receive(1)
    expect([window.overdue(20), window.overdue(21), window.overdue(31)]).toEqual([undefined, 2, 2])
    expect(window.reschedule(2, 40)).toBe(true)
    expect(window.overdue(31)).toBe(3)
    expect([window.reschedule(2, 50), window.reschedule(2, 60), window.reschedule(1, 60)]).toEqual([true, false, false])
  })

  test('opened with a smaller width, it drops nothing and issues nothing until it is inside it', () => {
    const before = open()
    for (let n = 0; n < 4; n++) before.issue(0)
    const window = open({ width: 2, next: before.next, entries: before.entries })
    for (const number of [1, 2]) window.receive(number)
    window.deliver(0)
    expect([window.entries.length, window.hasRoom()]).toEqual([2, false])
    window.receive(3)
    window.deliver(0)
    expect(window.hasRoom()).toBe(true)
  })

  test('answers that were scheduled elsewhere are placed by their time; those from before the window are discarded', () => {
    const window = open()
    for (const nowMs of [10, 20, 30]) window.issue(nowMs)
    const from = (scheduledMs: number, key: string) => window.receiveFrom({ engine: 'two', scheduledMs }, 1, key)
    expect([from(5, 'before'), from(25, 'between'), from(15, 'first')]).toEqual(['late', 'kept', 'kept'])
    expect(from(15, 'again')).toBe('duplicate')
    expect(window.deliver(0)).toEqual([])
    window.receive(2)
    window.receive(1)
    expect(window.deliver(0)).toEqual([{ number: 1 }, { foreign: 'first' }, { number: 2 }, { foreign: 'between' }])
    expect([from(25, 'again'), from(15, 'again')]).toEqual(['late', 'late'])
    expect(window.receiveFrom({ engine: 'one', scheduledMs: 30 }, 3, 'own')).toBe('kept')
    expect(window.deliver(0)).toEqual([{ number: 3 }])
  })
})

/** An answer on its way. */
interface Message {
  origin: Origin
  number: number
}

/** Two engines over the numbers of one database: messages are lost, doubled and reordered, engines crash, the width changes. */
class Engines {
  readonly delivered: number[] = []
  readonly foreign: string[] = []
  readonly network: Message[] = []
  window: CommitWindow<string>
  /** What a crash leaves: rows of the database, written with each step. */
  stored: { next: number; entries: WindowEntry[] } = { next: 1, entries: [] }
  width = 3
  life = 0
  nowMs = 0
  nextOther = 1

  readonly chance: SeededChance

  constructor(chance: SeededChance) {
    this.chance = chance
    this.window = this.opened()
  }

  opened(): CommitWindow<string> {
    this.life += 1
    // What was under way counts as timed out.
    return commitWindow({ engine: `one ${this.life}`, width: this.width, reschedulesMax: 2, ...this.stored })
  }

  store(): void {
    this.stored = { next: this.window.next, entries: this.window.entries.map((entry) => ({ ...entry })) }
  }

  send(number: number): void {
    const message = { origin: { engine: `one ${this.life}`, scheduledMs: this.nowMs }, number }
    const copies = this.chance.below(3)
    for (let n = 0; n < copies; n++) this.network.push(message)
  }

  step(): void {
    const { window, chance } = this
    this.nowMs += chance.below(5)
    const what = chance.below(12)
    const before = window.entries.map((entry) => ({ ...entry }))
    if (what < 4 && window.hasRoom()) this.send(window.issue(this.nowMs))
    else if (what < 8) this.arrive()
    else if (what === 8) this.overdue()
    else if (what === 9) this.otherEngine()
    this.deliver()
    this.check(before)
    this.store()
    if (what >= 10) this.crash()
  }

  /** What was received from elsewhere is lost, and what it was about is settled in the database. The job may have another number of workers
   *  afterwards. */
  crash(): void {
    this.width = 1 + this.chance.below(6)
    this.window = this.opened()
    this.foreign.length = 0
  }

  arrive(): void {
    const [message] = this.network.splice(this.chance.below(Math.max(1, this.network.length)), 1)
    if (!message) return
    const { number, origin } = message
    const isOpen = this.window.entries.some((entry) => entry.number === number && !entry.isAcknowledged)
    const count = this.window.entries.length
    const verdict = this.window.receiveFrom(origin, number, `${origin.engine} ${origin.scheduledMs} ${number}`)
    if (origin.engine !== `one ${this.life}`) return
    expect(verdict).toBe(isOpen ? 'kept' : 'duplicate')
    expect(this.window.entries.length).toBe(count)
  }

  overdue(): void {
    const number = this.window.overdue(this.nowMs + 1)
    if (number === undefined) return
    if (this.window.reschedule(number, this.nowMs)) this.send(number)
    else this.window.receive(number)
  }

  otherEngine(): void {
    const scheduledMs = this.nowMs - this.chance.below(10)
    const key = `two ${this.nextOther} ${scheduledMs}`
    const [head] = this.window.entries
    const verdict = this.window.receiveFrom({ engine: 'two', scheduledMs }, this.nextOther++, key)
    if (head && scheduledMs < head.scheduledMs) expect(verdict).toBe('late')
    else expect(verdict).not.toBe('unknown')
  }

  deliver(): void {
    for (const delivery of this.window.deliver(this.nowMs)) {
      if ('number' in delivery) this.delivered.push(delivery.number)
      else this.foreign.push(delivery.foreign)
    }
  }

  /** `before`: the entries before the step. */
  check(before: readonly WindowEntry[]): void {
    const { window } = this
    expect(this.delivered).toEqual(this.delivered.map((_, at) => at + 1))
    expect(window.base).toBe(this.delivered.length + 1)
    expect(window.entries.map(({ number }) => number)).toEqual(
      Array.from({ length: window.next - window.base }, (_, at) => window.base + at),
    )
    expect(window.entries[0]?.isAcknowledged ?? false).toBe(false)
    for (const old of before) {
      const now = window.entries.find(({ number }) => number === old.number)
      if (!now) continue
      expect(now.scheduledMs).toBeGreaterThanOrEqual(old.scheduledMs)
      expect(now.reschedules).toBeGreaterThanOrEqual(old.reschedules)
      if (old.isAcknowledged) expect(now.isAcknowledged).toBe(true)
    }
    expect(new Set(this.foreign).size).toBe(this.foreign.length)
  }
}

test(`numbers are delivered 1, 2, 3, … with loss, duplicates, reordering, crashes and other engines (${runs} runs)`, () => {
  let issued = 0
  for (let seed = 1; seed <= runs; seed++) {
    const engines = new Engines(seededChance(seed))
    for (let step = 0; step < 120; step++) engines.step()
    // With every number answered or given up in the end, all are delivered.
    for (let left = 100; engines.window.entries.length > 0 && left > 0; left--) {
      engines.nowMs += 10
      engines.overdue()
      engines.deliver()
    }
    expect(engines.window.entries).toEqual([])
    expect(engines.delivered.length).toBe(engines.window.next - 1)
    issued += engines.delivered.length
  }
  expect(issued).toBeGreaterThan(runs * 5)
})
