import { expect, test } from 'vitest'
import { hrefOf, routeOf, type Route } from './routes.ts'

test.each<[string, Route]>([
  ['#/', { place: 'start' }],
  ['#/jobs', { place: 'jobs' }],
  ['#/jobs/3', { place: 'job', job: 3 }],
  ['#/viewer', { place: 'viewer', jobs: [] }],
  ['#/viewer?jobs=1,2', { place: 'viewer', jobs: [1, 2] }],
  ['#/archive', { place: 'archive' }],
  ['#/settings', { place: 'settings' }],
])('%s both ways', (hash, route) => {
  expect(routeOf(hash)).toEqual(route)
  expect(hrefOf(route)).toBe(hash)
})

test.each<[string, Route]>([
  ['', { place: 'start' }],
  ['#token=x', { place: 'start' }],
  ['#/nowhere', { place: 'start' }],
  ['#/jobs/x', { place: 'jobs' }],
  ['#/jobs/0', { place: 'jobs' }],
  ['#/viewer?jobs=1,x,,2', { place: 'viewer', jobs: [1, 2] }],
])('%s is understood as far as it goes', (hash, route) => expect(routeOf(hash)).toEqual(route))
