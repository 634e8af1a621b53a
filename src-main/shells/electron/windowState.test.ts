import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inWindow, restoredBounds, smallest, windowStateIn, type Rectangle } from './windowState.ts'

const laptop: Rectangle = { x: 0, y: 25, width: 1440, height: 875 }
const right: Rectangle = { x: 1440, y: 0, width: 2560, height: 1440 }
const middle = { x: 20, y: 25, width: 1400, height: 875 }

test.each<[string, Rectangle | undefined, [Rectangle, ...Rectangle[]], Rectangle]>([
  ['the first start', undefined, [laptop], middle],
  [
    'where it was',
    { x: 100, y: 100, width: 1000, height: 700 },
    [laptop],
    { x: 100, y: 100, width: 1000, height: 700 },
  ],
  [
    'on the second screen',
    { x: 2000, y: 100, width: 1000, height: 700 },
    [laptop, right],
    { x: 2000, y: 100, width: 1000, height: 700 },
  ],
  ['on a disconnected second screen', { x: 2000, y: 100, width: 1000, height: 700 }, [laptop], middle],
  ['hardly reaching in', { x: 1400, y: 100, width: 1000, height: 700 }, [laptop], middle],
  ['title bar above the top', { x: 100, y: -20, width: 1000, height: 700 }, [laptop], middle],
  ['too small', { x: 100, y: 100, width: 300, height: 200 }, [laptop], { x: 100, y: 100, ...smallest }],
])('%s', (_what, saved, displays, expected) => {
  expect(restoredBounds(saved, displays)).toEqual(expected)
})

test('enough of the window is visible, wherever it was', () => {
  const length = fc.integer({ min: -5_000, max: 5_000 })
  const size = fc.integer({ min: 1, max: 5_000 })
  fc.assert(
    fc.property(fc.record({ x: length, y: length, width: size, height: size }), (saved) => {
      const found = restoredBounds(saved, [laptop, right])
      const seen = [laptop, right].some(
        (display) =>
          found.x < display.x + display.width &&
          found.x + found.width > display.x &&
          found.y >= display.y &&
          found.y < display.y + display.height,
      )
      expect(seen).toBe(true)
    }),
  )
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['{"bounds":{"x":1,"y":2,"wi', undefined],
  ['{"bounds":{"x":1,"y":2,"width":3},"maximized":false}', undefined],
  ['{"bounds":{"x":"1","y":2,"width":3,"height":4},"maximized":false}', undefined],
  ['null', undefined],
  [
    '{"bounds":{"x":1,"y":2,"width":3,"height":4},"maximized":true}',
    { bounds: { x: 1, y: 2, width: 3, height: 4 }, maximized: true },
  ],
])('the file %j', (text, expected) => {
  expect(windowStateIn(text)).toEqual(expected)
})

test.each<[Rectangle, number, Rectangle]>([
  [{ x: 56, y: 48.4, width: 800, height: 600 }, 1, { x: 56, y: 48, width: 800, height: 600 }],
  [{ x: 56, y: 48, width: 800, height: 600 }, 1.25, { x: 70, y: 60, width: 1000, height: 750 }],
  [{ x: -3, y: 0, width: -1, height: 0 }, 1, { x: 0, y: 0, width: 0, height: 0 }],
])('%o at zoom %d', (bounds, zoomFactor, expected) => {
  expect(inWindow(bounds, zoomFactor)).toEqual(expected)
})
