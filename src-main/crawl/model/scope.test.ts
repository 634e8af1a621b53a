import { describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import {
  addRedirectedSeed,
  excludingPattern,
  isSeedRedirect,
  judge,
  scopeOf,
  seedAddress,
  type Found,
  type Scope,
} from './scope.ts'

const page = { role: 'page', hops: 0, requisiteDepth: 0 } as const
const deepPage = { role: 'page', hops: 3, requisiteDepth: 0 } as const
const requisite = { role: 'requisite', hops: 2, requisiteDepth: 1 } as const
const deepest = { role: 'requisite', hops: 2, requisiteDepth: 5 } as const
const sitemap = { role: 'sitemap', hops: 1, requisiteDepth: 0 } as const

function scope(definition: object): Scope {
  return scopeOf(harvestDefinition.parse({ seeds: ['http://museum.test/art/start.html'], ...definition }))
}

/** The verdict in short: `page 1`, `requisite 0 deep 1`, or the reason. */
function short(of: Scope, found: Found): string {
  const verdict = judge(of, found)
  if (verdict.verdict === 'excluded') return verdict.reason
  return `${verdict.verdict} ${verdict.hops}${verdict.requisiteDepth > 0 ? ` deep ${verdict.requisiteDepth}` : ''}`
}

function check(definition: object, kind: Found['kind'], parent: Found['parent'], url: string, expected: string): void {
  test(`${JSON.stringify(definition)}: ${kind} from a ${parent.role} to ${url} is ${expected}`, () => {
    expect(short(scope(definition), { kind, parent, url })).toBe(expected)
  })
}

describe('scope kinds', () => {
  check({ scope: 'page' }, 'navigation', page, 'http://museum.test/art/', 'outOfScope')
  check({ scope: 'page' }, 'embed', page, 'http://museum.test/a.png', 'requisite 0 deep 1')
  check({ scope: 'page' }, 'redirect', page, 'http://other.test/', 'page 0')
  check({ scope: 'page' }, 'sitemap', page, 'http://museum.test/sitemap.xml', 'outOfScope')
  check({ scope: 'prefix' }, 'navigation', page, 'http://museum.test/art/x/y.html', 'page 1')
  check({ scope: 'prefix' }, 'navigation', page, 'https://museum.test/art/?a=b/c', 'page 1')
  check({ scope: 'prefix' }, 'navigation', page, 'http://museum.test/artist/', 'outOfScope')
  check({ scope: 'prefix' }, 'navigation', page, 'http://museum.test/?/art/', 'outOfScope')
  check({ scope: 'prefix' }, 'navigation', page, 'http://museum.test:8080/art/', 'outOfScope')
  check({ scope: 'prefix' }, 'navigation', page, 'http://other.test/museum.test/art/', 'outOfScope')
  check({ scope: 'prefix' }, 'sitemap', page, 'http://museum.test/sitemap.xml', 'sitemap 1')
  check({ scope: 'prefix' }, 'sitemap', page, 'http://museum.test.evil.test/sitemap.xml', 'outOfScope')
  check({ scope: 'host' }, 'navigation', page, 'https://museum.test:8443/', 'page 1')
  check({ scope: 'host' }, 'navigation', page, 'http://www.museum.test/', 'outOfScope')
  check({ scope: 'domain' }, 'navigation', page, 'http://www.museum.test/', 'page 1')
  check({ scope: 'domain' }, 'navigation', page, 'http://notmuseum.test/', 'outOfScope')
  check({ scope: 'domain', seeds: ['http://10.0.0.1/'] }, 'navigation', page, 'http://20.0.0.1/', 'outOfScope')
  check({ scope: 'domain', seeds: ['localhost:8080'] }, 'navigation', page, 'http://localhost/', 'page 1')
  check({ scope: 'domain', seeds: ['a.github.io'] }, 'navigation', page, 'http://b.github.io/', 'outOfScope')
  check({ scope: 'any' }, 'navigation', page, 'http://anything.test/', 'page 1')
  check({ scope: 'any' }, 'navigation', page, 'ftp://anything.test/', 'badAddress')
  check({ scope: 'any' }, 'navigation', page, 'not an address', 'badAddress')
})

describe('page requisites', () => {
  check({}, 'embed', deepPage, 'https://media.test/a.css', 'requisite 3 deep 1')
  check({}, 'embed', requisite, 'https://fonts.test/a.woff2', 'requisite 2 deep 2')
  check({}, 'embed', deepest, 'https://fonts.test/a.woff2', 'outOfScope')
  check({}, 'redirect', deepest, 'https://fonts.test/b.woff2', 'requisite 2 deep 5')
  check({}, 'redirect', requisite, 'https://cdn.test/a.css', 'requisite 2 deep 1')
  check({}, 'navigation', requisite, 'http://museum.test/', 'page 3')
  check({}, 'navigation', requisite, 'https://media.test/', 'outOfScope')
  check({}, 'embed', sitemap, 'https://media.test/a.png', 'requisite 1 deep 1')
})

describe('redirects and lists', () => {
  check({}, 'redirect', page, 'https://www.museum.test/', 'page 0')
  check({}, 'redirect', deepPage, 'https://www.museum.test/', 'outOfScope')
  check({}, 'redirect', deepPage, 'http://museum.test/b', 'page 3')
  check({}, 'redirect', sitemap, 'http://museum.test/b.xml', 'sitemap 1')
  check({}, 'redirect', sitemap, 'http://other.test/b.xml', 'outOfScope')
  check({}, 'sitemap', sitemap, 'http://museum.test/b.xml', 'sitemap 2')
  check({}, 'navigation', sitemap, 'http://museum.test/b', 'page 2')
})

describe('hops and patterns', () => {
  check({}, 'embed', page, 'http://museum.test/a.png', 'requisite 0 deep 1')
  check({}, 'redirect', page, 'http://museum.test/', 'page 0')
  check({}, 'navigation', deepPage, 'http://museum.test/', 'page 4')
  check({ include: ['/art/', '/staff/'] }, 'navigation', page, 'http://museum.test/staff/', 'page 1')
  check({ include: ['/art/'] }, 'navigation', page, 'http://museum.test/staff/', 'notIncluded')
  check({ include: ['/art/'] }, 'embed', page, 'http://museum.test/a.png', 'requisite 0 deep 1')
  check({ include: ['/art/'] }, 'redirect', page, 'http://museum.test/', 'page 0')
  check({ include: ['/art/'] }, 'sitemap', page, 'http://museum.test/sitemap.xml', 'sitemap 1')
  check({ exclude: ['\\.png$'] }, 'embed', page, 'http://museum.test/a.png', 'excludedByPattern')
  check({ exclude: ['\\?day='] }, 'navigation', page, 'http://museum.test/?day=9', 'excludedByPattern')
  check({ exclude: ['login'] }, 'redirect', page, 'http://museum.test/login', 'excludedByPattern')
  check({ exclude: ['\\p{Lu}'], include: ['.'] }, 'navigation', page, 'http://museum.test/A', 'excludedByPattern')
})

test("the target of a seed's redirect becomes part of the scope", () => {
  const found: Found = { kind: 'redirect', parent: page, url: 'https://www.museum.test/en/' }
  expect(isSeedRedirect(found)).toBe(true)
  expect(isSeedRedirect({ ...found, parent: deepPage })).toBe(false)
  for (const [kind, url] of [
    ['host', '/x'],
    ['prefix', '/en/x'],
    ['domain', '/x'],
  ] as const) {
    const link: Found = { kind: 'navigation', parent: page, url: `https://www.museum.test${url}` }
    const extended = scope({ scope: kind })
    addRedirectedSeed(extended, found.url)
    expect(short(extended, link)).toBe('page 1')
    expect(short(extended, { ...link, url: 'http://museum.test/art/x' })).toBe('page 1')
  }
})

test.each([
  ['example.org', 'http://example.org/'],
  [' HTTPS://Example.org/A ', 'https://example.org/A'],
  ['localhost:8080/a', 'http://localhost:8080/a'],
  ['ftp://example.org/', undefined],
  ['http://', undefined],
  ['javascript:alert(1)', undefined],
])('the seed %s means %s', (seed, expected) => {
  expect(seedAddress(seed)?.href).toBe(expected)
})

describe('crawler traps of domains', () => {
  const domains = { 'museum.test': { exclude: ['/calendar/', 'sort='] }, 'other.co.uk': { exclude: ['/x'] } }
  const seeds = ['http://museum.test/', 'http://www.other.co.uk/']
  const rows: [url: string, kind: Found['kind'], expected: string][] = [
    ['http://museum.test/calendar/2026', 'navigation', 'excludedByPattern'],
    ['https://www.museum.test/a?sort=up', 'navigation', 'excludedByPattern'],
    ['http://img.museum.test/calendar/a.png', 'embed', 'excludedByPattern'],
    ['http://museum.test/x', 'navigation', 'page 1'],
    ['http://www.other.co.uk/x', 'navigation', 'excludedByPattern'],
    ['http://www.other.co.uk/calendar/2026', 'navigation', 'page 1'],
    ['http://third.test/calendar/a.png', 'embed', 'requisite 0 deep 1'],
    ['http://notmuseum.test/calendar/a.png', 'embed', 'requisite 0 deep 1'],
  ]
  test.each(rows)('%s found as %s: %s', (url, kind, expected) => {
    expect(short(scope({ seeds, scope: 'domain', domains }), { url, kind, parent: page })).toBe(expected)
  })

  test('the detail names the pattern and the domain, and a general pattern comes first', () => {
    const both = scope({ seeds, domains, exclude: ['2026'] })
    expect(excludingPattern(both, 'http://museum.test/calendar/2026')).toBe('2026')
    expect(excludingPattern(both, 'http://www.museum.test/calendar/')).toEqual({
      code: 'scope.trap',
      values: { pattern: '/calendar/', domain: 'museum.test' },
    })
  })

  test('patterns are checked like those for all domains', () => {
    const { error } = harvestDefinition.safeParse({ seeds, domains: { 'museum.test': { exclude: ['fine', '(?=a)'] } } })
    expect(error?.issues.map(({ path }) => path)).toEqual([['domains', 'museum.test', 'exclude', 1]])
  })
})
