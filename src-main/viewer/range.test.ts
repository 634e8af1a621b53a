import { expect, it } from 'vitest'
import fc from 'fast-check'
import { contentRange, ifRangeAgrees, rangeOf, slice } from './range.ts'

const check = (field: string | undefined, length: number, expected: string) =>
  it(`${field} of ${length} bytes is ${expected}`, () => {
    const range = rangeOf(field, length)
    expect(range.kind === 'part' ? `${range.first}-${range.last}` : range.kind).toBe(expected)
  })

check('bytes=0-0', 10, '0-0')
check('bytes=0-', 10, '0-9')
check('bytes=3-5', 10, '3-5')
check('bytes=3-500', 10, '3-9')
check('bytes=9-', 10, '9-9')
check('bytes=-3', 10, '7-9')
check('bytes=-10', 10, '0-9')
check('bytes=-11', 10, '0-9')
check('Bytes = 3-5', 10, '3-5')
check('bytes=-0', 10, 'unsatisfiable')
check('bytes=10-', 10, 'unsatisfiable')
check('bytes=10-12', 10, 'unsatisfiable')
check('bytes=0-', 0, 'unsatisfiable')
check('bytes=-1', 0, 'unsatisfiable')
check('bytes=999999999999999-', 10, 'unsatisfiable')
check('bytes=9999999999999999999-', 10, 'whole')
check('bytes=5-3', 10, 'whole')
check('bytes=0-1,4-5', 10, 'whole')
check('bytes=-', 10, 'whole')
check('bytes=a-b', 10, 'whole')
check('items=0-1', 10, 'whole')
check('', 10, 'whole')
check(undefined, 10, 'whole')

it('a part lies within the bytes, and slicing gives exactly it however the bytes arrive', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 })
  const field = fc
    .tuple(fc.option(fc.nat(80), { nil: '' }), fc.option(fc.nat(80), { nil: '' }))
    .map(([from, to]) => `bytes=${from}-${to}`)
  await fc.assert(
    fc.asyncProperty(bytes, field, fc.integer({ min: 1, max: 60 }), async (whole, asked, step) => {
      const range = rangeOf(asked, whole.length)
      if (range.kind !== 'part') return
      expect(range.first).toBeLessThanOrEqual(range.last)
      expect(range.last).toBeLessThan(whole.length)
      const got: Uint8Array[] = []
      for await (const part of slice(steps(whole, step), range)) got.push(part)
      expect(Buffer.concat(got)).toEqual(Buffer.from(whole.subarray(range.first, range.last + 1)))
    }),
  )
})

it('leaves the stream when the last byte has passed', async () => {
  let given = 0
  async function* endless() {
    for (;;) yield new Uint8Array(++given && 10)
  }
  for await (const part of slice(endless(), { first: 5, last: 14 })) expect(part.length).toBe(5)
  expect(given).toBe(2)
})

const checkIfRange = (field: string | undefined, expected: boolean) =>
  it(`If-Range ${field} ${expected ? 'agrees' : 'does not agree'}`, () => {
    const kept = { etag: '"v1"', lastModified: 'Sat, 01 Feb 2025 10:00:00 GMT' }
    expect(ifRangeAgrees(field, kept)).toBe(expected)
  })

checkIfRange(undefined, true)
checkIfRange('"v1"', true)
checkIfRange('"v2"', false)
checkIfRange('W/"v1"', false)
checkIfRange('Sat, 01 Feb 2025 10:00:00 GMT', true)
checkIfRange('Sat, 01 Feb 2025 10:00:01 GMT', false)
checkIfRange('', false)

it('reads the Content-Range of a stored part', () => {
  expect(contentRange('bytes 0-499/1234')).toEqual({ first: 0, last: 499, total: 1234 })
  expect(contentRange('bytes 5-9/*')).toEqual({ first: 5, last: 9, total: undefined })
  for (const wrong of [undefined, '', 'bytes */1234', 'bytes 9-5/10', 'items 0-1/2'])
    expect(contentRange(wrong)).toBe(undefined)
})

async function* steps(whole: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step)
}
