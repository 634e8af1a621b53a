import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { crawlDelayMs, mayFetch, parseRobots } from './robots.ts'
import { corporaFolder } from '../testing/corpora.ts'

const host = 'http://museum.test'

function check(robots: string, agent: string, path: string, allowed: boolean, rule?: string): void {
  test(`${JSON.stringify(robots)} ${allowed ? 'allows' : 'forbids'} ${agent} ${path}`, () => {
    const answer = mayFetch(parseRobots(robots), agent, host + path)
    expect(answer.allowed).toBe(allowed)
    if (rule !== undefined) expect(answer.rule).toBe(rule)
  })
}

describe('groups', () => {
  check('', 'loupe', '/', true)
  check('User-agent: *\nDisallow: /private/', 'loupe', '/private/a.png', false, 'line 2: Disallow: /private/')
  check('User-agent: *\nDisallow: /private/', 'loupe', '/public/', true)
  check('User-agent: *\nDisallow: /\nUser-agent: loupe\nDisallow: /x', 'Loupe', '/y', true)
  check('User-agent: loupe\nUser-agent: other\nDisallow: /', 'loupe', '/y', false)
  check('User-agent: other\nDisallow: /\nUser-agent: loupe', 'loupe', '/y', true)
  check(
    'User-agent: loupe\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: loupe\nDisallow: /b',
    'loupe',
    '/b',
    false,
  )
  check('User-agent: loupe/2.0 (a comment)\nDisallow: /', 'loupe', '/', false)
  check('User-agent: loupes\nDisallow: /', 'loupe', '/', true)
  check('Disallow: /', 'loupe', '/', true)
  check('\ufeffUser-agent: *\rDisallow: /', 'loupe', '/', false)
  check('user agent: *\ndisalow: /', 'loupe', '/', false)
  check('user-agent *\ndisallow /', 'loupe', '/', false)
  check('User-agent: __proto__\nDisallow: /', '__proto__', '/', false)
})

describe('rules', () => {
  check('User-agent: *\nDisallow:', 'loupe', '/a', true)
  check('User-agent: *\nDisallow: /', 'loupe', '/robots.txt', true)
  check('User-agent: *\nDisallow: /a\nAllow: /a/b', 'loupe', '/a/b/c', true, 'line 3: Allow: /a/b')
  check('User-agent: *\nAllow: /a\nDisallow: /a # why', 'loupe', '/a', true, 'line 2: Allow: /a')
  check('User-agent: *\nDisallow: /*?', 'loupe', '/a?b', false)
  check('User-agent: *\nDisallow: /*.pdf$', 'loupe', '/a.pdf', false)
  check('User-agent: *\nDisallow: /*.pdf$', 'loupe', '/a.pdf.html', true)
  check('User-agent: *\nDisallow: /a*a$', 'loupe', '/a', true)
  check('User-agent: *\nDisallow: /a$b', 'loupe', '/a$b', false)
  check('User-agent: *\nDisallow: /%c3%a9t%C3%a9', 'loupe', '/%C3%A9t%C3%A9', false)
  check('User-agent: *\nDisallow: /été', 'loupe', '/%C3%A9t%C3%A9', false)
  check('User-agent: *\nDisallow: /a', 'loupe', '#/a', true)
  check('User-agent: *\nDisallow: /?a', 'loupe', '?a', false)
})

test('delays and sitemaps', () => {
  const robots = parseRobots(
    'Sitemap: https://museum.test/s.xml\nUser-agent: a\nCrawl-delay: 2.5\nUser-agent: b\nCrawl-delay: 7\nDisallow: /x\n' +
      'User-agent: *\nCrawl-delay: 1\nDisallow:\nsite-map: http://museum.test/t.xml\nUser-agent: c\nCrawl-delay: soon\nAllow: /',
  )
  expect(robots.sitemaps).toEqual(['https://museum.test/s.xml', 'http://museum.test/t.xml'])
  expect(['a', 'B', 'unknown', 'c'].map((agent) => crawlDelayMs(robots, agent))).toEqual([2500, 7000, 1000, undefined])
})

test('a pattern of many wildcards is matched at once', () => {
  const robots = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(4000)}$`)
  expect(mayFetch(robots, 'loupe', `${host}/${'a'.repeat(8000)}b`).allowed).toBe(true)
})

test('any file yields a decision, and the deciding line is in the file', () => {
  const line = fc.constantFrom(
    'User-agent: *',
    'User-agent: x',
    'Allow: /a*',
    'Disallow: /',
    'Disallow: /*$',
    '#',
    ':',
    'x',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }), fc.webUrl(), (lines, url) => {
      const text = lines.join('\n')
      const answer = mayFetch(parseRobots(text), 'x', url)
      if (answer.rule) expect(text).toContain(answer.rule.replace(/^line \d+: /, ''))
      else expect(answer.allowed).toBe(true)
    }),
  )
})

interface Case {
  test: string
  robots_txt: string
  user_agent: string
  url: string
  allowed: boolean
}

const table = join(corporaFolder, 'tables/robots_google.json')

test.skipIf(!existsSync(table))(
  "every row of Google's own table (skipped without the tables of expected results)",
  () => {
    const { cases } = JSON.parse(readFileSync(table, 'utf8')) as { cases: Case[] }
    expect(cases.length).toBe(140)
    const wrong = cases.filter(
      (row) => mayFetch(parseRobots(row.robots_txt), row.user_agent, row.url).allowed !== row.allowed,
    )
    expect(wrong).toEqual([])
  },
)
