import { expect, test } from 'vitest'
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import { answersByTab, emptyTab, unloaded, shownTab, neighbourOf, withoutTab, type Tab, type Tabs } from './viewTabs.ts'

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

test('turning wraps around the ends', () => {
  expect([neighbourOf(three, 1), neighbourOf(three, -1)]).toEqual([3, 1])
  expect([neighbourOf({ ...three, shown: 3 }, 1), neighbourOf({ ...three, shown: 1 }, -1)]).toEqual([1, 3])
})

const front = 'http://a.example/'
const open = [at(1, front), at(2, `${front}one`), at(3, null)]

let answered = 0
const answer = (asked: Partial<Answer>): Answer => ({
  ...{ id: ++answered, view: 1, viewing: '', at: '2026-11-20T12:00:00Z', method: 'GET', url: `${front}x.js` },
  ...{ referrer: '', initiator: '', resourceType: '', navigation: false, by: 'exactCapture', found: true, status: 200 },
  ...{ mediaType: null, isAttachment: false, bytes: null, captured: null, capturedUrl: null, inexact: [] },
  ...{ truncated: null, job: null, file: null, offset: null, ...asked },
})
const frame = { url: 'https://b.example/', initiator: front, navigation: true, resourceType: 'iframe' }

test.each<[string, Partial<Answer>[], number, (number | undefined)[]]>([
  ['not stated: the likely one', [{}], 2, [2]],
  [
    'not stated, and the likely one names itself in other requests',
    [{ initiator: `${front}one` }, {}],
    2,
    [2, undefined],
  ],
  ['an inactive tab', [{ initiator: `${front}one` }], 1, [2]],
  ['an inactive tab, at the top of the site', [{ initiator: front }], 2, [1]],
  ['a frame of a tab, and what it asks for', [frame, { initiator: frame.url }], 2, [1, 1]],
  ['a page that another window shows', [{ initiator: 'http://other.example/' }], 1, [undefined]],
  ['a page that another window opens', [{ navigation: true, resourceType: 'document' }], 1, [undefined]],
])('an answer belongs to the tab that asked: %s', (_, asked, likely, owners) => {
  const answers = asked.map(answer)
  const byTab = [...answersByTab(answers, open, likely)]
  expect(answers.map((one) => byTab.find(([, own]) => own.includes(one))?.[0])).toEqual(owners)
})

test('an inactive tab keeps its page URL, but not its page', () => {
  const order = { number: 4, step: 'open' as const, url: 'http://a.example/' }
  expect(unloaded({ ...at(1, 'http://a.example/'), title: 'A', arriving: true, order })).toEqual({
    ...at(1, 'http://a.example/'),
    title: 'A',
  })
})
