import { expect, test } from 'vitest'
import { everySetting, isEverySetting, isShown } from './settingSearch.ts'

const workers = { path: 'harvest.workers', meaning: 'Requests at the same time.', source: 'default' } as const

test('a setting is found by its path, its explanation and its group, in any order of words', () => {
  const found = (text: string) => isShown(workers, 'Harvesting', { ...everySetting, text })
  expect(['', '  ', 'workers', 'TIME requests', 'harvesting same'].map(found)).toEqual([true, true, true, true, true])
  expect(found('requests viewer')).toBe(false)
})

test('only changed settings are shown if that is asked for', () => {
  const changed = { text: '', isChangedOnly: true }
  expect(isShown(workers, '', changed)).toBe(false)
  expect(isShown({ ...workers, source: 'user' }, '', changed)).toBe(true)
  expect([isEverySetting(everySetting), isEverySetting(changed)]).toEqual([true, false])
})
