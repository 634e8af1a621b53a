/** What page audits compute: samples, risks, and differences of texts and pictures. */
import fc from 'fast-check'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { pictureDifference, pngSize } from './pictureDifference.ts'
import { riskOf, type RiskFigures } from './risk.ts'
import { chosenPages, sampled } from './sampling.ts'
import { textDifference } from './textDifference.ts'

const urls = ['a', 'b'].flatMap((host) => ['3', '1', '2'].map((page) => `http://${host}.test/${page}`))

test.each<[string, Parameters<typeof sampled>[1], string[]]>([
  ['all, in the order of their URLs', { sampling: { by: 'all' } }, urls.toSorted()],
  ['those that match', { sampling: { by: 'all' }, pattern: '/1$' }, ['http://a.test/1', 'http://b.test/1']],
  ['the first of each host', { sampling: { by: 'first', pagesPerHost: 1 } }, ['http://a.test/1', 'http://b.test/1']],
  ['the first of each host that match', { sampling: { by: 'first', pagesPerHost: 1 }, pattern: 'a.*[23]' }, ['http://a.test/2']], // prettier-ignore
])('a sample has %s', (_, request, expected) => {
  expect(sampled([...urls, ...urls], request)).toEqual(expected)
})

test('pages beyond the list of the index are counted', async () => {
  const index = {
    pagesReplaced: async () => true,
    pages: async () => urls.map((url) => ({ url, timestampMs: 0, status: 200, mediaType: 'text/html' })),
    pagesLeftOut: async () => 7,
  }
  expect(await chosenPages(index, { sampling: { by: 'first', pagesPerHost: 2 } })).toEqual({
    urls: ['http://a.test/1', 'http://a.test/2', 'http://b.test/1', 'http://b.test/2'],
    leftOut: 7,
  })
})

test('a random sample depends on its seed alone, not on the order of the pages, and hardly on further pages', () => {
  const many = Array.from({ length: 200 }, (_, page) => `http://a.test/${page}`)
  const drawn = (seed: number, from: readonly string[]) =>
    sampled(from, { sampling: { by: 'random', pages: 20, seed } })
  expect(drawn(7, many.toReversed())).toEqual(drawn(7, many))
  expect(drawn(8, many)).not.toEqual(drawn(7, many))
  const before = drawn(7, many)
  const kept = drawn(7, [...many, 'http://a.test/new']).filter((url) => before.includes(url))
  expect(kept.length).toBeGreaterThanOrEqual(19)
})

const good: RiskFigures = { status: 200, missing: 0, bad: 0, consoleErrors: 0, textCharacters: 900, pixelDifference: null, textDifference: null, isLoaded: true } // prettier-ignore

test('a page without faults has no risk, an error has all, and each fault more does not make it less', () => {
  expect(riskOf(good)).toBe(0)
  expect(riskOf({ ...good, status: 404 })).toBe(100)
  expect(riskOf({ ...good, status: null })).toBe(100)
  expect(riskOf({ ...good, textCharacters: 0 })).toBe(20)
  expect(riskOf({ ...good, missing: 3 })).toBe(17.5)
  const figures = fc.record({
    status: fc.constant(200),
    ...{ missing: fc.nat(500), bad: fc.nat(500), consoleErrors: fc.nat(500), textCharacters: fc.nat(1_000) },
    pixelDifference: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    textDifference: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    isLoaded: fc.boolean(),
  })
  fc.assert(
    fc.property(figures, fc.constantFrom('missing', 'bad', 'consoleErrors'), (page, fault) => {
      const risk = riskOf(page)
      const more = riskOf({ ...page, [fault]: page[fault] + 1 })
      expect(risk).toBeGreaterThanOrEqual(0)
      expect(more).toBeGreaterThanOrEqual(risk)
      expect(more).toBeLessThan(100)
    }),
  )
})

test.each([
  ['One two three', 'three, TWO: one!', 0],
  ['', '', 0],
  ['one', '', 1],
  ['one two', 'one three', 0.5],
  ['one one', 'one', 1 / 3],
  ['東京駅', '東京都', 1 / 3],
])('of %j and %j, %d of the words differ', (one, other, part) => {
  expect(textDifference(one, other)).toBeCloseTo(part, 10)
  expect(textDifference(other, one)).toBeCloseTo(part, 10)
})

/** A white picture with a black rectangle. */
function picture(width: number, height: number, black?: { x: number; y: number; width: number; height: number }) {
  const png = new PNG({ width, height })
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isBlack = black && x >= black.x && x < black.x + black.width && y >= black.y && y < black.y + black.height
      png.data.set(isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255], (y * width + x) * 4)
    }
  }
  return PNG.sync.write(png)
}

const plain = picture(100, 80)
const marked = picture(100, 80, { x: 50, y: 40, width: 40, height: 20 })
const whole = { masks: [], isPart: false }

test('pictures differ in the part of their pixels that differ, and the differences are drawn', () => {
  expect(pictureDifference({ screenshot: plain, other: plain, ...whole })?.difference).toBe(0)
  const compared = pictureDifference({ screenshot: marked, other: plain, ...whole })
  expect(compared?.difference).toBeCloseTo(0.1, 5)
  const drawn = PNG.sync.read(Buffer.from(compared?.picture ?? []))
  expect([...drawn.data.subarray((50 * 100 + 60) * 4, (50 * 100 + 60) * 4 + 3)]).toEqual([255, 0, 0])
})

test('what a mask covers is not compared', () => {
  const masks = [{ x: 0.5, y: 0.5, width: 0.4, height: 0.25 }]
  expect(pictureDifference({ screenshot: marked, other: plain, masks, isPart: false })?.difference).toBe(0)
})

test('what only one picture shows differs, unless the other shows a part of the page', () => {
  const longer = picture(100, 160)
  expect(pictureDifference({ screenshot: longer, other: plain, ...whole })?.difference).toBeCloseTo(0.5, 5)
  expect(pictureDifference({ screenshot: longer, other: plain, masks: [], isPart: true })?.difference).toBe(0)
})

test('what a picture does not paint is white, as in screenshots without background', () => {
  const unpainted = PNG.sync.write(new PNG({ width: 100, height: 80 }))
  expect(pictureDifference({ screenshot: plain, other: unpainted, ...whole })?.difference).toBe(0)
  expect(pictureDifference({ screenshot: marked, other: unpainted, ...whole })?.difference).toBeCloseTo(0.1, 5)
})

test('bytes that are no picture are not compared', () => {
  const damaged = plain.subarray(0, 60)
  expect(pictureDifference({ screenshot: plain, other: damaged, ...whole })).toBeUndefined()
  expect(pngSize(Buffer.from('GIF89a'))).toBeUndefined()
  expect(pngSize(plain)).toEqual({ width: 100, height: 80 })
})
