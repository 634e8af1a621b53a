import { describe, expect, test } from 'vitest'
import type { Limits } from '../model/configurations.ts'
import { alarmsOf } from './alarms.ts'
import { domainCounter, usualReasonOf, type DomainCount } from './domainCounts.ts'
import { resultsOfConfigurations } from './domainResults.ts'

/** A line of a log as Heritrix writes it. */
function line(given: { status?: number; url?: string; source?: string; annotations?: string; size?: number }): string {
  const { status = 200, url = 'http://www.a.test/x', source = '-', annotations = '', size } = given
  const all = [annotations, size === undefined ? '' : `content-size:${size}`].filter((part) => part !== '').join(',')
  return `2026-11-26T10:00:00.000Z ${String(status).padStart(5)} ${String(size ?? '-').padStart(10)} ${url} L - text/html #003 20261126100000000+12 sha1:AAAA ${source} ${all || '-'}\n`
}

function counted(lines: readonly string[], usual: DomainCount['stopReason'] = 'DOWNLOAD_COMPLETE') {
  const counter = domainCounter()
  for (const each of lines) counter.add(each)
  return { counts: Object.fromEntries(counter.counts(usual)), invalid: counter.invalid() }
}

describe('counting a crawl log', () => {
  test('a status of 0 or more is an object; its bytes are those of content-size', () => {
    const { counts } = counted([
      line({ size: 100 }),
      line({ status: 404, size: 20 }),
      line({ status: 0 }),
      line({ status: -9998 }),
      line({ status: 200, annotations: '2t,unwritten:x', size: 3 }),
    ])
    expect(counts).toEqual({ 'a.test': { objects: 4, bytes: 123, stopReason: 'DOWNLOAD_COMPLETE' } })
  })

  test('an object belongs to the domain of its seed, or to its own where the log names none', () => {
    const { counts } = counted([
      line({ url: 'http://images.b.test/1.png', source: 'http://www.a.test/', size: 5 }),
      line({ url: 'http://images.b.test/2.png', size: 7 }),
      line({ status: 1, url: 'dns:www.c.co.uk', size: 9 }),
    ])
    expect(Object.entries(counts).map(([domain, { bytes }]) => [domain, bytes])).toEqual([
      ['a.test', 5],
      ['b.test', 7],
      ['c.co.uk', 9],
    ])
  })

  test('the first quota that stopped a domain is its reason; others end as the job did', () => {
    const { counts } = counted(
      [
        line({ size: 1 }),
        line({ status: -5003, annotations: 'Q:groupMaxFetchSuccesses' }),
        line({ status: -5003, annotations: 'Q:groupMaxAllKb' }),
        line({ status: -5003, url: 'http://b.test/', annotations: '2t,Q:groupMaxAllKb' }),
        line({ url: 'http://c.test/' }),
        line({ status: -5003, url: 'http://d.test/', annotations: 'Q:other' }),
      ],
      'TIME_LIMIT',
    )
    expect(Object.entries(counts).map(([domain, { stopReason }]) => [domain, stopReason])).toEqual([
      ['a.test', 'OBJECT_LIMIT'],
      ['b.test', 'SIZE_LIMIT'],
      ['c.test', 'TIME_LIMIT'],
      ['d.test', 'TIME_LIMIT'],
    ])
  })

  test('what is no line of a log is left out and counted', () => {
    expect(counted(['', 'a b c', line({}), line({ url: 'http:///' })])).toMatchObject({ invalid: 3 })
  })
})

test.each([
  [undefined, 'DOWNLOAD_UNFINISHED'],
  ['20261126100000 CRAWL RUNNING - Preparing', 'DOWNLOAD_UNFINISHED'],
  ['2026-11-26T10:00:00Z CRAWL ENDED - Finished', 'DOWNLOAD_COMPLETE'],
  ['2026-11-26T10:00:00Z CRAWL ENDED - Timelimit hit', 'TIME_LIMIT'],
  ['2026-11-26T10:00:00Z CRAWL ENDED - Ended by operator', 'DOWNLOAD_UNFINISHED'],
] as const)('a crawl whose progress log ends with %j is %s', (last, reason) => {
  expect(usualReasonOf(last)).toBe(reason)
})

describe('limits of configurations', () => {
  const limits = (objectsMax: number | null, bytesMax: number | null): Limits => ({ objectsMax, bytesMax })
  test.each<
    [stopReason: DomainCount['stopReason'], bytes: number, own: Limits, job: Limits, exact: DomainCount['stopReason']]
  >([
    ['SIZE_LIMIT', 900, limits(null, 500), limits(null, 1_000), 'CONFIG_SIZE_LIMIT'],
    ['SIZE_LIMIT', 900, limits(null, 1_000), limits(null, 1_000), 'CONFIG_SIZE_LIMIT'],
    ['SIZE_LIMIT', 900, limits(null, 2_000), limits(null, 1_000), 'SIZE_LIMIT'],
    ['SIZE_LIMIT', 2_500, limits(null, 2_000), limits(null, 1_000), 'CONFIG_SIZE_LIMIT'],
    ['SIZE_LIMIT', 900, limits(null, null), limits(null, 1_000), 'SIZE_LIMIT'],
    ['OBJECT_LIMIT', 900, limits(5, null), limits(9, null), 'CONFIG_OBJECT_LIMIT'],
    ['OBJECT_LIMIT', 900, limits(12, null), limits(9, null), 'OBJECT_LIMIT'],
    ['OBJECT_LIMIT', 900, limits(null, null), limits(9, null), 'OBJECT_LIMIT'],
    ['DOWNLOAD_COMPLETE', 900, limits(5, 5), limits(9, 9), 'DOWNLOAD_COMPLETE'],
  ])('%s with %i bytes, configuration %j, job %j: %s', (stopReason, bytes, own, job, exact) => {
    const counts = new Map([['a.test', { objects: 3, bytes, stopReason }]])
    const configurations = ['a.test', 'b.test'].map((domain) => ({ domain, configuration: 'default', ...own }))
    expect(resultsOfConfigurations(counts, configurations, job)).toEqual([
      { domain: 'a.test', configuration: 'default', objects: 3, bytes, stopReason: exact },
    ])
  })
})

test.each<[objects: number, earlier: number[], alarms: string[]]>([
  [50, [], []],
  [50, [100], ['small']],
  [51, [100], []],
  [200, [100], ['large']],
  [199, [100], []],
  [0, [0], []],
  [0, [10, 12], ['small']],
  [40, [100, 10, 90], ['small']],
  [100, [100, 100, 100, 100, 100, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000], []],
])('a run of %i objects after runs of %j', (objects, earlier, kinds) => {
  const size = (each: number) => ({ objects: each, bytes: 5 })
  expect(alarmsOf(size(objects), earlier.map(size), 2).map(({ kind }) => kind)).toEqual(kinds)
})
