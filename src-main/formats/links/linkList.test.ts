/** Turns references into links. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkList } from './linkList.ts'

/** Pieces of references, plain and not. */
const piece = fc.constantFrom(
  ...[
    'a',
    'b.html',
    'index',
    '/',
    '//',
    '.',
    '..',
    './',
    '?',
    '&',
    '=',
    '#',
    '#x',
    ':',
    ';',
    ',',
    '%2e',
    '%',
    '~',
    '-',
    '_',
  ],
  ...['http:', 'https://b.test', '\\', ' ', '\t', "'", '"', '<', '\u00e9', '+', '@', '*', '|', '{', '^'],
)
const base = fc.constantFrom(
  ...[
    'http://a.test',
    'http://a.test/d/p.html',
    'https://u:p@a.test:8080/d/?q=/x',
    'http://a.test/d/p#/f',
    'http://A.test/?',
  ],
)

test('a reference resolves as the URL parser does, without its fragment', () => {
  const reference = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(base, reference, (url, text) => {
      const list = linkList(url, 10)
      list.add(text, 'navigation')
      const expected = text.startsWith('#') || text.trim() === '' ? null : URL.parse(text, url)
      if (expected) expected.hash = ''
      const isLink = expected?.protocol === 'http:' || expected?.protocol === 'https:'
      expect(list.links.map((link) => link.url)).toEqual(isLink ? [expected.href] : [])
    }),
    { numRuns: 5000 },
  )
})
