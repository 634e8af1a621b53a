import { expect, test } from 'vitest'
import { hrefOf, routeOf, type Route } from './routes.ts'

test.each<[string, Route]>([
  ['#/', { place: 'start' }],
  ['#/jobs', { place: 'jobs' }],
  ['#/jobs/3', { place: 'job', job: 3 }],
  ['#/harvests', { place: 'harvests', tab: 'harvests' }],
  ['#/harvests/3', { place: 'harvest', harvest: 3 }],
  ['#/harvests/jobs?harvest=3&status=FAILED', { place: 'harvests', tab: 'jobs', filter: 'harvest=3&status=FAILED' }],
  ['#/harvests/domains', { place: 'harvests', tab: 'domains' }],
  ['#/harvests/domains/example.org', { place: 'domain', domain: 'example.org' }],
  ['#/harvests/templates/a%20%2F%20b', { place: 'template', template: 'a / b' }],
  ['#/viewer', { place: 'viewer', jobs: [] }],
  ['#/viewer?jobs=1&url=file%3A%2F%2F%2Fa%20b%3Fc%26d', { place: 'viewer', jobs: [1], url: 'file:///a b?c&d' }],
  ['#/jobs/3/capture?url=http%3A%2F%2Fa.example%2F', { place: 'capture', job: 3, url: 'http://a.example/' }],
  ['#/viewer?jobs=1,2', { place: 'viewer', jobs: [1, 2] }],
  ['#/viewer?file=a%2Bb.warc&file=c.warc', { place: 'viewer', jobs: [], files: ['a+b.warc', 'c.warc'] }],
  [
    '#/viewer?jobs=1&file=c.warc&url=http%3A%2F%2Fa%2F',
    { place: 'viewer', jobs: [1], files: ['c.warc'], url: 'http://a/' },
  ],
  [
    '#/viewer?jobs=1&at=2024-05-01T10%3A20%3A30.400Z&url=http%3A%2F%2Fa%2F',
    { place: 'viewer', jobs: [1], at: '2024-05-01T10:20:30.400Z', url: 'http://a/' },
  ],
  ['#/missing', { place: 'missing', jobs: [] }],
  ['#/missing?jobs=1,2', { place: 'missing', jobs: [1, 2] }],
  ['#/search', { place: 'search' }],
  ['#/search?q=a%20b&in=urls', { place: 'search', filter: 'q=a%20b&in=urls' }],
  ['#/viewer?all=true', { place: 'viewer', jobs: [], all: true }],
  ['#/archive', { place: 'archive', tab: 'replicas' }],
  ['#/archive/audit', { place: 'archive', tab: 'audit' }],
  [
    '#/archive/files?state=missing&replica=ONE',
    { place: 'archive', tab: 'files', filter: 'state=missing&replica=ONE' },
  ],
  ['#/archive/growth?domain=a.test', { place: 'archive', tab: 'growth', filter: 'domain=a.test' }],
  ['#/archive/files/a%20b.warc', { place: 'file', file: 'a b.warc' }],
  ['#/archive/repair/a.warc?replica=ONE%20%26', { place: 'repair', file: 'a.warc', replica: 'ONE &' }],
  ['#/files/a.warc.gz', { place: 'record', file: 'a.warc.gz', offset: null, number: null }],
  ['#/files/a%20b%2Fc.warc?offset=0', { place: 'record', file: 'a b/c.warc', offset: 0, number: null }],
  ['#/files/a.warc?offset=512&number=7', { place: 'record', file: 'a.warc', offset: 512, number: 7 }],
  ['#/history', { place: 'history' }],
  ['#/history?report=hosts&jobs=3', { place: 'history', filter: 'report=hosts&jobs=3' }],
  ['#/schedule', { place: 'schedule' }],
  ['#/plans', { place: 'plans' }],
  ['#/newPlan', { place: 'newPlan' }],
  ['#/plans/a%20%2F%20b/edit', { place: 'planEditor', plan: 'a / b' }],
  [
    '#/plans/p?scanner=s&destination=d%3C-via-%3Ee&state=ERROR_DOC&document=1%20http%3A%2F%2Fa%2F%3Fb%26c',
    {
      ...{ place: 'plan', plan: 'p', scanner: 's', destination: 'd<-via->e', state: 'ERROR_DOC' },
      document: '1 http://a/?b&c',
    },
  ],
  ['#/system', { place: 'system' }],
  ['#/settings', { place: 'settings' }],
  ['#/settings/harvest.delayMs', { place: 'settings', setting: 'harvest.delayMs' }],
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
  ['#/jobs/3/capture', { place: 'job', job: 3 }],
  ['#/archive/nowhere', { place: 'archive', tab: 'replicas' }],
  ['#/archive/repair/a.warc', { place: 'archive', tab: 'repair' }],
  ['#/archive/files/%E4', { place: 'file', file: '%E4' }],
  ['#/files/', { place: 'archive', tab: 'files' }],
  ['#/files/%E4', { place: 'archive', tab: 'files' }],
  ['#/files/a.warc?offset=x', { place: 'record', file: 'a.warc', offset: null, number: null }],
  ['#/files/a.warc?number=3', { place: 'record', file: 'a.warc', offset: null, number: null }],
  ['#/plans/', { place: 'plans' }],
  ['#/plans/%E4', { place: 'plan', plan: '%E4' }],
  ['#/plans/p?state=NONE', { place: 'plan', plan: 'p' }],
  ['#/viewer?jobs=1&at=then', { place: 'viewer', jobs: [1] }],
  ['#/viewer?jobs=1,x,,2', { place: 'viewer', jobs: [1, 2] }],
])('%s is understood as far as it goes', (hash, route) => expect(routeOf(hash)).toEqual(route))
