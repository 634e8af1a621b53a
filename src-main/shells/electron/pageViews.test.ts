import { expect, test } from 'vitest'
import { pageViews, viewsMax } from './pageViews.ts'

function opened() {
  const told: string[] = []
  const views = pageViews({
    make: (tab) => (told.push(`made ${tab}`), `view ${tab}`),
    drop: (view, tab, isClosed) => void told.push(`dropped ${view} of ${tab}${isClosed ? ', closed' : ''}`),
  })
  return { views, told }
}

test('a tab keeps its view while others are shown', () => {
  const { views, told } = opened()
  expect([views.of(1), views.of(2), views.of(1)]).toEqual(['view 1', 'view 2', 'view 1'])
  expect([views.known(2), views.known(3)]).toEqual(['view 2', undefined])
  expect(told).toEqual(['made 1', 'made 2'])
})

test('the view of a closed tab is dropped, and no other', () => {
  const { views, told } = opened()
  for (const tab of [1, 2, 3]) views.of(tab)
  views.keep([1, 3, 4])
  expect(told.slice(3)).toEqual(['dropped view 2 of 2, closed'])
})

test('beyond the limit the least recently used view is dropped, and created again when needed', () => {
  const { views, told } = opened()
  for (let tab = 1; tab <= viewsMax; tab += 1) views.of(tab)
  views.of(1)
  views.of(viewsMax + 1)
  expect(told.filter((text) => text.startsWith('dropped'))).toEqual(['dropped view 2 of 2'])
  views.of(2)
  expect(told.slice(-2)).toEqual(['made 2', 'dropped view 3 of 3'])
})
