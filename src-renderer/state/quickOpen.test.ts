import { expect, test } from 'vitest'
import type { FoundName } from '../../src-main/contract/services/quickOpen.ts'
import type { Setting } from '../../src-main/contract/services/settings.ts'
import { translate } from '../words/language.ts'
import { groupsOf, makeQuickOpen, matching, offered, ownChoices } from './quickOpen.ts'
import { servicesWith } from './testing/storeFixtures.ts'

const own = ownChoices(translate, [{ path: 'harvest.delayMs', meaning: 'Pause between requests' } as Setting])
const labels = (text: string) => matching(own, text).map(({ label }) => label)

test('without a text, the commands', () => {
  expect(labels(' ')).toContain('New harvest…')
  expect(labels('')).toHaveLength(own.filter(({ group }) => group === 'command').length)
})

test('a screen or a setting is found by a word, a part, its meaning, or its characters in order', () => {
  expect(labels('arch')[0]).toMatch(/^Archive/)
  expect(labels('xyzzy')).toEqual([])
  expect(labels('delay')).toEqual(['harvest.delayMs'])
  expect(labels('pause between')).toEqual(['harvest.delayMs'])
  expect(labels('hvdly')).toEqual(['harvest.delayMs'])
})

test('what the engine finds follows the commands, in groups of a bounded size', () => {
  const found: FoundName[] = [
    ...Array.from({ length: 20 }, (_, at): FoundName => ({ kind: 'domain', id: at + 1, name: `a${at}.test` })),
    { kind: 'job', id: 3, name: 'spring' },
  ]
  const groups = offered({ text: '', found, pages: ['http://a.test/'] }, own, translate)
  expect(groups.map(({ group, choices }) => [group, choices.length])).toEqual([
    ['command', 8],
    ['job', 1],
    ['domain', 8],
    ['page', 1],
  ])
  expect(groups[1]?.choices[0]).toMatchObject({ label: 'Job 3: spring', does: { route: { place: 'job', job: 3 } } })
  expect(groupsOf([])).toEqual([])
  const fitting = offered({ text: 'a1', found, pages: [] }, [], translate)
  expect(fitting[0]?.choices[0]).toMatchObject({ label: 'a1.test' })
})

test('an answer that comes after the answer to a later text is dropped', async () => {
  const answers = new Map<string, (rows: FoundName[]) => void>()
  const services = servicesWith({
    quickOpen: {
      find: ({ text }) =>
        new Promise((resolve) => answers.set(text, (rows) => resolve({ rows, isComplete: text === 'ab' }))),
    },
    viewer: { suggest: () => Promise.resolve([]) },
  })
  const store = makeQuickOpen(services)
  const asked = ['a', 'ab'].map((text) => store.getState().ask(text))
  await expect.poll(() => answers.size).toBe(2)
  answers.get('ab')?.([{ kind: 'job', id: 2, name: 'ab' }])
  await asked[1]
  answers.get('a')?.([{ kind: 'job', id: 1, name: 'a' }])
  await asked[0]
  expect(store.getState()).toMatchObject({ text: 'ab', found: [{ id: 2 }], isReading: false })
})
