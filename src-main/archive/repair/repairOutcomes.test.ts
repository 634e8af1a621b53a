import { expect, test } from 'vitest'
import type { RepairOutcome } from '../../contract/services/repairs.ts'
import { message } from '../../contract/words/message.ts'
import { repairsKeptMax } from '../files/limits.ts'
import { repairOutcomes } from './repairOutcomes.ts'

const outcome = (name: string, state: RepairOutcome['state']): RepairOutcome => ({
  ...{ name, replica: 'one', kind: 'restore', state, source: null, attic: null, conditions: [] },
  ...{ message: message('repair.running'), by: 'user', begun: '2026-01-01T00:00:00.000Z', ended: null, audit: null },
})
const names = (outcomes: readonly RepairOutcome[]) => outcomes.map(({ name, state }) => `${name} ${state}`)

test('each copy has one outcome, the last, and the most recently changed is listed last', () => {
  const outcomes = repairOutcomes()
  outcomes.report(outcome('a', 'RUNNING'))
  outcomes.report(outcome('b', 'RUNNING'))
  outcomes.report(outcome('a', 'REPAIRED'))
  expect(names(outcomes.known())).toEqual(['b RUNNING', 'a REPAIRED'])
})

test('a listener gets a copy, and nothing after it was removed', () => {
  const outcomes = repairOutcomes()
  const received: RepairOutcome[] = []
  const remove = outcomes.onChange((changed) => void received.push(changed))
  const changing = outcome('a', 'RUNNING')
  outcomes.report(changing)
  changing.state = 'FAILED'
  remove()
  outcomes.report(changing)
  expect(names(received)).toEqual(['a RUNNING'])
})

test('the oldest outcomes are forgotten, but no repair in progress', () => {
  const outcomes = repairOutcomes()
  outcomes.report(outcome('running', 'RUNNING'))
  for (let number = 0; number <= repairsKeptMax; number += 1) outcomes.report(outcome(`file ${number}`, 'REPAIRED'))
  const known = names(outcomes.known())
  expect(known).toHaveLength(repairsKeptMax)
  expect(known).toContain('running RUNNING')
  expect(known).not.toContain('file 0 REPAIRED')
})
