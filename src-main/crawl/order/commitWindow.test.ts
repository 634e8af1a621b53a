import { describe, expect, test } from 'vitest'
import { seededChance, type SeededChance } from '../../world/testing/seededChance.ts'
import { isWhole } from '../../world/testing/sample.ts'
import { commitWindow, type CommitWindow, type WindowEntry } from './commitWindow.ts'

/** Runs of the property; `LOUPE_WINDOW_RUNS` gives another number. */
const runs = Number(process.env['LOUPE_WINDOW_RUNS'] ?? (isWhole ? 10_000 : 200))

const open = (more: object = {}) => commitWindow({ width: 4, reschedulesMax: 3, ...more })

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
    expect([window.receive(1), window.deliver(9)]).toEqual(['kept', [1, 2, 3]])
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
})

/** An answer on its way. */
interface Answer {
  /** The engine that scheduled it. */
  engine: string
  number: number
}

/** An engine and those after it, over the numbers of one database: answers are lost, doubled and reordered, the engine crashes or is replaced
 *  by another one, the width changes. What an engine has scheduled is discarded by the next one. */
class Engines {
  readonly delivered: number[] = []
  readonly network: Answer[] = []
  window: CommitWindow
  /** What a crash leaves: rows of the database, written with each step. */
  stored: { next: number; entries: WindowEntry[] } = { next: 1, entries: [] }
  width = 3
  life = 0
  nowMs = 0
  discarded = 0

  readonly chance: SeededChance

  constructor(chance: SeededChance) {
    this.chance = chance
    this.window = this.opened()
  }

  opened(): CommitWindow {
    this.life += 1
    // What was under way counts as timed out.
    return commitWindow({ width: this.width, reschedulesMax: 2, ...this.stored })
  }

  store(): void {
    this.stored = { next: this.window.next, entries: this.window.entries.map((entry) => ({ ...entry })) }
  }

  send(number: number): void {
    const copies = this.chance.below(3)
    for (let n = 0; n < copies; n++) this.network.push({ engine: `engine ${this.life}`, number })
  }

  step(): void {
    const { window, chance } = this
    this.nowMs += chance.below(5)
    const what = chance.below(11)
    const before = window.entries.map((entry) => ({ ...entry }))
    if (what < 4 && window.hasRoom()) this.send(window.issue(this.nowMs))
    else if (what < 8) this.arrive()
    else if (what === 8) this.overdue()
    this.deliver()
    this.check(before)
    this.store()
    if (what >= 9) this.replace()
  }

  /** The job may have another number of workers afterwards. */
  replace(): void {
    this.width = 1 + this.chance.below(6)
    this.window = this.opened()
  }

  arrive(): void {
    const [answer] = this.network.splice(this.chance.below(Math.max(1, this.network.length)), 1)
    if (!answer) return
    if (answer.engine !== `engine ${this.life}`) {
      this.discarded += 1
      return
    }
    const { number } = answer
    const isOpen = this.window.entries.some((entry) => entry.number === number && !entry.isAcknowledged)
    const count = this.window.entries.length
    expect(this.window.receive(number)).toBe(isOpen ? 'kept' : 'duplicate')
    expect(this.window.entries.length).toBe(count)
  }

  overdue(): void {
    const number = this.window.overdue(this.nowMs + 1)
    if (number === undefined) return
    if (this.window.reschedule(number, this.nowMs)) this.send(number)
    else this.window.receive(number)
  }

  deliver(): void {
    this.delivered.push(...this.window.deliver(this.nowMs))
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
  }
}

test(`numbers are delivered 1, 2, 3, … with loss, duplicates, reordering, crashes and further engines (${runs} runs)`, () => {
  let issued = 0
  let discarded = 0
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
    discarded += engines.discarded
  }
  expect(issued).toBeGreaterThan(runs * 5)
  expect(discarded).toBeGreaterThan(runs)
})
