import { expect, it } from 'vitest'
import fc from 'fast-check'
import { rangesMax } from '../model/limits.ts'
import { contentRange, rangeOf, rangesOf, slices } from './range.ts'

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
check('bytes= 3 - 5 ', 10, '3-5')
check('bytes=0-1,4-5', 10, 'whole')
check('bytes=-', 10, 'whole')
check('bytes=a-b', 10, 'whole')
check('items=0-1', 10, 'whole')
check('', 10, 'whole')
check(undefined, 10, 'whole')

const checkSeveral = (field: string, expected: string) =>
  it(`${field} of 10 bytes is ${expected}`, () => {
    const answer = rangesOf(field, 10)
    const text =
      answer.kind === 'parts' ? answer.ranges.map(({ first, last }) => `${first}-${last}`).join(' ') : undefined
    expect(text ?? answer.kind).toBe(expected)
  })
const checkOrder = (field: string, expected: number[]) =>
  it(`${field} of 10 bytes is requested in the order ${expected.join(' ')}`, () => {
    const answer = rangesOf(field, 10)
    expect(answer.kind === 'parts' && answer.asAsked).toEqual(expected)
  })
checkOrder('bytes=0-1,4-5,8-', [0, 1, 2])
checkOrder('bytes=8-,0-1,4-5', [2, 0, 1])
checkOrder('bytes=8-,20-,4-5,0-0,9-', [2, 1, 0])
checkOrder('bytes=6-7,0-2,4-6', [1, 0])

checkSeveral('bytes=0-1,4-5', '0-1 4-5')
checkSeveral('bytes=0-1, 4-5 ,-1', '0-1 4-5 9-9')
checkSeveral('bytes=4-5,0-1', '0-1 4-5')
checkSeveral('bytes=0-5,3-7', '0-7')
checkSeveral('bytes=0-1,2-3', '0-3')
checkSeveral('bytes=0-8,3-4,6-', '0-9')
checkSeveral('bytes=0-1,,4-5,', '0-1 4-5')
checkSeveral('bytes=0-1,20-30', '0-1')
checkSeveral('bytes=20-30,-0', 'unsatisfiable')
checkSeveral('bytes=0-1,5-4', 'whole')
checkSeveral('bytes=0-1,x', 'whole')
checkSeveral('bytes=,', 'whole')
checkSeveral(`bytes=${'0-0,'.repeat(rangesMax)}`, '0-0')
checkSeveral(`bytes=${'0-0,'.repeat(rangesMax + 1)}`, 'whole')

it('ranges are within the body, ordered and disjoint, and slicing returns their exact bytes, however the input is divided', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 })
  const member = fc
    .tuple(fc.option(fc.nat(80), { nil: '' }), fc.option(fc.nat(80), { nil: '' }))
    .map(([from, to]) => `${from}-${to}`)
  const field = fc.array(member, { minLength: 1, maxLength: 5 }).map((members) => `bytes=${members.join(',')}`)
  await fc.assert(
    fc.asyncProperty(bytes, field, fc.integer({ min: 1, max: 60 }), async (whole, asked, step) => {
      const answer = rangesOf(asked, whole.length)
      if (answer.kind !== 'parts') return
      const { ranges } = answer
      ranges.forEach(({ first, last }, index) => {
        expect(first).toBeGreaterThanOrEqual(index === 0 ? 0 : (ranges[index - 1]?.last ?? 0) + 2)
        expect(last).toBeGreaterThanOrEqual(first)
        expect(last).toBeLessThan(whole.length)
      })
      const got = ranges.map(() => Buffer.alloc(0))
      for await (const { range, bytes: part } of slices(steps(whole, step), ranges))
        got[range] = Buffer.concat([got[range] ?? Buffer.alloc(0), part])
      expect(got).toEqual(ranges.map(({ first, last }) => Buffer.from(whole.subarray(first, last + 1))))
    }),
  )
})

it('closes the stream after the last byte of the range', async () => {
  let given = 0
  async function* endless() {
    for (;;) yield new Uint8Array(++given && 10)
  }
  for await (const { bytes } of slices(endless(), [{ first: 5, last: 14 }])) expect(bytes.length).toBe(5)
  expect(given).toBe(2)
})

it('parses the Content-Range of a stored part', () => {
  expect(contentRange('bytes 0-499/1234')).toEqual({ first: 0, last: 499, total: 1234 })
  expect(contentRange('bytes 5-9/*')).toEqual({ first: 5, last: 9, total: undefined })
  for (const wrong of [undefined, '', 'bytes */1234', 'bytes 9-5/10', 'items 0-1/2'])
    expect(contentRange(wrong)).toBe(undefined)
})

async function* steps(whole: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step)
}
