import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byPreference, plainlyNearest } from './preference.ts'

const url = 'http://a.example/'
const atMs = 50
const capture = fc.record({
  url: fc.constantFrom(url, url, url, 'https://a.example/', 'http://www.a.example/'),
  timestampMs: fc.nat(100),
  status: fc.constantFrom(200, 404, null),
  offset: fc.nat(3),
})
type Made = typeof capture extends fc.Arbitrary<infer Each> ? Each : never

/** Orders captures as they are read: the nearest first on each side of the requested time. */
function nearFirst(captures: readonly Made[]): Made[] {
  const order = captures.toSorted((one, other) => Math.abs(one.timestampMs - atMs) - Math.abs(other.timestampMs - atMs))
  const isBefore = ({ timestampMs }: Made) => timestampMs <= atMs
  return [...order.filter(isBefore).slice(0, 2), ...order.filter((each) => !isBefore(each)).slice(0, 2)]
}

test('the fast path for the nearest capture equals the full comparison, and excludes captures of one time', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.array(capture, { minLength: 1, maxLength: 8 }), (captures) => {
      const found = plainlyNearest(nearFirst(captures), { url, atMs })
      if (!found) return
      plain += 1
      expect(found).toBe(byPreference(captures, { url, atMs, nameOf: () => 'one.warc.gz' })[0])
    }),
    { numRuns: 2_000 },
  )
  expect(plain).toBeGreaterThan(100)
})

test.each<[string, Partial<Made>[], number | undefined]>([
  ['no captures', [], undefined],
  ['one has another URL', [{}, { url: 'https://a.example/', timestampMs: 90 }], undefined],
  ['two have the same time', [{}, { offset: 1 }], undefined],
  ['one is nearer', [{ timestampMs: 30 }, { timestampMs: 51 }], 51],
  ['both are as near, and one is an error', [{ timestampMs: 40 }, { timestampMs: 60, status: 404 }], 40],
  ['both are as near', [{ timestampMs: 40 }, { timestampMs: 60 }], 60],
])('the plainly nearest capture where %s', (_, captures, timestampMs) => {
  const made = captures.map((each) => ({ url, timestampMs: 45, status: 200, offset: 0, ...each }))
  expect(plainlyNearest(made, { url, atMs })?.timestampMs).toBe(timestampMs)
})
