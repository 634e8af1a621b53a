import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { surt } from '../../formats/cdx/surt.ts'
import { keyRanges, type MatchType } from './keyRanges.ts'

const isIn = (key: string, url: string, matchType: MatchType) =>
  keyRanges(url, matchType).some(({ from, to }) => from <= key && key < to)

describe('meaning of a query', () => {
  const check = (matchType: MatchType, url: string, yes: string[], no: string[]) =>
    it(`${matchType} ${url}`, () => {
      for (const each of yes) expect(isIn(surt(each), url, matchType), each).toBe(true)
      for (const each of no) expect(isIn(surt(each), url, matchType), each).toBe(false)
    })

  check('exact', 'http://example.com/a', ['https://www.example.com/a', 'http://example.com/a/'], ['http://example.com/a/b', 'http://example.com/a?b', 'http://example.com/a!']) // prettier-ignore
  check('prefix', 'http://example.com/a', ['http://example.com/a', 'http://example.com/abc', 'http://example.com/a/b?c'], ['http://example.com/', 'http://example.com/b']) // prettier-ignore
  check('prefix', 'http://example.com/a/', ['http://example.com/a/b'], ['http://example.com/abc', 'http://example.com/a?b']) // prettier-ignore
  check('prefix', 'http://example.com/a?b=/', ['http://example.com/a?b=/c'], ['http://example.com/a?b=c'])
  check('prefix', 'example.com', ['http://example.com/', 'http://example.com/z'], ['http://sub.example.com/'])
  check('host', 'http://example.com/a', ['http://example.com/', 'http://www.example.com/z?a'], ['http://sub.example.com/', 'http://example.com:8080/', 'http://example.com.au/']) // prettier-ignore
  check('host', 'http://example.com:8080/', ['http://example.com:8080/x'], ['http://example.com/'])
  check('domain', 'http://example.com/a', ['http://example.com/', 'http://a.b.example.com/', 'http://example.com:8080/', 'http://a.example.com:81/'], ['http://example-shop.com/', 'http://examples.com/', 'http://com/', 'http://example.org/']) // prettier-ignore
  check('host', 'dns:example.com', [], ['http://example.com/'])
})

it('ranges do not overlap, and a host is part of its domain', () => {
  const name = fc.stringMatching(/^[a-z]{1,3}(-[a-z]{1,2})?$/)
  const address = fc
    .tuple(
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', ':81', ':8080'),
      fc.stringMatching(/^[a-z/?=]{0,6}$/),
    ) // prettier-ignore
    .map(([labels, port, path]) => `http://${[...labels, 'example'].join('.')}${port}/${path}`)
  fc.assert(
    fc.property(address, address, (one, other) => {
      for (const matchType of ['exact', 'prefix', 'host', 'domain'] as const) {
        const ranges = keyRanges(one, matchType)
        for (const [at, { from, to }] of ranges.entries()) {
          expect(from < to).toBe(true)
          expect((ranges[at - 1]?.to ?? '') <= from).toBe(true)
        }
      }
      const key = surt(other)
      if (isIn(key, one, 'exact')) expect(isIn(key, one, 'host')).toBe(true)
      if (isIn(key, one, 'host')) expect(isIn(key, one, 'domain')).toBe(true)
      const [host, parent] = [new URL(other).hostname, new URL(one).hostname].map((each) =>
        each.replace(/^www\d*\./, ''),
      )
      expect(isIn(key, one, 'domain')).toBe(host === parent || host?.endsWith(`.${parent}`) === true)
    }),
  )
})
