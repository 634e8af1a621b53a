/** URLs that match inexactly, and URLs that never match. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedKey, editDistance, fuzzyMatch, fuzzyMatchSent } from './fuzzyRules.ts'

const match = (asked: string, found: string, { isPage = false, mediaType = 'text/html' } = {}) =>
  fuzzyMatch({ url: new URL(asked), isPage }, { url: found, mediaType })

describe('matches', () => {
  test.each<[string, string, string[]]>([
    ['http://a.test/x?_=1731', 'http://a.test/x?_=99', ['cacheBuster']],
    ['http://a.test/x?_=1731', 'http://a.test/x', ['cacheBuster']],
    ['http://a.test/x', 'http://a.test/x?cb=0.7312', ['cacheBuster']],
    ['http://a.test/x?1383838383838', 'http://a.test/x?1483838383838', ['cacheBuster']],
    ['http://a.test/x?busting=1731000000000&a=1', 'http://a.test/x?a=1&busting=1732000000000', ['cacheBuster']],
    ['http://a.test/x?a=1&utm_source=mail&fbclid=Iw', 'http://a.test/x?a=1', ['campaign']],
    ['http://a.test/x?callback=jsonp_12&a=1', 'http://a.test/x?callback=jsonp_7&a=1', ['callback']],
    ['http://a.test/x?cb=jQuery111_22&_=3', 'http://a.test/x?cb=jQuery444_55&_=6', ['callback', 'cacheBuster']],
    ['http://a.test/lib.js?v=3', 'http://a.test/lib.js?v=2', ['staticFile']],
    ['http://a.test/font.woff2?#iefix', 'http://a.test/font.woff2?x', ['staticFile']],
    ['https://www.a.test/x?utm_medium=x', 'http://a.test/x', ['campaign']],
  ])('%s: %s', (asked, found, rules) => {
    expect(match(asked, found)?.rules).toEqual(rules)
  })

  test('media files match without their query, whatever the path', () => {
    expect(
      match('http://a.test/play?t=1', 'http://a.test/play?t=2', { mediaType: 'application/dash+xml' }),
    ).toMatchObject({
      rules: ['stream'],
    })
  })

  test('the closest match wins, and a difference in ignored parameters counts least', () => {
    const distance = (found: string) => match('http://a.test/lib.js?v=31&_=1', found)?.distance
    expect(distance('http://a.test/lib.js?v=31&_=2')).toBe(0)
    expect(distance('http://a.test/lib.js?v=32')).toBeLessThan(distance('http://a.test/lib.js?build=7') ?? 0)
  })
})

describe('does not match', () => {
  test.each([
    ['another path', 'http://a.test/x?_=1', 'http://a.test/y?_=1'],
    ['another thread of a forum', 'http://a.test/thread.php?id=1', 'http://a.test/thread.php?id=2'],
    ['a number that may be a page', 'http://a.test/x?page=1731000000000', 'http://a.test/x?page=2'],
    ['an invalid URL', 'http://a.test/x', 'x'],
  ])('%s', (_, asked, found) => {
    expect(match(asked, found)).toBeUndefined()
  })

  test('a page does not match another page for a named file', () => {
    const [asked, found] = ['http://a.test/show.svg?id=1', 'http://a.test/show.svg?id=2']
    expect(match(asked, found, { isPage: true })).toBeUndefined()
    expect(match(asked, found)).toBeDefined()
  })
})

describe('matches requests with a body by their keys', () => {
  const key = (sent: string) => `test,a)/x?${sent}&__wb_method=post`
  test.each([
    ['a cache-busting number', '_=1731&q=cats', 'q=cats', ['cacheBuster']],
    ['the time of sending', 'sent_time=1731000000000', 'sent_time=1600000000000', ['cacheBuster']],
    ['nothing at all', 'q=cats', 'q=cats', []],
  ])('%s may differ', (_, asked, found, rules) => {
    expect(fuzzyMatchSent(key(asked), key(found))).toEqual({ rules, distance: 0 })
  })
  test.each([
    ['a significant parameter', key('q=cats'), key('q=dogs')],
    ['the method', key('q=cats'), 'test,a)/x?q=cats&__wb_method=put'],
    ['opaque bytes', key('__wb_post_data=aaaa'), key('__wb_post_data=aaab')],
    ['the content of a request for a file', key('v=1').replace('/x', '/x.js'), key('v=2').replace('/x', '/x.js')],
  ])('%s may not differ', (_, asked, found) => {
    expect(fuzzyMatchSent(asked, found)).toBeUndefined()
  })
})

test.each([
  ['test,a)/x', 'test,a)/x'],
  ['test,a)/x?_=1&id=7&utm_source=mail', 'test,a)/x?id=7'],
  ['test,a)/x?utm_source=mail', 'test,a)/x'],
  ['test,a)/x?q=a%26b', 'test,a)/x?q=a%26b'],
])('the significant part of %s is %s', (key, counted) => {
  expect(countedKey(key)).toBe(counted)
})

test('a distance is symmetric, 0 only for equal strings, and at most the length of the longer string', () => {
  const text = fc.string({ maxLength: 40 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const distance = editDistance(a, b)
      expect(distance === 0).toBe(a === b)
      expect(distance).toBe(editDistance(b, a))
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
})
