import { expect, test } from 'vitest'
import { observing, pacesOf } from './jobPaces.ts'

const point = (seconds: number, documents: number, bytes = documents * 10) => ({ seconds, documents, bytes })

test('the speed is that since the point before, and the first is since the beginning', () => {
  expect(pacesOf([point(20, 40), point(40, 50)], [])).toEqual([
    { seconds: 20, documentsPerSecond: 2, bytesPerSecond: 20 },
    { seconds: 40, documentsPerSecond: 0.5, bytesPerSecond: 5 },
  ])
})

test('what was observed continues what is stored, without what both have', () => {
  const paces = pacesOf([point(20, 40)], [point(10, 20), point(20.5, 41), point(22, 44)])
  expect(paces.map(({ seconds, documentsPerSecond }) => [seconds, documentsPerSecond])).toEqual([[20, 2], [22, 2]]) // prettier-ignore
})

test('points too close to each other, and counts that fall, give no speed', () => {
  expect(pacesOf([point(20, 40), point(20.2, 41)], [])).toHaveLength(1)
  expect(pacesOf([point(20, 40), point(40, 30)], []).map(({ documentsPerSecond }) => documentsPerSecond)).toEqual([2, 0]) // prettier-ignore
})

test('a new run starts a new list of points, and the list is bounded', () => {
  expect(observing([point(30, 40)], point(1, 2))).toEqual([point(1, 2)])
  expect(observing([point(30, 40)], point(30.5, 41))).toEqual([point(30, 40)])
  let points = [point(0, 0)]
  for (let second = 1; second < 200; second++) points = observing(points, point(second, second))
  expect(points).toHaveLength(60)
  expect(points.at(-1)).toEqual(point(199, 199))
})
