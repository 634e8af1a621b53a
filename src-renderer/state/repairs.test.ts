/** The repairs of the interface, over services with replies chosen by a test. */
import { message } from '../../src-main/contract/words/message.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AtticEntry, AtticCheck } from '../../src-main/contract/services/attic.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import type {
  RepairableCopy,
  RepairCondition,
  RepairOutcome,
  RepairPlan,
} from '../../src-main/contract/services/repairs.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeRepairFlow, type RepairFlowServices } from './repairFlow.ts'
import { copyKey, makeRepairs, unfinished, type RepairsServices } from './repairs.ts'
import { check } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const sum = 'ab'.repeat(32)
const wrong = 'cd'.repeat(32)
const which = { name: 'a.warc.gz', replica: 'TWO' }
const key = copyKey(which)
const at = (second: number) => `2026-11-20T12:00:${String(second).padStart(2, '0')}.000Z`

function copy(name: string, changes: Partial<RepairableCopy> = {}): RepairableCopy {
  return {
    name,
    replica: 'TWO',
    state: 'missing',
    bytes: 5,
    registered: sum,
    sources: ['ONE'],
    blocker: null,
    ...changes,
  }
}

function outcome(changes: Partial<RepairOutcome> = {}): RepairOutcome {
  return {
    ...which,
    kind: 'replace',
    state: 'RUNNING',
    source: null,
    attic: null,
    conditions: [],
    message: message('repair.running'),
    by: 'user',
    begun: at(1),
    ended: null,
    audit: null,
    ...changes,
  }
}

function condition(name: RepairCondition['condition'], state: RepairCondition['state']): RepairCondition {
  return { condition: name, state, message: message('text', { text: `${name} is ${state}` }) }
}

const expectedIs = (state: RepairCondition['state']) => [condition('asConfirmed', 'met'), condition('expected', state)]
const repaired = outcome({ state: 'REPAIRED', ended: at(9), conditions: expectedIs('met') })
const refused = outcome({ state: 'REFUSED', ended: at(9), conditions: expectedIs('failed') })

function entry(changes: Partial<AtticEntry> = {}): AtticEntry {
  return {
    ...which,
    id: 1,
    sha256: wrong,
    bytes: 5,
    registered: sum,
    who: 'user',
    reason: message('attic.reason.checksum', { registered: 'a'.repeat(64) }),
    at: at(0),
    state: 'kept',
    where: '/two/attic/a',
    replaced: null,
    restoredAs: null,
    ...changes,
  }
}

