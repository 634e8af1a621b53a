import { expect, test } from 'vitest'
import { routeOf } from '../../routes/routes.ts'
import { recordLink, urlViewerLink, viewerLink } from './hitLinks.ts'

const hit = { url: 'http://a.example/?b=c&d', time: '2024-05-01T10:20:30.000Z', job: 3, file: 'a b.warc.gz', offset: 0 }

test('a result leads to its job, in the second of its capture', () => {
  const at = '2024-05-01T10:20:30.499Z'
  expect(routeOf(viewerLink(hit))).toEqual({ place: 'viewer', jobs: [3], at, url: hit.url })
  expect(routeOf(viewerLink({ ...hit, job: null }))).toEqual({
    ...{ place: 'viewer', jobs: [], files: ['a b.warc.gz'], at, url: hit.url },
  })
})

test.each(['10:20:30.000', '10:20:30.561', '10:20:30.998'])(
  'a capture at %s is nearer than those of other seconds',
  (time) => {
    const route = routeOf(viewerLink(hit))
    const at = Date.parse((route.place === 'viewer' && route.at) || '')
    const distance = (of: string) => Math.abs(Date.parse(`2024-05-01T${of}Z`) - at)
    for (const other of ['10:20:29.998', '10:20:31.000']) expect(distance(time)).toBeLessThan(distance(other))
  },
)

test('a result leads to its record', () => {
  expect(routeOf(recordLink(hit))).toEqual({ place: 'record', file: 'a b.warc.gz', offset: 0, number: null })
})

test('a URL leads to the jobs in which it was searched, at the time of its capture', () => {
  const { url, time } = hit
  expect(routeOf(urlViewerLink({ url, time, jobs: [1, 2] }))).toEqual({ place: 'viewer', jobs: [1, 2], at: time, url })
  expect(routeOf(urlViewerLink({ url, time, jobs: [] }))).toEqual({
    place: 'viewer',
    jobs: [],
    all: true,
    at: time,
    url,
  })
})
