/** The screens that the report's page links for each condition. */
import { message } from '../../../src-main/contract/words/message.ts'
import { textOf } from '../../../src-main/contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { conditions } from '../../../src-main/archive/report/ndsa.ts'
import { ways, waysTo, type Condition } from './conditionPlaces.ts'

const nothing = message('text', { text: '' })

describe('screens for a condition', () => {
  const judged = (id: string, state: Condition['state']): Condition => {
    const isChecked = conditions.some((one) => one.id === id && one.isMet !== undefined)
    return { id, state, level: 1, requirement: nothing, need: nothing, isChecked, isDeclarable: !isChecked }
  }

  test('are those of existing conditions', () => {
    const known = conditions.map(({ id }) => id)
    expect(Object.keys(ways).filter((id) => !known.includes(id))).toEqual([])
  })

  test('are none for conditions that are met or can only be declared', () => {
    expect(waysTo(judged('mediaDocumented', 'notMet')).map(({ to }) => to)).toEqual([{ place: 'settings' }])
    expect(waysTo(judged('mediaDocumented', 'met'))).toEqual([])
    for (const state of ['notMet', 'declared'] as const) expect(waysTo(judged('stableStorage', state))).toEqual([])
    expect(waysTo(judged('damageRepaired', 'notMet')).map(({ to }) => to)).toEqual([
      { place: 'archive', tab: 'repair' },
    ])
  })

  // A condition that the engine can see names a setting in its need exactly when it leads there.
  test.each(
    conditions
      .filter(({ isMet, need }) => isMet && !textOf(need).startsWith('Nothing'))
      .map(({ id, need }): [string, string] => [id, textOf(need)]),
  )('%s leads to where it is met', (id, need) => {
    const places = waysTo(judged(id, 'notMet')).map(({ to }) => to.place)
    expect(places.includes('settings')).toBe(/setting|preservation\./.test(need))
  })
})
