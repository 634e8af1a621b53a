import { describe, expect, test } from 'vitest'
import { connectorModels, scanFor, type ConnectorModel, type Scan } from './scanPlan.ts'

type Row = [model: ConnectorModel, how: string, Scan]
/** `m` minimal, `c` continuous, `b` from the beginning. */
const rows: Row[] = [
  ['ALL', '', 'full'],
  ['ALL', 'm', 'full'],
  ['ALL', 'b', 'full'],
  ['ALL', 'c', 'incremental'],
  ['ALL', 'cb', 'incremental'],
  ['ADD', '', 'incremental'],
  ['ADD', 'm', 'none'],
  ['ADD', 'b', 'full'],
  ['ADD', 'mb', 'full'],
  ['ADD_CHANGE', '', 'incremental'],
  ['ADD_CHANGE', 'm', 'none'],
  ['ADD_CHANGE', 'b', 'full'],
  ['ADD_CHANGE_DELETE', '', 'none'],
  ['ADD_CHANGE_DELETE', 'm', 'none'],
  ['ADD_CHANGE_DELETE', 'b', 'existing'],
  ['PARTIAL', '', 'incremental'],
  ['PARTIAL', 'b', 'incremental'],
  ['PARTIAL', 'm', 'none'],
  ['CHAINED_ADD', '', 'incremental'],
  ['CHAINED_ADD', 'm', 'partial'],
  ['CHAINED_ADD', 'b', 'full'],
  ['CHAINED_ADD_CHANGE', 'm', 'partial'],
  ['CHAINED_ADD_CHANGE', 'mb', 'full'],
  ['CHAINED_ADD_CHANGE_DELETE', '', 'partial'],
  ['CHAINED_ADD_CHANGE_DELETE', 'b', 'existing'],
]

describe('the scan of a run', () => {
  test.each(rows)('%s %s: %s', (model, how, expected) => {
    const setting = { isMinimal: how.includes('m'), isContinuous: how.includes('c'), fromBeginning: how.includes('b') }
    expect(scanFor({ model, ...setting })).toBe(expected)
  })

  test('a minimal run removes nothing, unless everything is scanned or named each time', () => {
    for (const model of connectorModels.filter((name) => name !== 'ALL'))
      for (const isContinuous of [false, true])
        expect(scanFor({ model, isMinimal: true, isContinuous, fromBeginning: false }), model).not.toBe('full')
  })
})