/** An engine with given answers, whose repairs wait until the test ends them. */
function engine() {
  const tell = {
    repair: (_: RepairOutcome) => {},
    changed: (_: Record<string, never>) => {},
    task: (_: TaskSummary) => {},
  }
  const asked: { name: string; expected: string; found: string | null }[] = []
  const waiting: { resolve: (outcome: RepairOutcome) => void; reject: (fault: Fault) => void }[] = []
  const answers = {
    repairable: [] as RepairableCopy[],
    repairs: [] as RepairOutcome[],
    attic: [] as AtticEntry[],
    looks: [] as AtticCheck[],
    plan: {
      ...which,
      kind: 'replace',
      bytes: 5,
      registered: sum,
      found: wrong,
      unreadable: null,
      source: 'ONE',
      allowed: true,
      conditions: [],
    } as RepairPlan,
  }
  const archive: RepairsServices['archive'] & RepairFlowServices['archive'] = {
    repairable: async () => answers.repairable,
    repairs: async () => answers.repairs,
    attic: async () => answers.attic,
    checkAttic: async ({ id }) => answers.looks.filter((look) => id === undefined || look.id === id),
    repairPlan: async () => answers.plan,
    affected: () => Promise.reject(new Fault('notFound', 'not in this test')),
    repair: ({ name, expected, found }) => {
      asked.push({ name, expected, found })
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    repairChanged: (listener) => ((tell.repair = listener), () => undefined),
    changed: (listener) => ((tell.changed = listener), () => undefined),
  }
  const tasks: RepairsServices['tasks'] = { changed: (listener) => ((tell.task = listener), () => undefined) }
  const repairs = makeRepairs({ archive, tasks })
  const flow = makeRepairFlow({ archive }, repairs, which)
  return { archive, answers, asked, waiting, tell, repairs, flow, settled: () => vi.advanceTimersByTimeAsync(5_000) }
}

/** A flow after the inspection, at the second step. */
async function atExpected() {
  const made = engine()
  made.flow.open()
  await made.settled()
  made.flow.getState().go('expected')
  expect(made.flow.getState().step).toBe('expected')
  return made
}

describe('the steps of one repair', () => {
  test('inspection, checksum, conditions, outcome; the inspected copy is the confirmed one', async () => {
    const { flow, waiting, asked, tell, settled } = await atExpected()
    void flow.getState().repair(sum)
    tell.repair(outcome())
    expect(flow.getState().step).toBe('expected')
    tell.repair(outcome({ conditions: expectedIs('met') }))
    expect(flow.getState().step).toBe('conditions')
    tell.repair(repaired)
    expect(flow.getState().step).toBe('outcome')
    waiting[0]?.resolve(repaired)
    await settled()
    expect(flow.getState()).toMatchObject({ step: 'outcome', asked: false, outcome: { state: 'REPAIRED' } })
    expect(asked).toEqual([{ name: which.name, expected: sum, found: wrong }])
  })

  test('an unreadable copy is set aside only when the user allows it', async () => {
    const { flow, answers, asked, waiting, settled } = engine()
    answers.plan = { ...answers.plan, found: null, unreadable: message('disk.failed', { path: '/one/a' }) }
    flow.open()
    await settled()
    flow.getState().go('expected')
    void flow.getState().repair(sum)
    expect(asked).toEqual([])
    void flow.getState().repair(sum, true)
    expect(asked).toEqual([{ name: which.name, expected: sum, found: 'unreadable' }])
    waiting[0]?.resolve(repaired)
    await settled()
  })

  test('a wrong checksum never leads to the next step, in any order of reply and events', async () => {
    const events = [outcome(), outcome({ conditions: expectedIs('failed') }), refused, 'answer'] as const
    const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }).filter((order) => {
      // Events keep their order among themselves; the answer may come anywhere.
      const told = order.filter((each) => each !== 3)
      return told.join() === '0,1,2'
    })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { flow, waiting, tell, settled } = await atExpected()
        void flow.getState().repair(wrong)
        for (const each of order) {
          const news = events[each]
          if (news === 'answer') waiting[0]?.resolve(refused)
          else if (news) tell.repair(news)
          await vi.advanceTimersByTimeAsync(0)
          expect(flow.getState().step).toBe('expected')
        }
        await settled()
        expect(flow.getState()).toMatchObject({ step: 'expected', refused: wrong, asked: false })
      }),
      { numRuns: 20 },
    )
  })

  test('without any event the answer alone leads to the outcome', async () => {
    const { flow, waiting, settled } = await atExpected()
    void flow.getState().repair(sum)
    waiting[0]?.resolve(repaired)
    await settled()
    expect(flow.getState()).toMatchObject({ step: 'outcome', asked: false })
  })

  test('a second click does nothing, nor does a click while the copy is repaired from elsewhere', async () => {
    const { flow, asked, waiting, tell, settled } = await atExpected()
    void flow.getState().repair(sum)
    void flow.getState().repair(sum)
    expect(asked).toHaveLength(1)
    waiting[0]?.resolve(repaired)
    await settled()
    tell.repair(outcome({ begun: at(20) }))
    expect(flow.getState().step).toBe('conditions')
    void flow.getState().repair(sum)
    flow.getState().go('look')
    expect([asked.length, flow.getState().step]).toEqual([1, 'conditions'])
  })

  test('when the copy is already being repaired, the refusal and the progress of that repair are shown', async () => {
    const { flow, answers, waiting, tell, settled } = await atExpected()
    void flow.getState().repair(sum)
    answers.repairs = [outcome({ conditions: expectedIs('met') })]
    waiting[0]?.reject(new Fault('refused', 'it is being repaired already'))
    await settled()
    expect(flow.getState()).toMatchObject({ step: 'conditions', asked: false, fault: { code: 'refused' } })
    tell.repair(repaired)
    expect(flow.getState().step).toBe('outcome')
  })

  test('a reopened window shows the running repair; after a restart of the engine the copy is inspected again', async () => {
    const { flow, answers, repairs, settled } = engine()
    answers.repairs = [outcome({ conditions: expectedIs('met') })]
    await repairs.getState().load()
    flow.open()
    expect(flow.getState()).toMatchObject({ step: 'conditions', asked: false })
    answers.repairs = []
    await repairs.getState().load()
    await settled()
    expect(flow.getState()).toMatchObject({ step: 'look', plan: { is: 'ready' } })
  })

  test('an unreadable copy is confirmed as unreadable', async () => {
    const { flow, answers, asked, settled } = engine()
    answers.plan = { ...answers.plan, found: null, unreadable: message('disk.denied', { path: '/one/a' }) }
    flow.open()
    await settled()
    void flow.getState().repair(sum)
    expect(asked).toEqual([])
    void flow.getState().repair(sum, true)
    expect(asked).toEqual([{ name: which.name, expected: sum, found: 'unreadable' }])
  })

  test('a copy that cannot be repaired leads to no further step', async () => {
    const { flow, answers, settled } = engine()
    answers.plan = { ...answers.plan, allowed: false }
    flow.open()
    await settled()
    flow.getState().go('expected')
    expect(flow.getState().step).toBe('look')
  })

  test('a closed flow receives no more events', async () => {
    const { flow, tell } = await atExpected()
    flow.close()
    tell.repair(outcome({ conditions: expectedIs('met') }))
    expect(flow.getState().step).toBe('expected')
  })
})

