import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { message } from '../contract/words/message.ts'
import { openStore, type Store } from '../storage/storage.ts'
import type { Ending, KindRules, Task, TaskOrder, Work } from './task.ts'
import { openTasks, type Tasks } from './tasks.ts'

/** A clock that only the test advances. */
const time = { nowMs: 1_000_000, elapsedMs: 0 }
const clock = { now: () => time.nowMs, elapsed: () => time.elapsedMs, sleep: () => Promise.resolve() }
function wait(ms: number): void {
  time.nowMs += ms
  time.elapsedMs += ms
}

let store: Store
let tasks: Tasks
let heard: TaskSummary[]
let bugs: unknown[]

function opened(): Tasks {
  const made = openTasks({ store, world: { clock }, onBug: (error) => bugs.push(error) })
  made.onChange((task) => heard.push(task))
  return made
}

beforeEach(async () => {
  store = openStore(':memory:')
  heard = []
  bugs = []
  tasks = opened()
  await tasks.register('export')
})
afterEach(() => store.close())

const order = (more: Partial<TaskOrder> = {}): TaskOrder => ({
  subject: message('text', { text: 'a thing' }),
  startedBy: 'user',
  ...more,
})

/** Work that ends when its signal is aborted. */
const untilAborted: Work = ({ signal }) =>
  new Promise((_, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })

async function ended(work: Work, more: Partial<TaskOrder> = {}): Promise<TaskSummary> {
  return tasks.ended(tasks.begin('export', order(more), work).task)
}

describe('the work decides how a task ends', () => {
  const rows: [what: string, work: Work, expected: Partial<TaskSummary>][] = [
    ['finished', async () => ({ event: 'finished' }), { state: 'DONE' }],
    ['with findings', async () => ({ event: 'finishedWithFindings' }), { state: 'DONE_WITH_FINDINGS' }],
    ['in part', async () => ({ event: 'finishedInPart' }), { state: 'DONE_INCOMPLETE' }],
    [
      'failed',
      async () => ({ event: 'failed', code: 'noSpace', problem: message('text', { text: 'full' }) }),
      { state: 'FAILED', code: 'noSpace', problem: message('text', { text: 'full' }) },
    ],
    [
      'a fault that it throws',
      async () => {
        throw new Fault('unreachable', message('task.absent', { task: 7 }))
      },
      { state: 'FAILED', code: 'unreachable', problem: message('task.absent', { task: 7 }) },
    ],
  ]
  test.each(rows)('%s', async (_, work, expected) => {
    const task = await ended(work)
    expect(task).toMatchObject(expected)
    expect(task.ended).toBe(new Date(time.nowMs).toISOString())
    expect(heard.map(({ state }) => state)).toEqual(['RUNNING', task.state])
    expect(bugs).toEqual([])
  })
  test('any other error is a bug, which is reported', async () => {
    const bug = new Error('wrong')
    const task = await ended(async () => {
      throw bug
    })
    expect(task).toMatchObject({ state: 'FAILED', code: 'internal', problem: { code: 'task.broken' } })
    expect(bugs).toEqual([bug])
  })
})

test('the row has what the kind records, in the same transactions', async () => {
  store.statement('CREATE TABLE own (id INTEGER PRIMARY KEY, result TEXT)').run({})
  const one = store.statement<object, { id: number; result: string | null }>('SELECT * FROM own')
  const task = tasks.begin(
    'export',
    order({ record: (id) => void store.statement<{ id: number }>('INSERT INTO own (id) VALUES (@id)').run({ id }) }),
    async () => ({ event: 'finished', record: () => void store.statement("UPDATE own SET result = 'good'").run({}) }),
  )
  expect(one.get({})).toEqual({ id: task.task, result: null })
  await tasks.ended(task.task)
  expect(one.get({})).toEqual({ id: task.task, result: 'good' })
  const refusing = order({
    record() {
      throw new Error('no')
    },
  })
  expect(() => tasks.begin('export', refusing, untilAborted)).toThrow('no')
  expect(tasks.list({ limit: 10 })).toHaveLength(1)
})

describe('progress', () => {
  test('is announced a few times a second, stages at once, and the last is kept', async () => {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    const { task: id } = tasks.begin('export', order({ filesTotal: 4, stage: 'writing' }), async (task) => {
      for (let filesDone = 1; filesDone <= 4; filesDone++) {
        wait(100)
        task.progress({ filesDone, figures: { records: filesDone * 10 } })
      }
      task.stage('verifying')
      return promise
    })
    await Promise.resolve()
    expect(heard.map(({ filesDone, stage }) => [filesDone, stage])).toEqual([
      [0, 'writing'],
      [3, 'writing'],
      [4, 'verifying'],
    ])
    resolve({ event: 'finished' })
    const last = await tasks.ended(id)
    expect(last).toMatchObject({ filesDone: 4, filesTotal: 4, figures: { records: 40 }, runningMs: 400 })
    tasks = opened()
    await tasks.register('export')
    expect(tasks.list({ limit: 1 })).toEqual([last])
  })
  test('is in the database after some seconds, so a kill shows how far it came', async () => {
    let running: Task | undefined
    const { task: id } = tasks.begin('export', order(), (task) => {
      running = task
      return untilAborted(task)
    })
    await Promise.resolve()
    running?.progress({ filesDone: 1 })
    wait(6_000)
    running?.progress({ filesDone: 2 })
    wait(1_000)
    running?.progress({ filesDone: 3 })
    expect(tasks.one(id)).toMatchObject({ filesDone: 3, runningMs: 7_000 })
    tasks = opened()
    await tasks.register('export')
    expect(tasks.one(id)).toMatchObject({ state: 'INTERRUPTED', filesDone: 2, runningMs: 6_000 })
  })
})

