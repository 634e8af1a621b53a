import { expect, test } from 'vitest'
import type { Answer, ViewError } from '../../src-main/contract/services/viewer.ts'
import { byDistance, distanceMsMaxOf, groupOf, spanOf, type PageGroup } from './pageGroups.ts'

const distanceMsMax = 86_400_000
const noon = '2011-05-03T12:00:00Z'

function answer(changes: Partial<Answer> = {}): Answer {
  return {
    ...{ id: 2, view: 1, viewing: '', at: noon, method: 'GET', url: 'http://a.example/part' },
    ...{ referrer: '', initiator: '' },
    ...{ resourceType: '', navigation: false, by: 'exactCapture', found: true, status: 200, mediaType: null },
    ...{
      bytes: null,
      captured: noon,
      capturedUrl: null,
      inexact: [],
      truncated: null,
      isAttachment: false,
      job: 1,
      file: null,
      offset: null,
    },
    ...changes,
  }
}

const page = answer({ id: 1, url: 'http://a.example/', navigation: true })
const unreadable: ViewError = {
  ...{ id: 1, view: 1, viewing: '', url: 'http://a.example/part', referrer: '', initiator: '', resourceType: '' },
  ...{
    method: 'GET',
    times: 1,
    first: noon,
    last: noon,
    why: { code: 'text', values: { text: 'cut' } },
    kind: 'unreadable',
    status: null,
    file: 'a.warc',
    offset: 0,
  },
}

test.each<[string, Partial<Answer>, PageGroup, ViewError[]?]>([
  ['of the same harvest', {}, 'sameJob'],
  ['hours later, in the same harvest', { captured: '2011-05-03T20:00:00Z' }, 'sameJob'],
  ['of another job', { job: 2 }, 'otherJobs'],
  ['of another time, in any job', { job: 2, captured: '2011-05-06T12:00:00Z' }, 'otherTime'],
  ['another URL, at any time', { inexact: ['campaign'], captured: '2009-01-01T00:00:00Z' }, 'inexact'],
  ['an archived error', { status: 404 }, 'errors'],
  ['truncated, in any job', { job: 2, truncated: 'length' }, 'truncated'],
  ['an archived error, truncated', { status: 404, truncated: 'length' }, 'errors'],
  ['with an unreadable capture', {}, 'errors', [unreadable]],
  ['with an unreadable capture in another view', {}, 'sameJob', [{ ...unreadable, view: 2 }]],
  ['missing', { found: false, status: 404, by: 'missing' }, 'missing'],
  ['captured but unreadable', { found: false, status: 503, by: 'missing' }, 'errors'],
  ['forbidden by an access rule', { found: false, status: 451, by: 'access' }, 'own'],
])('%s', (_, changes, group, errors = []) => {
  expect(groupOf(answer(changes), { page, errors, distanceMsMax })).toBe(group)
})

test.each<[string, (string | null)[], [string, string] | null]>([
  ['no parts', [], null],
  ['all within a day', ['2011-05-04T11:00:00Z', '2011-05-02T12:00:00Z', null], null],
  ['before', ['2011-04-30T12:00:00Z', noon], ['2011-04-30T12:00:00Z', noon]],
  [
    'before and after',
    ['2013-05-03T12:00:00Z', '2011-04-30T12:00:00Z'],
    ['2011-04-30T12:00:00Z', '2013-05-03T12:00:00Z'],
  ],
])('the span of a page and its parts: %s', (_, times, span) => {
  const parts = times.map((captured, index) => answer({ id: index + 2, captured }))
  expect(spanOf([page, ...parts], { page, distanceMsMax })).toEqual(
    span && { page: noon, first: span[0], last: span[1] },
  )
})

test('a page without a capture time has no time span', () => {
  expect(spanOf([answer()], { page: null, distanceMsMax })).toBeNull()
  expect(spanOf([answer()], { page: { ...page, captured: null }, distanceMsMax })).toBeNull()
})

test('the setting gives the distance from which captures are of another time', () => {
  const hours = (value: number) => distanceMsMaxOf([{ path: 'viewer.captureDistanceHoursMax', value }])
  const later = answer({ captured: '2011-05-03T14:00:00Z' })
  expect(groupOf(later, { page, errors: [], distanceMsMax: hours(1) })).toBe('otherTime')
  expect(groupOf(later, { page, errors: [], distanceMsMax: hours(2) })).toBe('sameJob')
  expect(spanOf([later], { page, distanceMsMax: hours(1) })).not.toBeNull()
  expect(distanceMsMaxOf(undefined)).toBe(Infinity)
})

test('the most distant capture is listed first, and those without a time last', () => {
  const times = [null, noon, '2011-05-04T12:00:00Z', '2010-05-04T12:00:00Z']
  const parts = times.map((captured, id) => answer({ id, captured }))
  expect(byDistance(parts, page).map(({ id }) => id)).toEqual([3, 2, 1, 0])
})