describe('copies that are restored in a row', () => {
  const three = ['a', 'b', 'c'].map((name) => copy(name))
  const ended = (name: string, state: 'REPAIRED' | 'REFUSED') =>
    outcome({ name, state, ended: at(9), message: message('text', { text: name }) })

  test('each is tried after any outcome of the previous one, without confirming any existing copy', async () => {
    const { repairs, asked, waiting, settled } = engine()
    void repairs.getState().restoreRow(three)
    void repairs.getState().restoreRow(three)
    waiting[0]?.resolve(ended('a', 'REFUSED'))
    await settled()
    waiting[1]?.reject(new Fault('refused', 'busy'))
    await settled()
    waiting[2]?.resolve(ended('c', 'REPAIRED'))
    await settled()
    expect(asked).toEqual(three.map(({ name }) => ({ name, expected: sum, found: null })))
    expect(repairs.getState().row).toMatchObject({
      state: 'done',
      ended: [
        { name: 'a', state: 'REFUSED', text: 'a' },
        { name: 'b', state: 'FAILED', text: 'busy' },
        { name: 'c', state: 'REPAIRED' },
      ],
    })
  })

  test('when the engine is unreachable the others stay and do not count as failed', async () => {
    const { repairs, asked, waiting, settled } = engine()
    void repairs.getState().restoreRow(three)
    waiting[0]?.reject(new Fault('unreachable', 'gone'))
    await settled()
    expect(asked).toHaveLength(1)
    expect(repairs.getState().row).toMatchObject({ state: 'stopped', ended: [{ name: 'a', state: 'FAILED' }] })
  })

  test('stopped: the current repair is finished, and the others are not started', async () => {
    const { repairs, asked, waiting, settled } = engine()
    void repairs.getState().restoreRow(three)
    repairs.getState().stopRow()
    expect(repairs.getState().row?.state).toBe('stopping')
    waiting[0]?.resolve(ended('a', 'REPAIRED'))
    await settled()
    expect(asked).toHaveLength(1)
    expect(repairs.getState().row).toMatchObject({ state: 'stopped', ended: [{ name: 'a' }] })
  })
})

