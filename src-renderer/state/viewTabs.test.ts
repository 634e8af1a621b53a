import { expect, test } from 'vitest'
import { emptyTab, ownerOf, setDown, shownTab, tabBeside, withoutTab, type Tab, type Tabs } from './viewTabs.ts'

const at = (id: number, address: string | null): Tab => ({ ...emptyTab(id), address })
const three: Tabs = { tabs: [at(1, null), at(2, null), at(3, null)], shown: 2 }

test.each<[string, Tabs, number, number[], number]>([
  ['another than the shown one', three, 1, [2, 3], 2],
  ['the shown one: the one to its right', three, 2, [1, 3], 3],
  ['the shown one at the end: the one to its left', { ...three, shown: 3 }, 3, [1, 2], 2],
  ['the last one: an empty one', { tabs: [at(1, 'http://a.example/')], shown: 1 }, 1, [9], 9],
])('closing %s', (_, before, closed, left, shown) => {
  const after = withoutTab(before, closed, 9)
  expect([after.tabs.map(({ id }) => id), after.shown]).toEqual([left, shown])
  expect(shownTab(after).id).toBe(shown)
})

test('turning goes round the ends', () => {
  expect([tabBeside(three, 1), tabBeside(three, -1)]).toEqual([3, 1])
  expect([tabBeside({ ...three, shown: 3 }, 1), tabBeside({ ...three, shown: 1 }, -1)]).toEqual([1, 3])
})

const open = [at(1, 'http://a.example/'), at(2, 'http://a.example/one'), at(3, null)]

const own = 'http://a.example/x.js'
const foreign = 'https://b.example/x.js'

test.each<[string, string, string, number, number]>([
  ['nobody says', own, '', 2, 2],
  ['a tab that is not shown', own, 'http://a.example/one', 1, 2],
  ['a tab that is not shown, at the top of the site', own, 'http://a.example/', 2, 1],
  ['the shown one, of which others are told only the origin', foreign, 'http://a.example/', 2, 2],
  ['no tab, a frame say', foreign, 'https://b.example/', 3, 3],
])('an answer belongs to the tab that asked: %s', (_, url, initiator, likely, owner) => {
  expect(ownerOf({ url, initiator }, open, likely)).toBe(owner)
})

test('a tab that is set down keeps where it is, and nothing of what was shown', () => {
  const order = { number: 4, step: 'open' as const, url: 'http://a.example/' }
  expect(setDown({ ...at(1, 'http://a.example/'), title: 'A', arriving: true, order })).toEqual({
    ...at(1, 'http://a.example/'),
    title: 'A',
  })
})