describe('a stop', () => {
  test('is announced, waits for the work, and refuses a second one', async () => {
    const { task } = tasks.begin('export', order(), untilAborted)
    expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED', problem: null, canStop: false })
    expect(heard.map(({ state }) => state)).toEqual(['RUNNING', 'STOPPING', 'STOPPED'])
    await expect(tasks.stop(task)).rejects.toThrow(`Task ${task} is not running: its state is "Stopped".`)
    await expect(tasks.stop(99)).rejects.toMatchObject({ code: 'notFound' })
    expect(() => tasks.one(task, 'batch')).toThrow('There is no task')
  })
  test('that arrives too late keeps the result', async () => {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    const { task } = tasks.begin('export', order(), () => promise)
    const stopped = tasks.stop(task)
    resolve({ event: 'finished' })
    expect(await stopped).toMatchObject({ state: 'DONE' })
  })
  test('is a fault of the work when that fails meanwhile', async () => {
    const { task } = tasks.begin('export', order(), async ({ signal }) => {
      await untilAborted({ signal } as Task).catch(() => undefined)
      throw new Fault('noSpace', message('text', { text: 'full' }))
    })
    expect(await tasks.stop(task)).toMatchObject({ state: 'FAILED', code: 'noSpace' })
  })
})

describe('a task that waits', () => {
  test('begins when it may', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { task, state } = tasks.begin('export', order({ after: promise }), async () => ({ event: 'finished' }))
    expect(state).toBe('WAITING')
    resolve()
    await tasks.ended(task)
    expect(heard.map((each) => each.state)).toEqual(['WAITING', 'RUNNING', 'DONE'])
  })
  test('is stopped before its work begins', async () => {
    let isBegun = false
    const { task } = tasks.begin('export', order({ after: new Promise(() => {}) }), async () => {
      isBegun = true
      return { event: 'finished' }
    })
    expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED' })
    expect(isBegun).toBe(false)
  })
})

describe('a kind that can continue', () => {
  beforeEach(async () => {
    await tasks.register('batch', {
      resume: async (task) => {
        task.progress({ filesDone: 2 })
        return { event: 'finished' }
      },
    })
  })
  test('is paused and resumed, also after a restart, and its time and progress go on', async () => {
    const { task, canPause } = tasks.begin('batch', order(), (running) => {
      running.progress({ filesDone: 1 })
      wait(5)
      return untilAborted(running)
    })
    expect(canPause).toBe(true)
    expect(await tasks.pause(task)).toMatchObject({ state: 'PAUSED', ended: null, runningMs: 5, canResume: true })
    tasks = opened()
    await tasks.register('batch', {
      resume: async () => {
        wait(7)
        return { event: 'finished' }
      },
    })
    expect(tasks.one(task)).toMatchObject({ state: 'PAUSED', filesDone: 1 })
    expect(await tasks.resume(task)).toMatchObject({ state: 'RUNNING', canResume: false })
    expect(await tasks.ended(task)).toMatchObject({ state: 'DONE', runningMs: 12, filesDone: 1 })
    await expect(tasks.resume(task)).rejects.toThrow(/its state is "Done"/)
  })
  test('is resumed after a failure, and its problem is gone', async () => {
    const problem = message('text', { text: 'unplugged' })
    const { task } = tasks.begin('batch', order(), async () => ({ event: 'failed', code: 'unreachable', problem }))
    expect(await tasks.ended(task)).toMatchObject({ state: 'FAILED', problem })
    expect(await tasks.resume(task, 'schedule')).toMatchObject({
      ...{ state: 'RUNNING', startedBy: 'schedule', problem: null, code: null, ended: null },
    })
    expect(await tasks.ended(task)).toMatchObject({ state: 'DONE', filesDone: 2 })
  })
  test('is interrupted to make way for another', async () => {
    const { task } = tasks.begin('batch', order(), untilAborted)
    expect(await tasks.interrupt(task)).toMatchObject({ state: 'INTERRUPTED' })
    expect(await tasks.interrupt(task)).toMatchObject({ state: 'INTERRUPTED' })
  })
  test('others refuse both', async () => {
    const { task, canPause } = tasks.begin('export', order(), untilAborted)
    expect(canPause).toBe(false)
    await expect(tasks.pause(task)).rejects.toMatchObject({ code: 'refused' })
    await tasks.stop(task)
    await expect(tasks.resume(task)).rejects.toThrow(/has to be started again/)
  })
})

