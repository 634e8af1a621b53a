import { jobLogOf } from '../model/jobLog.ts'
import { message } from '../../contract/words/message.ts'
import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { clockStatements, moveGivingUpSql } from '../model/clock.sql.ts'
import { crawlListFixture } from '../settle/testing/crawlListFixture.ts'
import { neverMs } from '../model/limits.ts'
import { clockWatch, shiftBackUnseen, shiftDueTimes } from './clockWatch.ts'

const hourMs = 3_600_000
const now = (list: ReturnType<typeof crawlListFixture>) => list.world.clock.now()

test.each([
  ['set back while no engine ran: retries are as far ahead as before', -9 * hourMs, 700 - 9 * hourMs],
  ['kept right by the network', -300, 700],
  ['set forward', 9 * hourMs, 700],
])('a clock that was %s', (_, byMs, expectedMs) => {
  const list = crawlListFixture()
  const beganMs = now(list)
  list.add({ url: 'a', state: 'PENDING', dueMs: beganMs + 700 })
  list.add({ url: 'b', state: 'PENDING', dueMs: beganMs - 10 * hourMs })
  list.add({ url: 'c', state: 'ACTIVE', dueMs: beganMs + 700 })
  const sql = clockStatements(list.store)
  jobLogOf(list.store).add({ job: list.job, nowMs: beganMs, level: 'info', message: message('jobLog.stopped') })
  list.world.setClock(byMs)
  shiftBackUnseen({ store: list.store, sql, world: list.world })
  expect(list.column('due_ms')).toEqual({
    ...{ a: beganMs + expectedMs, b: beganMs - 10 * hourMs },
    // In progress when the engine was killed.
    c: beganMs + expectedMs,
  })
})

test('due times move if recorded times show that the clock was set back unnoticed', () => {
  const list = crawlListFixture()
  const beganMs = now(list)
  list.add({ url: 'a', state: 'PENDING', dueMs: beganMs + 700 })
  const sql = clockStatements(list.store)
  const log = (text: string) =>
    jobLogOf(list.store).add({ job: list.job, nowMs: now(list), level: 'info', message: message('text', { text }) })
  log('next try in 0.7 s')
  list.world.setClock(-9 * hourMs)
  log('stopped')
  const start = () => {
    shiftBackUnseen({ store: list.store, sql, world: list.world })
    return list.column('due_ms')
  }
  const moved = { a: beganMs + 700 - 9 * hourMs }
  expect(start()).toEqual(moved)
  // A second call changes nothing.
  expect(start()).toEqual(moved)
})

const looks: [string, (world: ReturnType<typeof seededWorld>) => void, number][] = [
  ['nothing happens', () => undefined, 0],
  ['the network keeps the clock right', (world) => world.setClock(-300), 0],
  ['it is set back', (world) => world.setClock(-9 * hourMs), -9 * hourMs],
  ['it is set forward, or stood still in a suspend', (world) => world.setClock(9 * hourMs), 9 * hourMs],
  ['the thread is busy for a while', (world) => world.suspend(20_000), 0],
  ['both clocks go on in a suspend', (world) => world.suspend(9 * hourMs), 9 * hourMs - 30_000],
]
test.each(looks)('the measured jump when %s', (_, happen, expectedMs) => {
  const world = seededWorld({ seed: 1 })
  const watch = clockWatch({ world })
  happen(world)
  expect(watch.deviationMs()).toBe(expectedMs)
  // A second call changes nothing.
  expect(watch.deviationMs()).toBe(0)
})

const moves: [string, number, { due: number; failing: number; ready: number }][] = [
  ['back: the remaining waits stay the same', -9 * hourMs, { due: 700, failing: 5_000, ready: 300 }],
  [
    'forward: documents due in the meantime are due, and deadlines for unavailable servers move',
    9 * hourMs,
    { due: 700 - 9 * hourMs, failing: 5_000, ready: 300 - 9 * hourMs },
  ],
]
test.each(moves)('due times when the clock is set while an engine runs: %s', (_, byMs, expected) => {
  const list = crawlListFixture()
  const beganMs = now(list)
  list.add({ url: 'retry', state: 'PENDING', dueMs: beganMs + 700 })
  list.add({ url: 'never', state: 'PENDINGPURGATORY', dueMs: neverMs })
  const run = (sql: string) => list.store.statement<object>(sql).run({})
  run(`UPDATE document SET fail_ms = ${beganMs + 5_000} WHERE url = 'retry'`)
  run(`UPDATE host SET ready_ms = ${beganMs + 300}`)
  list.world.setClock(byMs)
  const logged: string[] = []
  shiftDueTimes(
    {
      ...{ store: list.store, world: list.world, sql: clockStatements(list.store) },
      running: () => [{ id: list.job, state: 'ACTIVE' }],
      log: (_, _level, { code }) => void logged.push(code),
    },
    byMs,
  )
  const column = (sql: string) => list.store.statement<object, { ms: number }>(sql).get({})!.ms - now(list)
  expect({
    due: (list.column('due_ms')['retry'] as number) - now(list),
    failing: column(`SELECT fail_ms AS ms FROM document WHERE url = 'retry'`),
    ready: column('SELECT ready_ms AS ms FROM host'),
  }).toEqual(expected)
  expect(list.column('due_ms')['never']).toBe(neverMs)
  expect(logged).toEqual([byMs < 0 ? 'jobLog.clock.back' : 'jobLog.clock.forward'])
})

test('documents in a series of failures are found by an index', () => {
  const { store } = crawlListFixture()
  const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${moveGivingUpSql}`)
  expect(plan.all({ byMs: 1 }).map(({ detail }) => detail)).toEqual(['SCAN document USING INDEX document_failing'])
})
