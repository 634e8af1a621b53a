import { expect, test } from 'vitest'
import { listedRunsMax } from '../../src-main/contract/services/history.ts'
import { changesShown, isListed, runNumbersOf } from './runNumbers.ts'

const at = '2026-11-20T10:00:00.000Z'

test('reads the numbers of each run, and leaves out runs whose numbers are unknown', () => {
  const rows = [
    [3, 1, at, null, 4, 2, 23, 1],
    [2, 1, at, at, null, null, null, null],
    [1, 1, at, at, 0, 0, 0, 0],
  ]
  const numbers = runNumbersOf({ rows })
  expect([...numbers]).toEqual([
    [3, { new: 4, changed: 2, unchanged: 23, gone: 1 }],
    [1, { new: 0, changed: 0, unchanged: 0, gone: 0 }],
  ])
  expect([...numbers.values()].map(changesShown)).toEqual([
    [
      ['unchanged', 23],
      ['new', 4],
      ['gone', 1],
      ['changed', 2],
    ],
    [],
  ])
})

test('knows whose URLs are kept', () => {
  const last = listedRunsMax + 2
  expect([last, 2, 1].map((run) => isListed(run, last))).toEqual([true, true, false])
})
