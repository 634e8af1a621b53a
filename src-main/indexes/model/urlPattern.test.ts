import { expect, test } from 'vitest'
import { surt } from '../../formats/cdx/surt.ts'
import { urlChoice } from './urlPattern.ts'

const urls = [
  'http://example.org/',
  'https://www.example.org/news/2024/a.html',
  'http://example.org/news/2024/a.html?x=1',
  'http://example.org:8080/news/b.pdf',
  'http://shop.example.org/robots.txt',
  'http://example.org/robots.txt',
  'http://example-org.test/robots.txt',
  'ftp://files.test/a/b.pdf',
]

function found(text: string): string[] {
  const { ranges, accepts = () => true } = urlChoice(text, 'pattern')
  return urls.filter((url) => accepts(url) && ranges.some(({ from, to }) => from <= surt(url) && surt(url) < to))
}

test.each<[pattern: string, expected: number[]]>([
  ['example.org/news/*', [1, 2]],
  ['https://WWW.example.org/News/*', [1, 2]],
  ['example.org/*/a.html', [1]],
  ['example.org/*a.html*', [1, 2]],
  ['example.org:8080/*', [3]],
  ['*/robots.txt', [4, 5, 6]],
  ['*.pdf', [3, 7]],
  ['*.example.org/robots.txt', [4, 5]],
  ['*.example.org', [0, 1, 2, 4, 5]],
  ['example.org', [0, 1, 2, 5]],
  ['exam*/robots.txt', [5, 6]],
  ['*', [0, 1, 2, 3, 4, 5, 6, 7]],
  // A piece is not found twice in the same place.
  ['example.org/*robots.txt*robots.txt', []],
])('%s', (pattern, expected) => expect(found(pattern)).toEqual(expected.map((at) => urls[at])))

test('a pattern that names a host reads the keys of this host only', () => {
  expect(urlChoice('example.org/a*b', 'pattern').ranges).toEqual(urlChoice('example.org', 'host').ranges)
  expect(urlChoice('*.example.org/a*b', 'pattern').ranges).toEqual(urlChoice('example.org', 'domain').ranges)
})
