import { expect, test } from 'vitest'
import { harvestDefinition, type HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import { makeFormats } from '../../parts/formats.ts'
import { translate } from '../../words/language.ts'
import { definitionFacts } from './definitionFacts.ts'

const language = { t: translate, formats: makeFormats('en') }
const told = (definition: HarvestDefinition, schedule = 'every day') =>
  definitionFacts(language, definition, schedule)
    .flatMap(({ title, facts }) => facts.map(({ name, value }) => `${title} / ${name}: ${value}`))
    .join('\n')
    .replaceAll('\u00a0', ' ')

const whole = harvestDefinition.parse({
  seeds: ['http://a.example/'],
  name: 'Two',
  scope: 'domain',
  maxHops: 3,
  hops: { mode: 'noDelete', limits: { redirect: 5 } },
  maxObjects: 1_000,
  maxBytes: 5_000_000,
  maxSeconds: 5_400,
  maxNoResponseSeconds: 1_800,
  maxInactiveSeconds: 600,
  workers: 2,
  delayMs: 1_500,
  connectionsPerHost: 3,
  order: 'scheduled',
  robots: 'ignore',
  throttle: { rules: [{ match: 'a$', bytesPerSecond: 1_500, connections: 1 }], delayFactor: 2.5, delayMsMax: 10_000 },
  include: ['in'],
  exclude: ['out'],
  domains: { 'a.example': { exclude: ['/calendar/', 'sort='] } },
  userAgent: 'Someone',
  resolve: { 'www.example.org': '127.0.0.1' },
  recheck: { type: 'continuous', intervalSeconds: 3_600, gone: 'keep', patience: 'long', onHardFailure: 'abort' },
  outputs: [{ output: 'Copies' }, { output: 'Catalogue' }],
  deduplication: { match: 'payload', jobs: [3, 4], excludedTypes: ['text/*', 'application/json'] },
  connectors: { repository: { connector: 'web' }, output: 'null' },
  login: {
    recorded: 'exact',
    areas: [
      {
        kind: 'form',
        credential: 'b',
        urls: ['https://b.example/'],
        untrusted: true,
        page: 'https://b.example/login',
        userField: 'u',
        passwordField: 'p',
        otherFields: { remember: 'yes' },
        submitsTo: 'https://sso.example/',
        success: { status: 200, textAbsent: 'wrong' },
      },
    ],
  },
})
const lesser = harvestDefinition.parse({ seeds: ['http://b.example/'] })

// The schedule is the engine's current one, since it may have been changed.
const fields = Object.keys(harvestDefinition.shape).filter((field) => field !== 'schedule')

test.each(fields)('%s is shown, and a changed value is shown differently', (field) => {
  const { [field as 'name']: _gone, ...rest } = whole
  const other = { ...rest, ...(field in lesser ? { [field]: lesser[field as 'name'] } : {}) } as HarvestDefinition
  expect(told(other)).not.toBe(told(whole))
})

test('shows every field in words', () => {
  expect(told(whole)).toMatchInlineSnapshot(`
    "Scope and content / Name: Two
    Scope and content / Source: Web site
    Scope and content / Seeds: http://a.example/
    Scope and content / Scope: Same domain
    Scope and content / Max. link depth: 3
    Scope and content / Depth by link type: redirect: 5
    Scope and content / When a link has disappeared since the last run: Keep the old depth
    Scope and content / Include patterns: in
    Scope and content / Exclude patterns: out
    Scope and content / Crawler traps: a.example: /calendar/ sort=
    Scope and content / Output: Dry run
    Scope and content / Deliveries: Copies, Catalogue
    Politeness / Delay (ms): 1,500
    Politeness / Connections per host: 3
    Politeness / Workers: 2
    Politeness / Order of documents: As they were found
    Politeness / robots.txt: Ignore
    Politeness / Adaptive delay (factor): 2.5
    Politeness / Longest adaptive delay (ms): 10,000
    Politeness / Throttling: a$: 1 connection, 1.5 kB per second
    Politeness / User agent: Someone
    Politeness / Hosts file: www.example.org 127.0.0.1
    Limits / Max. URLs: 1,000
    Limits / Max. size: 5 MB
    Limits / Max. duration: 1 h 30 min
    Limits / Max. time without data: 30 min
    Limits / Max. time without requests: 10 min
    Start / Schedule: every day
    Further runs / Recheck pages: Continuously
    Further runs / Recheck interval: 1 h
    Further runs / Longest interval: no limit
    Further runs / Stop rechecking after: never
    Further runs / Requeue seeds every: 1 h
    Further runs / Pages that are gone: Request them again in every run
    Further runs / Unreachable servers: Retry for hours
    Further runs / If a page still cannot be fetched: Stop the job
    Deduplication / Recognise unchanged content: By content
    Deduplication / Compare with jobs: 3, 4
    Deduplication / Always store in full: text/*, application/json
    Login / Login: HTML form for https://b.example/ as “b”
        Login page: https://b.example/login
        User name field: u
        Password field: p
        Other form fields: remember=yes
        The form may submit to: https://sso.example/
        Successful login when: The status is “200”, The page does not contain “wrong”
        URLs to avoid: (?:log|sign)[-_]?(?:out|off)
        Accept untrusted certificates
    Login / Archived data: Archive everything, including secrets"
  `)
})

test('the settings of each connector are shown', () => {
  const of = (repository: object) =>
    told(harvestDefinition.parse({ seeds: ['http://b.example/'], connectors: { repository } }))
  expect(of({ connector: 'sitemap', changedSince: '2026-01-31' })).toContain('Only pages changed since: 2026-01-31')
  expect(of({ connector: 'feed', olderParts: true })).toContain('Include older pages of the feed: yes')
  expect(of({ connector: 'folder', hidden: true })).toContain('(names that begin with a dot): yes')
  const module = of({ connector: 'module', module: '/srv/cms.mjs', settings: { site: 'http://a.example/' } })
  expect(module).toContain('Path of the module: /srv/cms.mjs')
  expect(module).toContain('site = http://a.example/')
  expect(module).not.toMatch(/robots|Scope:/)
  expect(of({ connector: 'folder' })).not.toMatch(/robots|Scope:|dot/)
})
