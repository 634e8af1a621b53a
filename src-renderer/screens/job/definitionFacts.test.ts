import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { harvestDefinition, type HarvestDefinition } from '../../../src-main/contract/contract.ts'
import { makeFormats } from '../../parts/formats.ts'
import { en } from '../../words/en.ts'
import { definitionFacts } from './definitionFacts.ts'

const intl = createIntl({ locale: 'en', messages: en })
const speaking = {
  say: (id: keyof typeof en, values?: Record<string, string | number>) => intl.formatMessage({ id }, values),
  formats: makeFormats('en'),
}
const told = (definition: HarvestDefinition, schedule = 'every day') =>
  definitionFacts(speaking, definition, schedule)
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
  workers: 2,
  delayMs: 1_500,
  connectionsPerHost: 3,
  robots: 'ignore',
  throttle: { rules: [{ match: 'a$', bytesPerSecond: 1_500, connections: 1 }], delayFactor: 2.5, delayMsMax: 10_000 },
  include: ['in'],
  exclude: ['out'],
  userAgent: 'Someone',
  resolve: { 'www.example.org': '127.0.0.1' },
  recheck: { type: 'continuous', intervalSeconds: 3_600, gone: 'keep', patience: 'long', onHardFailure: 'abort' },
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

// The schedule is told as the engine has it now, since it may have been changed.
const fields = Object.keys(harvestDefinition.shape).filter((field) => field !== 'schedule')

test.each(fields)('%s is told, and told otherwise when it is another', (field) => {
  const { [field as 'name']: _gone, ...rest } = whole
  const other = { ...rest, ...(field in lesser ? { [field]: lesser[field as 'name'] } : {}) } as HarvestDefinition
  expect(told(other)).not.toBe(told(whole))
})

test('all of it, in words', () => {
  expect(told(whole)).toMatchInlineSnapshot(`
    "What is harvested / Name: Two
    What is harvested / What to harvest: Web site
    What is harvested / Seeds: http://a.example/
    What is harvested / What belongs to it: The same domain
    What is harvested / Most hops: 3
    What is harvested / How far it goes, by type of link: redirect: 5
    What is harvested / When a link has vanished since the last run: Leave it
    What is harvested / Include patterns: in
    What is harvested / Exclude patterns: out
    What is harvested / What becomes of it: Dry run
    How hosts are asked / Pause (ms): 1,500
    How hosts are asked / Connections per host: 3
    How hosts are asked / Workers: 2
    How hosts are asked / Rules of robots.txt: Ignore
    How hosts are asked / Rest after an answer (times): 2.5
    How hosts are asked / Longest such rest (ms): 10,000
    How hosts are asked / Throttles: a$: 1 connection, 1.5 kB a second
    How hosts are asked / User agent: Someone
    How hosts are asked / Addresses of hosts: www.example.org 127.0.0.1
    Limits / Most documents: 1,000
    Limits / Most bytes: 5 MB
    Limits / Most time: 1h 30m
    When / Schedule: every day
    Further runs / How often a page is looked at: Continuously
    Further runs / Look again after: 1h
    Further runs / At the latest after: no limit
    Further runs / Leave a page alone after: never
    Further runs / Take up the seeds every: 1h
    Further runs / Pages that the site no longer has: Ask for them again in every run
    Further runs / Servers that cannot be reached: Try for hours
    Further runs / If one still cannot be reached: Stop the job
    Logging in / Logs in: By form to https://b.example/ as “b”
        Page with the form: https://b.example/login
        Field for the name: u
        Field for the password: p
        Other fields to fill in: remember=yes
        The form may send the password to: https://sso.example/
        It worked when: Status “200”, The page does not say “wrong”
        Addresses to leave alone: (?:log|sign)[-_]?(?:out|off)
        Also where nobody vouches for the certificate
    Logging in / What is archived of it: Every byte, secrets and all"
  `)
})

test('of what each connector can be told, what it was told', () => {
  const of = (repository: object) =>
    told(harvestDefinition.parse({ seeds: ['http://b.example/'], connectors: { repository } }))
  expect(of({ connector: 'sitemap', changedSince: '2026-01-31' })).toContain('Only what changed since: 2026-01-31')
  expect(of({ connector: 'feed', olderParts: true })).toContain('Also the older parts that the feed names: yes')
  expect(of({ connector: 'folder', hidden: true })).toContain('names begin with a dot: yes')
  expect(of({ connector: 'folder' })).not.toMatch(/robots|What belongs to it|dot/)
})
