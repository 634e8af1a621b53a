import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../records/record.ts'
import { pairDistanceRecordsMax, RequestPairs } from './requestPairs.ts'

interface Row {
  type: 'request' | 'response' | 'other'
  id: string
  url?: string
  concurrentTo?: string[]
}

/** Each response with its request, in the order in which they are released. */
function paired(rows: Row[]): string[] {
  const joined = new Map<string, string>()
  const out: string[] = []
  const pairs = new RequestPairs<string, string>((response, request) => {
    expect(joined.has(response)).toBe(false)
    joined.set(response, request)
  })
  for (const row of rows) {
    pairs.next()
    const record = recordOf(row)
    if (row.type === 'request') pairs.addRequest(record, row.id)
    else if (row.type === 'response') pairs.addResponse(record, row.id)
    else pairs.addSettled(row.id)
    out.push(...pairs.released())
  }
  out.push(...pairs.end())
  return out.map((id) => (joined.has(id) ? `${id}<${joined.get(id)}` : id))
}

function recordOf({ type, id, url = 'http://a/', concurrentTo = [] }: Row): ArchiveRecord {
  const fields: [string, string][] = [
    ['WARC-Record-ID', `<${id}>`],
    ...concurrentTo.map((other): [string, string] => ['WARC-Concurrent-To', `<${other}>`]),
  ]
  return {
    format: 'warc',
    version: 'WARC/1.1',
    number: 1,
    offset: 0,
    addressable: true,
    type,
    fields,
    url,
    date: '',
    contentType: undefined,
    blockBytes: 0,
    heldBlock: new Uint8Array(0),
    header: new Uint8Array(0),
    block: async function* () {
      yield* []
    },
    finish: () => Promise.resolve({ length: 1, whole: true, findings: [] }),
  }
}

const request = (id: string, more: Partial<Row> = {}): Row => ({ type: 'request', id, ...more })
const response = (id: string, more: Partial<Row> = {}): Row => ({ type: 'response', id, ...more })
const other = (id: string): Row => ({ type: 'other', id })
const others = (count: number): Row[] => Array.from({ length: count }, (_, index) => other(`o${index}`))

test('pairs responses with their requests', () => {
  const check = (rows: Row[], ...expected: string[]) => expect(paired(rows)).toEqual(expected)
  // Adjacent records, in either order.
  check([request('q'), response('r')], 'r<q')
  check([response('r'), request('q')], 'r<q')
  check([response('r'), request('q', { url: 'http://b/' })], 'r')
  check([response('r'), other('m'), request('q')], 'r', 'm')
  check([request('q1'), response('r1'), request('q2'), response('r2')], 'r1<q1', 'r2<q2')
  check([response('r1'), request('q1'), response('r2'), request('q2')], 'r1<q1', 'r2<q2')
  // WARC-Concurrent-To in either record, across any records in between.
  check([response('r'), other('m'), request('q', { concurrentTo: ['r'] })], 'r<q', 'm')
  check([request('q'), other('m'), response('r', { concurrentTo: ['x', 'q'] })], 'm', 'r<q')
  check([response('r', { concurrentTo: ['q'] }), other('m'), request('q')], 'r<q', 'm')
  check([response('r', { url: 'http://b/' }), request('q', { concurrentTo: ['r'] })], 'r<q')
  // WARC-Concurrent-To takes precedence over adjacency.
  check(
    [request('q1', { concurrentTo: ['r1'] }), response('r2'), response('r1'), request('q2', { concurrentTo: ['r2'] })],
    'r2<q2',
    'r1<q1',
  )
  check([response('r'), request('q', { concurrentTo: ['elsewhere'] })], 'r')
  // A request is paired with one response only.
  check([response('r1'), response('r2'), request('q', { concurrentTo: ['r1', 'r2'] })], 'r1<q', 'r2')
})

test('memory is bounded: records too far apart are not paired', () => {
  const near = pairDistanceRecordsMax - 1
  expect(paired([response('r'), ...others(near), request('q', { concurrentTo: ['r'] })])[0]).toBe('r<q')
  expect(paired([response('r'), ...others(near + 2), request('q', { concurrentTo: ['r'] })])[0]).toBe('r')
  expect(paired([request('q'), ...others(near), response('r', { concurrentTo: ['q'] })]).at(-1)).toBe('r<q')
  expect(paired([request('q'), ...others(near + 2), response('r', { concurrentTo: ['q'] })]).at(-1)).toBe('r')
})

test('returns every response once and in file order for any sequence of records', () => {
  const row = fc.record({
    type: fc.constantFrom('request' as const, 'response' as const, 'other' as const),
    url: fc.constantFrom('http://a/', 'http://b/'),
    concurrentTo: fc.array(fc.nat(200).map(String), { maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 300 }), (made) => {
      const rows = made.map((one, index) => ({ ...one, id: String(index) }))
      const out = paired(rows).map((text) => text.split('<')[0])
      expect(out).toEqual(rows.filter(({ type }) => type !== 'request').map(({ id }) => id))
    }),
  )
})
