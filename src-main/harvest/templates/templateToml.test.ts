/** TOML of templates: exact in both directions, and every problem named with its path. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { goneModes, linkTypes, scopes } from '../../contract/shapes/choices.ts'
import { templateSettings, type TemplateSettings } from '../../contract/services/templates.ts'
import { textOf } from '../../contract/words/render.ts'
import { readToml, tomlOf } from './templateToml.ts'

const runs = { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150) }

function problemsIn(toml: string): string[] {
  const read = readToml(toml)
  return 'problems' in read ? read.problems.map(({ message }) => textOf(message)) : []
}

function settingsIn(toml: string): TemplateSettings {
  const read = readToml(toml)
  if ('problems' in read) throw new Error(problemsIn(toml).join(' '))
  return read.settings
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
/** A pattern that matches a text literally. */
const pattern = text.map((literal) => literal.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
const seconds = fc.option(fc.integer({ min: 1, max: 1e9 }))
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const settings = fc
  .record({
    scope: fc.constantFrom(...scopes),
    maxHops: optional(fc.nat()),
    maxBytes: optional(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    hops: optional(fc.record({ limits: fc.dictionary(fc.constantFrom(...linkTypes), fc.nat()) })),
    throttle: optional(
      fc.record({
        rules: fc.array(
          fc.record({ match: pattern, fetchesPerMinute: fc.double({ min: 0, max: 60_000, noNaN: true }) }),
          {
            maxLength: 3,
          },
        ),
      }),
    ),
    robots: fc.constantFrom('obey', 'ignore'),
    include: fc.array(pattern),
    exclude: fc.array(pattern),
    resolve: fc.dictionary(fc.domain(), fc.ipV4()),
    recheck: optional(
      fc.record({
        intervalSeconds: seconds,
        expirySeconds: seconds,
        reseedSeconds: seconds,
        gone: fc.constantFrom(...goneModes),
      }),
    ),
    connectors: optional(fc.constant({ repository: { connector: 'sitemap', changedSince: '2026-01-31' } })),
    login: optional(
      fc.record({
        areas: fc.array(
          fc.record({
            kind: fc.constant('form'),
            credential: fc.constant('site'),
            urls: fc.array(fc.webUrl({ withFragments: false }), { minLength: 1, maxLength: 2 }),
            page: fc.constant('https://example.org/login'),
            userField: text,
            passwordField: text,
            otherFields: fc.dictionary(text, text),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
    ),
  })
  .map((value) => templateSettings.safeParse(value))
  .filter(({ success }) => success)
  .map((checked) => checked.data as TemplateSettings)

test('settings that are written and read are the same', () => {
  fc.assert(
    fc.property(settings, (given) => {
      // Absent and undefined are the same.
      expect(settingsIn(tomlOf(given))).toEqual(JSON.parse(JSON.stringify(given)))
    }),
    runs,
  )
})

test('no text makes the reader fail', () => {
  const key = fc.constantFrom(...Object.keys(templateSettings.shape), 'seeds', 'other')
  const value = fc.oneof(fc.json(), fc.constantFrom('[1, "("]', '{ areas = [{ avoid = ["("] }] }', '1979-05-27'))
  const line = fc.tuple(key, value).map(([name, written]) => `${name} = ${written}`)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.uniqueArray(line).map((lines) => lines.join('\n')),
      ),
      (toml) => {
        const read = readToml(toml)
        if ('problems' in read) for (const { message } of read.problems) expect(textOf(message)).toMatch(/[.!?]$/)
        else expect(templateSettings.safeParse(read.settings).success).toBe(true)
      },
    ),
    runs,
  )
})

test('an empty text has the defaults', () => {
  expect(settingsIn('')).toEqual(templateSettings.parse({}))
})

test('a null is written as "never", and a date as a date or a text', () => {
  const given = settingsIn(`
[recheck]
type = "continuous"
intervalSeconds = "never"
[connectors.repository]
connector = "sitemap"
changedSince = 2026-01-31`)
  expect(given.recheck?.intervalSeconds).toBeNull()
  expect(given.connectors?.repository).toEqual({ connector: 'sitemap', changedSince: '2026-01-31' })
  expect(tomlOf(given)).toContain('intervalSeconds = "never"')
})

const wrong: [what: string, toml: string, problems: string[]][] = [
  ['no TOML', 'scope = "host"\nmaxHops =', ['Line 2 is not valid TOML: invalid value.']],
  ['a key with a typing error', 'maxHop = 3', ['maxHop is not a setting of a template: did you mean maxHops?']],
  ['an unknown key', 'onTheMoonOnly = true', ['onTheMoonOnly is not a setting of a template.']],
  [
    'seeds and a name',
    'seeds = ["http://a.test/"]\nname = "a"',
    [
      'seeds does not belong in a template: domains and harvests have their own.',
      'name does not belong in a template: domains and harvests have their own.',
    ],
  ],
  [
    'everything at once',
    `scope = "planet"
maxHops = "3"
exclude = ["a(", 7, "b["]
[throttle]
speed = 1
rules = [{ match = "(" }]
[[login.areas]]
kind = "form"
credential = "a"
urls = ["https://example.org/"]
avoid = ["("]`,
    [
      'scope must be "page" or "prefix" or "host" or "domain" or "any".',
      'maxHops must be a number.',
      'throttle.rules.0 must have a limit: fetchesPerMinute, connections or bytesPerSecond.',
      'throttle.speed is not a setting of a template.',
      'exclude.1 must be a text.',
      'login.areas.0.page is missing: it must be a text.',
      'login.areas.0.userField is missing: it must be a text.',
      'login.areas.0.passwordField is missing: it must be a text.',
      'exclude.0 is not a valid pattern. "(": This parenthesis is never closed.',
      'exclude.2 is not a valid pattern. "[": This bracket is never closed.',
      'throttle.rules.0.match is not a valid pattern. "(": This parenthesis is never closed.',
      'login.areas.0.avoid.0 is not a valid pattern. "(": This parenthesis is never closed.',
    ],
  ],
]
test.each(wrong)('%s', (_, toml, problems) => {
  // Advice after the problem is not compared.
  const found = problemsIn(toml).map((problem, at) => problem.slice(0, problems[at]?.length))
  expect(found).toEqual(problems)
})
