import { expect, test } from 'vitest'
import type { ReplicaEvent } from '../../../src-main/contract/services/replicas.ts'
import { marksOf, outcomeOf } from './historyMarks.ts'

const event: ReplicaEvent = {
  kind: 'checksums',
  number: 1,
  at: '2026-11-20T12:00:00Z',
  begunBy: 'user',
  files: 3,
  filesTotal: 3,
  findings: 0,
  state: 'done',
}

const rows: [changes: Partial<ReplicaEvent>, outcome: string][] = [
  [{}, 'fine'],
  [{ kind: 'spot' }, 'fine'],
  [{ findings: 1 }, 'damage'],
  // Findings count, also those of an incomplete check.
  [{ findings: 1, state: 'unfinished' }, 'damage'],
  [{ state: 'unfinished' }, 'unfinished'],
  [{ kind: 'repair' }, 'repaired'],
  [{ kind: 'repair', state: 'unfinished' }, 'unfinished'],
]
test.each(rows)('%j is %s', (changes, outcome) => expect(outcomeOf({ ...event, ...changes })).toBe(outcome))

test('shows the most recent events, the oldest first', () => {
  const marks = marksOf(Array.from({ length: 100 }, (_, index) => ({ ...event, number: index + 1 })))
  expect([marks[0]?.number, marks.at(-1)?.number]).toEqual([77, 100])
})
