import fc from 'fast-check'
import { expect, test } from 'vitest'
import { originalLink, varyingByMoment } from './mementos.ts'

const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.stringMatching(/^https?:\/\/(?:[a-z][a-z0-9-]{0,3}\.){1,2}[a-z]{1,3}\/[\w~./-]{0,12}(?:\?[\w=&%.-]{0,8})?$/),
)

test('a URL in a link is normalised as browsers do', () => {
  fc.assert(
    fc.property(address, (url) => {
      expect(originalLink(url)).toBe(`<${URL.parse(url)?.href ?? url}>; rel="original"`)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['http://a.example/<b>"c d"', 'http://a.example/%3Cb%3E%22c%20d%22'],
  ['no address> <at all', 'no%20address%3E%20%3Cat%20all'],
])('%s does not end a link', (url, said) => {
  expect(originalLink(url)).toBe(`<${said}>; rel="original"`)
})

test.each<[string, readonly (readonly [string, string])[], unknown]>([
  [
    'no header',
    [['X-A', 'b']],
    [
      ['X-A', 'b'],
      ['Vary', 'accept-datetime'],
    ],
  ],
  [
    'an archived header',
    [
      ['vary', 'Cookie'],
      ['X-A', 'b'],
    ],
    [
      ['Vary', 'Cookie, accept-datetime'],
      ['X-A', 'b'],
    ],
  ],
  [
    'a repeated header',
    [
      ['Vary', 'accept-encoding,,Cookie'],
      ['X-A', 'b'],
      ['Vary', 'Accept-Encoding'],
    ],
    [
      ['Vary', 'Accept-Encoding, Cookie, accept-datetime'],
      ['X-A', 'b'],
    ],
  ],
  ['Accept-Datetime already', [['Vary', 'Accept-Datetime']], [['Vary', 'accept-datetime']]],
  [
    'everything',
    [
      ['Vary', 'Cookie'],
      ['Vary', '*'],
    ],
    [['Vary', '*']],
  ],
  ['an empty field', [['Vary', '']], [['Vary', 'accept-datetime']]],
])('a response that varies by %s also varies by Accept-Datetime, once', (_, fields, expected) => {
  expect(varyingByMoment(fields)).toEqual(expected)
})
