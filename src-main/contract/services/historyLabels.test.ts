import { expect, test } from 'vitest'
import { comparisons } from '../shapes/comparisons.ts'
import { documentStates } from '../states/documentStates.ts'
import { textOf } from '../words/render.ts'
import { activityKinds, type CellKind } from './history.ts'
import { labelOf } from './historyLabels.ts'

const labels: [kind: CellKind, value: string, label: string | undefined][] = [
  ['activity', 'jobEnd', 'Job ended'],
  ['activity', 'ofALaterVersion', undefined],
  ['state', 'COMPLETE', 'Done'],
  ['state', 'OF_A_LATER_VERSION', undefined],
  ['action', 'rescan', 'Recheck'],
  ['action', 'ofALaterVersion', undefined],
  ['result', 'ERROR', 'Error'],
  ['result', 'taken', 'Captured'],
  ['result', 'ACTIVE', 'Running'],
  ['result', 'DOWNLOAD_COMPLETE', 'Completed: all URLs in scope were visited.'],
  ['result', '404', undefined],
  ['comparison', 'gone', 'Gone'],
  ['comparison', 'ofALaterVersion', undefined],
  ['text', 'fetch', undefined],
]

test.each(labels)('%s %s', (kind, value, label) => {
  const found = labelOf(kind, value)
  expect(found && textOf(found)).toBe(label)
})

test('every kind of activity and state has a label, and so have reasons', () => {
  const values: [CellKind, readonly string[]][] = [
    ['activity', activityKinds],
    ['state', documentStates.states],
    ['result', ['robots', 'timeout']],
    ['comparison', comparisons],
  ]
  const unnamed = values.flatMap(([kind, names]) => names.filter((name) => labelOf(kind, name) === undefined))
  expect(unnamed).toEqual([])
})