describe('what a kind does at moves', () => {
  const moves: string[] = []
  beforeEach(() => void moves.splice(0))
  const rules: KindRules = {
    resume: untilAborted,
    onMove: ({ state, startedBy }, event) => void moves.push(`${event} by ${startedBy}: ${state}`),
  }
  test('every move is reported in its transaction, also those at the next start', async () => {
    await tasks.register('batch', rules)
    const { task } = tasks.begin('batch', order({ startedBy: 'schedule' }), untilAborted)
    await tasks.pause(task)
    // A pause by the user is not ended by the schedule.
    await expect(tasks.resume(task, 'schedule')).rejects.toThrow('its state is "Paused"')
    await tasks.resume(task)
    tasks = opened()
    await tasks.register('batch', rules)
    await tasks.resume(task, 'schedule')
    await tasks.close()
    expect(moves).toEqual([
      'begun by schedule: RUNNING',
      'pause by schedule: PAUSING',
      'paused by schedule: PAUSED',
      'resume by user: RUNNING',
      'interrupted by user: INTERRUPTED',
      'autoResume by schedule: RUNNING',
      'interrupted by schedule: INTERRUPTED',
    ])
  })
  test('a resumption makes way first, and is refused as a whole when its kind refuses it', async () => {
    const made: string[] = []
    await tasks.register('batch', {
      ...rules,
      beforeResume: async ({ task }, by) => void made.push(`${task} by ${by}`),
      onMove(_, event) {
        if (event === 'resume') throw new Fault('refused', message('text', { text: 'busy' }))
      },
    })
    const { task } = tasks.begin('batch', order({ startedBy: 'schedule' }), untilAborted)
    const stopped = await tasks.stop(task)
    await expect(tasks.resume(task)).rejects.toThrow('busy')
    expect(tasks.one(task)).toEqual(stopped)
    expect(await tasks.resume(task, 'schedule')).toMatchObject({ state: 'RUNNING' })
    expect(made).toEqual([`${task} by user`, `${task} by schedule`])
    await tasks.close()
  })
})

describe('the end of the process', () => {
  test('interrupts what runs, and nothing more begins', async () => {
    const { task } = tasks.begin('export', order(), untilAborted)
    await tasks.close()
    expect(tasks.one(task)).toMatchObject({ state: 'INTERRUPTED' })
    expect(() => tasks.begin('export', order(), untilAborted)).toThrow(/being closed/)
  })
  test('by a kill: each kind settles its own tasks at the next start and informs the user', async () => {
    await tasks.register('batch')
    const exported = tasks.begin('export', order({ stage: 'verifying' }), untilAborted).task
    const other = tasks.begin('batch', order(), untilAborted).task
    void tasks.stop(tasks.begin('export', order({ after: new Promise(() => {}) }), () => new Promise(() => {})).task)
    tasks = opened()
    const problem = message('text', { text: 'the file is whole' })
    const seen: (string | null)[] = []
    await tasks.register('export', {
      onInterrupted: async ({ stage }) => {
        seen.push(stage)
        return stage ? problem : undefined
      },
    })
    expect(seen).toEqual(['verifying', null])
    expect(tasks.one(exported)).toMatchObject({ state: 'INTERRUPTED', problem })
    expect(tasks.list({ kind: 'export', limit: 1 })).toMatchObject([{ state: 'STOPPED', problem: null }])
    expect(tasks.one(other)).toMatchObject({ state: 'RUNNING' })
    // A kind that this process does not know is settled when the user stops it.
    expect(await tasks.stop(other)).toMatchObject({ state: 'STOPPED' })
  })
})

test('an end that cannot be recorded is reported, and the next start settles the task', async () => {
  const failing: Store = {
    ...store,
    transaction(act) {
      if (isFull) throw new Error('disk full')
      return store.transaction(act)
    },
  }
  let isFull = false
  tasks = openTasks({ store: failing, world: { clock }, onBug: (error) => bugs.push(error) })
  await tasks.register('export')
  const { task } = tasks.begin('export', order(), async () => {
    isFull = true
    return { event: 'finished' }
  })
  await tasks.ended(task)
  expect(bugs).toHaveLength(1)
  tasks = opened()
  await tasks.register('export')
  expect(tasks.one(task)).toMatchObject({ state: 'INTERRUPTED' })
})

test('only the newest ended tasks are kept where a kind limits them; active and paused ones always are', async () => {
  const kept = () => tasks.list({ kind: 'batch', limit: 10 }).map(({ task, state }) => `${task} ${state}`)
  await tasks.register('batch', { resume: untilAborted, endedMax: 2 })
  const paused = tasks.begin('batch', order(), untilAborted).task
  await tasks.pause(paused)
  const other = await ended(async () => ({ event: 'finished' }))
  for (let count = 0; count < 4; count++)
    await tasks.ended(tasks.begin('batch', order(), async () => ({ event: 'finished' })).task)
  const running = tasks.begin('batch', order(), untilAborted).task
  expect(kept()).toEqual([`${running} RUNNING`, `${running - 1} DONE`, `${running - 2} DONE`, `${paused} PAUSED`])
  expect(tasks.one(other.task).state).toBe('DONE')
  await tasks.close()
})
