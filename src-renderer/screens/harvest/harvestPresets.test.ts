import { expect, test } from 'vitest'
import { defined, emptyDraft } from './harvestDraft.ts'
import { harvestPresets, presetFields, presetOf, type HarvestPreset } from './harvestPresets.ts'

const drafted = (preset: HarvestPreset) => ({
  ...{ ...emptyDraft, seeds: 'http://a.test/', name: 'typed' },
  ...presetFields(preset, 'Europe/Berlin'),
})

test.each<[HarvestPreset, object]>([
  ['page', { scope: 'host', maxHops: 0, name: 'typed' }],
  ['site', { scope: 'host', name: 'typed' }],
  [
    'news',
    {
      maxHops: 1,
      schedule: {
        startMethod: 'WINDOWBEGIN',
        records: [{ minutes: [0], hours: null, timeZone: 'Europe/Berlin', durationMinutes: 50, minimal: true }],
      },
    },
  ],
])('%s is a definition as it is', (preset, definition) => {
  expect(defined(drafted(preset))).toMatchObject({ definition })
})

test('a site has no limits', () => {
  const made = defined(drafted('site'))
  expect('definition' in made && made.definition.maxHops).toBeUndefined()
})

test('a login has to be filled in', () => {
  expect(defined(drafted('login'))).toMatchObject({ problems: { login: {} } })
})

test('what was chosen is recognised until one of its fields is changed, and a later choice leaves nothing of an earlier one', () => {
  for (const preset of harvestPresets) expect(presetOf(drafted(preset), 'Europe/Berlin')).toBe(preset)
  expect(presetOf({ ...drafted('page'), maxHops: 2 }, 'Europe/Berlin')).toBeNull()
  expect(presetOf({ ...drafted('news'), ...presetFields('site', 'UTC') }, 'UTC')).toBe('site')
})
