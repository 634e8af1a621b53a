import { expect, test } from 'vitest'
import { harvestInput } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { draftFrom, draftOf, emptyDraft, inputFrom } from './definitionDraft.ts'

test('both ways', () => {
  const input = harvestInput.parse({
    ...{ name: 'News', kind: 'selective', schedule: 'Daily', objectsMax: 5, fields: { Person: 'Ann' } },
    configurations: [{ domain: 'a.example' }, { domain: 'b.example', configuration: 'weekly' }],
  })
  expect(inputFrom(draftOf(input))).toEqual(input)
  expect(draftOf(input).configurations).toBe('a.example\nb.example/weekly')
  expect(inputFrom(draftFrom(JSON.stringify(input)))).toEqual(input)
})

test('leaves out what a kind does not have', () => {
  const typed = { ...emptyDraft, name: ' All ', configurations: 'a.example', schedule: 'Daily', previous: 'Before' }
  expect(inputFrom({ ...typed, kind: 'snapshot' })).toMatchObject({
    ...{ name: 'All', schedule: null, previous: 'Before', configurations: [] },
  })
  expect(inputFrom({ ...typed, kind: 'event' })).toMatchObject({ schedule: null, previous: null })
})

test.each(['', 'no JSON', '{"kind":"other"}'])('says that %j is no harvest', (text) => {
  expect(draftFrom(text)).toMatchObject({ isUnreadable: true, name: '' })
})
