import { expect, test } from 'vitest'
import type { z } from 'zod'
import { harvestDefinition, type HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import { translate } from '../../words/language.ts'
import { problemWords } from './problemWords.ts'
import { Fault, type FieldPath } from '../../../src-main/contract/calls/faults.ts'
import { message } from '../../../src-main/contract/words/message.ts'
import { whyFixed } from './fixedInRun.ts'
import { controlOf } from './harvestControls.ts'
import {
  problemsOf,
  defined,
  draftOf,
  emptyDraft,
  inOrder,
  redefined,
  type Problem,
  type HarvestDraft,
} from './harvestDraft.ts'
import { emptyArea } from './loginDraft.ts'
import { emptyRule, noThrottle, type ThrottleRuleDraft } from './throttleDraft.ts'

const seeds = 'http://a.example/'
const unclosed = 'This parenthesis is never closed. Close it, or write \\( to match a parenthesis.'

test('a complete form becomes a definition: lines, units and empty fields', () => {
  const draft: HarvestDraft = {
    ...emptyDraft,
    seeds: ' http://a.example/ \n\nb.example\r\n',
    maxBytes: 1.5,
    maxBytesUnit: 'GB',
    maxSeconds: 2,
    maxSecondsUnit: 'hours',
    delayMs: 0,
    include: 'news',
    resolve: 'www.example.org 127.0.0.1',
  }
  expect(defined(draft)).toEqual({
    definition: {
      seeds: ['http://a.example/', 'b.example'],
      scope: 'host',
      robots: 'obey',
      include: ['news'],
      exclude: [],
      maxBytes: 1_500_000_000,
      maxSeconds: 7_200,
      delayMs: 0,
      resolve: { 'www.example.org': '127.0.0.1' },
    },
  })
})

test('logins become areas of the definition, and a problem names its area, field and line', () => {
  const area = {
    ...emptyArea(0),
    credential: 'site',
    urls: 'https://a.example/in/\n\nhttps://a.example/more/',
    page: 'https://a.example/login',
    userField: 'user',
    passwordField: 'pass',
    otherFields: 'remember=yes\ntoken=a=b',
    submitsTo: 'https://sso.example/',
    loggedOut: { ...emptyArea(0).loggedOut, text: ' Please log in ', status: 403 },
  }
  const digest = { ...emptyArea(1), kind: 'digest' as const, credential: 'other', urls: 'https://b.example', untrusted: true } // prettier-ignore
  const of = (changes: Partial<typeof area>) =>
    defined({ ...emptyDraft, seeds, login: { areas: [digest, { ...area, ...changes }], recorded: 'withoutSessions' } })
  const result = of({})
  expect('definition' in result ? result.definition.login : result).toEqual({
    areas: [
      { kind: 'digest', credential: 'other', urls: ['https://b.example'], untrusted: true },
      {
        kind: 'form',
        credential: 'site',
        untrusted: false,
        urls: ['https://a.example/in/', 'https://a.example/more/'],
        page: 'https://a.example/login',
        userField: 'user',
        passwordField: 'pass',
        otherFields: { remember: 'yes', token: 'a=b' },
        submitsTo: 'https://sso.example/',
        success: {},
        loggedOut: { text: 'Please log in', status: 403 },
        avoid: ['(?:log|sign)[-_]?(?:out|off)'],
      },
    ],
    recorded: 'withoutSessions',
  })
  const refused = (changes: Partial<typeof area>) => {
    const wrong = of(changes)
    const problem = 'problems' in wrong ? wrong.problems.login : undefined
    return [problem && controlOf(problem.path), problem?.line]
  }
  expect(refused({ credential: '' })).toEqual(['login.1.credential', null])
  expect(refused({ urls: '' })).toEqual(['login.1.urls', null])
  expect(refused({ urls: 'https://a.example\n\na.example' })).toEqual(['login.1.urls', 3])
  expect(refused({ avoid: 'fine\n(' })).toEqual(['login.1.avoid', 2])
  expect(refused({ page: 'login' })).toEqual(['login.1.page', null])
  expect(refused({ passwordField: '' })).toEqual(['login.1.passwordField', null])
  expect(refused({ success: { ...area.success, status: 99 } })).toEqual(['login.1.success.status', null])
})

test.each<{ typed: Partial<HarvestDraft>; field: keyof HarvestDraft; words: string }>([
  { typed: { seeds: ' \n ' }, field: 'seeds', words: 'Enter at least one URL to start from.' },
  { typed: { seeds, maxObjects: 0 }, field: 'maxObjects', words: 'Must be 1 or more.' },
  { typed: { seeds, maxHops: -1 }, field: 'maxHops', words: 'Must be 0 or more.' },
  { typed: { seeds, workers: 1_000 }, field: 'workers', words: 'Must be 100 or less.' },
  { typed: { seeds, maxHops: 1.5 }, field: 'maxHops', words: 'Must be a whole number.' },
  { typed: { seeds, maxHops: '-' }, field: 'maxHops', words: 'Must be a whole number.' },
  { typed: { seeds, hops: { ...emptyDraft.hops, redirect: -1 } }, field: 'hops', words: 'Must be 0 or more.' },
  { typed: { seeds, hops: { ...emptyDraft.hops, link: 'x' } }, field: 'hops', words: 'Must be a whole number.' },
  {
    typed: { seeds, throttle: { ...noThrottle, delayFactor: 1_000 } },
    field: 'throttle',
    words: 'Must be 100 or less.',
  },
  {
    typed: { seeds, exclude: 'fine\n\n((' },
    field: 'exclude',
    words: `Line 3: This value is not a valid pattern. "(": ${unclosed}`,
  },
  { typed: { seeds, name: 'x'.repeat(201) }, field: 'name', words: 'Must be 200 characters or fewer.' },
  { typed: { seeds, resolve: 'host-only' }, field: 'resolve', words: 'This field is incomplete.' },
])('$field: $words', ({ typed, field, words }) => {
  const result = defined({ ...emptyDraft, ...typed })
  const problem = 'problems' in result ? result.problems[field] : undefined
  expect(problem && problemWords(translate, problem)).toBe(words)
})

test('hop limits are set only where one was typed', () => {
  const of = (hops: Partial<HarvestDraft['hops']>) => {
    const result = defined({ ...emptyDraft, seeds, hops: { ...emptyDraft.hops, ...hops } })
    return 'definition' in result ? result.definition.hops : result
  }
  expect(of({})).toBeUndefined()
  expect(of({ redirect: 5, link: 0 })).toEqual({ mode: 'accurate', limits: { link: 0, redirect: 5 } })
  expect(of({ mode: 'noDelete' })).toEqual({ mode: 'noDelete', limits: {} })
})

test('rechecks are set only when changed; times become seconds, and an empty one means never', () => {
  const of = (recheck: Partial<HarvestDraft['recheck']>) => {
    const result = defined({ ...emptyDraft, seeds, recheck: { ...emptyDraft.recheck, ...recheck } })
    return 'definition' in result ? result.definition.recheck : wordsOf(result.problems.recheck)
  }
  expect(of({})).toBeUndefined()
  expect(of({ gone: 'keep' })).toMatchObject({ type: 'once', gone: 'keep' })
  expect(of({ type: 'continuous', expirySeconds: { length: 1.5, unit: 'hours' } })).toMatchObject({
    type: 'continuous',
    intervalSeconds: 86_400,
    intervalSecondsMax: null,
    expirySeconds: 5_400,
    reseedSeconds: 3_600,
  })
  expect(of({ type: 'continuous', intervalSecondsMax: { length: 2, unit: 'hours' } })).toBe(
    'Must not be shorter than the recheck interval.',
  )
  expect(of({ type: 'continuous', reseedSeconds: { length: '-', unit: 'hours' } })).toBe('Must be a whole number.')
})

test('deduplication is set only when changed; without it, what is typed in its hidden fields does not count', () => {
  const of = (deduplication: Partial<HarvestDraft['deduplication']>) => {
    const result = defined({ ...emptyDraft, seeds, deduplication: { ...emptyDraft.deduplication, ...deduplication } })
    return 'definition' in result ? result.definition.deduplication : result.problems.deduplication?.path
  }
  expect(of({})).toBeUndefined()
  const typed = { jobs: '3, x', excludedTypes: 'text' }
  expect(of({ match: 'payload', jobs: '3 4', excludedTypes: '' })).toEqual({ match: 'payload', jobs: [3, 4], excludedTypes: [] }) // prettier-ignore
  expect(of(typed)).toEqual(['deduplication', 'jobs', 1])
  expect(of({ ...typed, match: 'off' })).toEqual({ match: 'off', excludedTypes: ['text/*'] })
})

test.each<[string, z.input<typeof harvestDefinition>]>([
  ['the least', { seeds: [seeds] }],
  [
    'all of it',
    {
      seeds: [seeds, 'b.example'],
      name: 'Two',
      scope: 'domain',
      maxHops: 3,
      hops: { mode: 'noDelete', limits: { link: 0, redirect: 5 } },
      maxObjects: 10,
      maxBytes: 1_234,
      maxSeconds: 5_400,
      workers: 2,
      delayMs: 0,
      connectionsPerHost: 3,
      order: 'scheduled',
      robots: 'ignore',
      throttle: {
        rules: [
          { match: 'a', bytesPerSecond: 1_500 },
          { match: 'b', fetchesPerMinute: 0, connections: 2 },
        ],
        delayFactor: 2.5,
        delayMsMax: 10_000,
      },
      include: ['a b', 'c'],
      exclude: ['d'],
      domains: { 'a.example': { exclude: ['/calendar/', 'sid= x'] }, 'b.example': { exclude: ['/x/'] } },
      userAgent: 'Someone',
      resolve: { 'www.example.org': '127.0.0.1:80' },
      recheck: {
        type: 'continuous',
        intervalSeconds: 90,
        intervalSecondsMax: null,
        expirySeconds: 86_400,
        gone: 'keep',
      },
      connectors: { repository: { connector: 'sitemap', changedSince: '2026-01-31' }, output: 'null' },
      schedule: {
        startMethod: 'WINDOWINSIDE',
        records: [{ hours: [2], durationMinutes: 90, timeZone: 'Europe/Berlin' }],
      },
      login: {
        recorded: 'exact',
        areas: [
          { kind: 'basic', credential: 'a', urls: ['https://a.example/'], untrusted: true },
          {
            kind: 'form',
            credential: 'b',
            urls: ['https://b.example/'],
            page: 'https://b.example/login',
            userField: 'u',
            passwordField: 'p',
            otherFields: { remember: 'yes' },
            submitsTo: 'https://sso.example/',
            success: { status: 200, textAbsent: 'wrong' },
            loggedOut: { address: 'https://b.example/login' },
            avoid: [],
          },
        ],
      },
    },
  ],
  ['distances for a later run', { seeds: [seeds], hops: {} }],
  ['a feed', { seeds: [seeds], connectors: { repository: { connector: 'feed', olderParts: true } } }],
  [
    'connections, with a copy of what they say',
    {
      seeds: [seeds],
      connectors: {
        ...{ repository: { connector: 'sitemap', changedSince: '2026-01-31' }, output: 'null' },
        ...{ repositoryConnection: 'Press', outputConnection: 'Trials' },
      },
      throttle: { rules: [{ match: 'a', description: 'slow', connections: 1 }] },
    },
  ],
  [
    'a module',
    {
      seeds: ['cms:all'],
      connectors: {
        repository: { connector: 'module', module: '/a.mjs', settings: { site: 'http://a=b', 'two words': '' } },
      },
    },
  ],
  ['a folder', { seeds: ['/home/me'], connectors: { repository: { connector: 'folder', hidden: true } } }],
])('a definition survives a round trip through the form: %s', (_, given) => {
  const definition = harvestDefinition.parse(given)
  expect(defined(draftOf(definition, 'UTC'))).toEqual({ definition })
})

test('rules for hosts: bandwidth becomes bytes, and a problem names its row and field', () => {
  const of = (...changes: Partial<ThrottleRuleDraft>[]) => {
    const throttle = { ...noThrottle, rules: changes.map((rule, id) => ({ ...emptyRule(id), ...rule })) }
    const result = defined({ ...emptyDraft, seeds, throttle })
    if ('definition' in result) return result.definition.throttle?.rules
    const problem = result.problems.throttle
    return [problem && controlOf(problem.path), wordsOf(problem)]
  }
  expect(of()).toBeUndefined()
  expect(of({ match: ' a.example ', kilobytesPerSecond: 1.5 }, { match: 'b', fetchesPerMinute: 0 })).toEqual([
    { match: 'a.example', bytesPerSecond: 1_500 },
    { match: 'b', fetchesPerMinute: 0 },
  ])
  expect(of({ match: 'a', connections: 1 }, { match: '(', connections: 1 })).toEqual([
    'throttle.1.match',
    `This value is not a valid pattern. "(": ${unclosed}`,
  ])
  expect(of({ match: 'a', connections: 0 })).toEqual(['throttle.0.connections', 'Must be 1 or more.'])
  expect(of({ match: 'a' })).toEqual(['throttle.0.fetchesPerMinute', 'Set at least one limit, or remove the rule.'])
})

function wordsOf(problem: Problem | undefined): string | undefined {
  return problem && problemWords(translate, problem)
}

test('editing a job changes only the fields that were edited', () => {
  // Each field has a shorter form, which the form would write.
  const opened = harvestDefinition.parse({
    seeds: [seeds],
    hops: {},
    connectors: {},
    recheck: { intervalSeconds: 7 },
    throttle: { rules: [] },
  })
  const draft = draftOf(opened, 'UTC')
  const changed = (now: HarvestDefinition, touched: Partial<HarvestDraft>) => {
    const result = redefined({ opened, now }, { ...draft, ...touched }, 'UTC')
    return 'definition' in result ? result.definition : result
  }
  expect(changed(opened, {})).toEqual(opened)
  expect(changed(opened, { maxObjects: 3 })).toEqual({ ...opened, maxObjects: 3 })
  // Someone else has changed the pause meanwhile, and the patterns.
  const now = { ...opened, delayMs: 5, exclude: ['x'] }
  expect(changed(now, { exclude: 'y' })).toEqual({ ...now, exclude: ['y'] })
  expect(redefined({ opened, now }, { ...draft, seeds: '' }, 'UTC')).toHaveProperty('problems.seeds')
})

test.each<{ fields: FieldPath[]; controls: string[]; words?: string }>([
  { fields: [['seeds', 1]], controls: ['seeds'], words: 'Line 3: no' },
  { fields: [['definition', 'seeds', 1]], controls: ['seeds'], words: 'Line 3: no' },
  { fields: [['login', 'areas', 1, 'credential']], controls: ['login.1.credential'] },
  { fields: [['login']], controls: ['login.areas'] },
  { fields: [['hops']], controls: ['hops.link'] },
  { fields: [['recheck', 'type']], controls: ['recheck.type'] },
  { fields: [['connectors']], controls: ['connector'] },
  { fields: [['connectors', 'repositoryConnection']], controls: ['connector.connection'] },
  { fields: [['connectors', 'outputConnection']], controls: ['output.connection'] },
  { fields: [['login'], ['robots'], ['connectors']], controls: ['connector', 'robots', 'login.areas'] },
  { fields: [['job']], controls: [] },
  { fields: [], controls: [] },
])('the engine refuses $fields: $controls', ({ fields, controls, words = 'no' }) => {
  const refused = inOrder(problemsOf(new Fault('refused', 'no', { fields }), { ...emptyDraft, seeds: 'a\n\nb' }))
  expect(refused.map(({ path }) => controlOf(path))).toEqual(controls)
  if (controls.length > 0) expect(wordsOf(refused[0])).toBe(words)
})

test('a run may fix part of a field, or all of it', () => {
  const fixed = [
    { field: ['robots'], why: message('definition.why.robots') },
    { field: ['recheck', 'type'], why: message('definition.why.recheck') },
  ]
  expect(whyFixed(fixed, ['robots'])).toEqual(message('definition.why.robots'))
  expect(whyFixed(fixed, ['recheck', 'type'])).toEqual(message('definition.why.recheck'))
  expect(whyFixed(fixed, ['recheck', 'gone'])).toBeUndefined()
  expect(whyFixed(fixed, ['recheck'])).toBeUndefined()
})

test('a crawler trap without a pattern is refused, in the form as by the schema', () => {
  const problem = { issue: expect.objectContaining({ code: 'custom' }) as unknown }
  const draft = { ...emptyDraft, seeds: 'http://a.example/', domains: 'a.example /calendar/\nb.example' }
  expect(defined(draft)).toMatchObject({ problems: { domains: problem } })
  expect(defined({ ...draft, domains: '' })).toHaveProperty('definition')
})
