import { describe, expect, test } from 'vitest'
import { textOf } from '../words/render.ts'
import { accepts, isFinal, diagram, stateTable, type StateRow } from './stateTable.ts'
import * as machines from './states.ts'

const row = (on: StateRow['on'] = {}): StateRow => ({ tone: 'idle', on })
const to = (to: string) => ({ to, owner: 'loop' })

describe('an invalid table is refused when it is made', () => {
  const rows: [string, Record<string, StateRow>, RegExp][] = [
    ['a move to nowhere', { A: row({ go: to('B') }) }, /^t: A on go leads to B, which is not in the table$/],
    ['a move to a name that every object has', { A: row({ go: to('constructor') }) }, /leads to constructor/],
    ['a state that nothing leads to', { A: row(), B: row({ back: to('A') }) }, /^t: nothing leads to B$/],
    ['an island', { A: row(), B: row({ go: to('C') }), C: row({ go: to('B') }) }, /^t: nothing leads to B$/],
  ]
  test.each(rows)('%s', (_, table, problem) => {
    expect(() => stateTable('t', 'A', table)).toThrow(problem)
  })
})

const door = stateTable('door', 'OPEN', {
  OPEN: row({ shut: to('SHUT') }),
  SHUT: row({ open: to('OPEN'), lock: { to: 'LOCKED', owner: 'user' } }),
  LOCKED: row({ unlock: { to: 'SHUT', owner: 'user' } }),
})

test('next returns the target in the table, or undefined', () => {
  expect(door.next('OPEN', 'shut')).toBe('SHUT')
  expect(door.next('SHUT', 'lock')).toBe('LOCKED')
  expect(door.next('LOCKED', 'open')).toBeUndefined()
  expect(door.states).toEqual(['OPEN', 'SHUT', 'LOCKED'])
  expect(door.moves).toHaveLength(4)
})

test('a state accepts the events of its row; a state without events is final', () => {
  const job = stateTable('job', 'RUNNING', { RUNNING: row({ stop: to('STOPPED') }), STOPPED: row({}) })
  expect([accepts(job, 'RUNNING', 'stop'), accepts(job, 'STOPPED', 'stop')]).toEqual([true, false])
  expect([isFinal(job, 'RUNNING'), isFinal(job, 'STOPPED')]).toEqual([false, true])
  // A state of a newer version.
  expect([accepts(job, 'RESTING', 'stop'), isFinal(job, 'RESTING')]).toEqual([false, false])
})

test('the diagram has the initial state and every move, in the order of the table', () => {
  expect(diagram(door).split('\n')).toEqual([
    'stateDiagram-v2',
    '  [*] --> OPEN',
    '  OPEN --> SHUT: shut (loop)',
    '  SHUT --> OPEN: open (loop)',
    '  SHUT --> LOCKED: lock (user)',
    '  LOCKED --> SHUT: unlock (user)',
  ])
})

describe.each(Object.entries(machines))('%s', (name, machine) => {
  test('is named after itself', () => {
    expect(machine.name).toBe(name)
  })
  test.each(Object.entries(machine.rows))('%s has a meaning and a short badge', (state, { meaning, badge }) => {
    // Names are used in SQL without escaping.
    expect(state).toMatch(/^[A-Z_]+$/)
    expect(textOf(meaning)).toMatch(/^[A-Z].*\.$/)
    expect(textOf(badge).split(' ').length).toBeLessThanOrEqual(3)
  })
  test('names of events and owners are words', () => {
    for (const { event, owner } of machine.moves) expect(`${event} ${owner}`).toMatch(/^[a-z][A-Za-z]* [a-z][A-Za-z]*$/)
  })
})
