import { expect, test } from 'vitest'
import { placeOf, routeOfPlace, type SearchPlace } from './searchPlace.ts'

const text: SearchPlace = { mode: 'text', query: '', match: 'prefix', jobs: [] }

test.each<[filter: string | undefined, place: SearchPlace]>([
  [undefined, text],
  ['q=%22a+b%22+host%3Aa.example', { ...text, query: '"a b" host:a.example' }],
  ['in=urls', { ...text, mode: 'urls' }],
  [
    'in=urls&q=a.example%2F*&match=pattern&jobs=1%2C2',
    { mode: 'urls', query: 'a.example/*', match: 'pattern', jobs: [1, 2] },
  ],
])('%s both ways', (filter, place) => {
  expect(placeOf(filter)).toEqual(place)
  expect(routeOfPlace(place)).toEqual({ place: 'search', ...(filter !== undefined && { filter }) })
})

test('what is not understood is left out', () =>
  expect(placeOf('in=all&match=some&jobs=x,0,3')).toEqual({ ...text, jobs: [3] }))
