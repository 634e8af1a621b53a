import { expect, test } from 'vitest'
import { jobStatements } from '../jobs.sql.ts'
import { madeList } from '../recrawl/madeList.ts'
import { putBackUnseen } from './clockWatch.ts'

const hourMs = 3_600_000
const now = (list: ReturnType<typeof madeList>) => list.world.clock.now()

test.each([
  ['set back while no engine ran: retries are as far ahead as before', -9 * hourMs, 700 - 9 * hourMs],
  ['kept right by the network', -300, 700],
  ['set forward', 9 * hourMs, 700],
])('a clock that was %s', (_, byMs, expectedMs) => {
  const list = madeList()
  const beganMs = now(list)
  list.add({ url: 'a', state: 'PENDING', dueMs: beganMs + 700 })
  list.add({ url: 'b', state: 'PENDING', dueMs: beganMs - 10 * hourMs })
  list.add({ url: 'c', state: 'ACTIVE', dueMs: beganMs + 700 })
  const sql = jobStatements(list.store)
  sql.addEvent.run({ job: list.job, nowMs: beganMs, level: 'info', text: 'next try in 0.7 s' })
  list.world.setClock(byMs)
  putBackUnseen({ store: list.store, sql, world: list.world })
  expect(list.column('due_ms')).toEqual({
    ...{ a: beganMs + expectedMs, b: beganMs - 10 * hourMs },
    // A kill had left it in hands.
    c: beganMs + expectedMs,
  })
})

test('a clock that was set back too late to be seen, and what was written since', () => {
  const list = madeList()
  const beganMs = now(list)
  list.add({ url: 'a', state: 'PENDING', dueMs: beganMs + 700 })
  const sql = jobStatements(list.store)
  const say = (text: string) => sql.addEvent.run({ job: list.job, nowMs: now(list), level: 'info', text })
  say('next try in 0.7 s')
  list.world.setClock(-9 * hourMs)
  say('stopped')
  const start = () => {
    putBackUnseen({ store: list.store, sql, world: list.world })
    return list.column('due_ms')
  }
  const moved = { a: beganMs + 700 - 9 * hourMs }
  expect(start()).toEqual(moved)
  // Once is enough.
  expect(start()).toEqual(moved)
})