describe('events and answers', () => {
  test('a late progress event does not replace the outcome, but a new repair does', async () => {
    const { repairs, tell, answers } = engine()
    const state = () => repairs.getState().outcomes.get(key)?.state
    tell.repair(repaired)
    tell.repair(outcome({ conditions: expectedIs('met') }))
    expect(state()).toBe('REPAIRED')
    answers.repairs = [outcome()]
    await repairs.getState().load()
    expect(state()).toBe('REPAIRED')
    tell.repair(outcome({ begun: at(20) }))
    expect(state()).toBe('RUNNING')
    // The engine was restarted.
    answers.repairs = []
    await repairs.getState().load()
    expect(state()).toBeUndefined()
  })

  test('an answer from before a repair began does not remove it; one from after a restart of the engine does', async () => {
    const { repairs, tell, answers, settled } = engine()
    const loaded = repairs.getState().load()
    tell.repair(outcome())
    answers.repairs = [outcome()]
    const further = repairs.getState().load()
    await loaded
    expect(repairs.getState().outcomes.get(key)?.state).toBe('RUNNING')
    await further
    answers.repairs = []
    await repairs.getState().load()
    expect(repairs.getState().outcomes.get(key)).toBeUndefined()
    await settled()
  })

  test('an older list of repairable copies does not replace a newer one', async () => {
    const given: ((copies: RepairableCopy[]) => void)[] = []
    const repairable = () => new Promise<RepairableCopy[]>((resolve) => given.push(resolve))
    const tasks = { changed: () => () => undefined }
    const repairs = makeRepairs({ archive: { ...engine().archive, repairable }, tasks })
    const before = repairs.getState().load()
    const after = repairs.getState().load()
    given[1]?.([copy('now')])
    await after
    given[0]?.([copy('before')])
    await before
    expect(repairs.getState().repairable).toMatchObject({ value: [{ name: 'now' }] })
  })

  test('findings of a check are loaded', async () => {
    const { repairs, tell, answers, settled } = engine()
    await repairs.getState().load()
    answers.repairable = [copy('found')]
    tell.task(check())
    await settled()
    expect(repairs.getState().repairable).toMatchObject({ value: [{ name: 'found' }] })
  })

  test('a repair is unfinished when the good copy is still missing and no repair is running', () => {
    const running = new Map([[key, outcome()]])
    const rows: [AtticEntry, boolean][] = [
      [entry(), true],
      [entry({ state: 'open', where: null }), true],
      [entry({ replaced: at(5) }), false],
    ]
    for (const [each, expected] of rows) {
      expect(unfinished([each], new Map()).length > 0).toBe(expected)
      expect(unfinished([each], running)).toEqual([])
    }
  })

  test('a presence check does not replace the result of a verification unless it contradicts it', async () => {
    const { repairs, answers } = engine()
    const look = (state: AtticCheck['state']) => ({ id: 1, state, message: message('text', { text: state }) })
    const state = () => repairs.getState().looks.get(1)?.state
    answers.looks = [look('changed')]
    await repairs.getState().readEntry(1)
    answers.looks = [look('there')]
    await repairs.getState().checkPresence()
    expect(state()).toBe('changed')
    answers.looks = [look('gone')]
    await repairs.getState().checkPresence()
    expect(state()).toBe('gone')
    // Loading at each start and at each event of a check does not access a drive.
    answers.looks = [look('there')]
    await repairs.getState().load()
    expect(state()).toBe('gone')
  })
})
