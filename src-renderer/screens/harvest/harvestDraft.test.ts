import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { en } from '../../words/en.ts'
import { complaintWords } from './complaintWords.ts'
import { defined, emptyDraft, type Complaint, type HarvestDraft } from './harvestDraft.ts'
import { emptyLogin, loginFieldOf } from './loginDraft.ts'
import { emptyRule, throttlePlaceOf } from './throttleDraft.ts'

const intl = createIntl({ locale: 'en', messages: en })
const seeds = 'http://a.example/'

test('a whole form becomes a definition: lines, units and what is left empty', () => {
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

test('a login becomes one area of the definition, and its complaints lead to its fields', () => {
  const login = {
    ...emptyLogin,
    kind: 'form' as const,
    credential: 'site',
    urls: 'https://a.example/in/\n\nhttps://a.example/more/',
    page: 'https://a.example/login',
    userField: 'user',
    passwordField: 'pass',
    loggedOut: ' Please log in ',
  }
  const result = defined({ ...emptyDraft, seeds, login })
  expect('definition' in result ? result.definition.login : result).toMatchObject({
    areas: [
      {
        kind: 'form',
        urls: ['https://a.example/in/', 'https://a.example/more/'],
        loggedOut: { text: 'Please log in' },
        success: {},
      },
    ],
    recorded: 'withoutSecrets',
  })
  const complained = (changes: Partial<typeof login>) => {
    const refused = defined({ ...emptyDraft, seeds, login: { ...login, ...changes } })
    const complaint = 'complaints' in refused ? refused.complaints.login : undefined
    return complaint && [loginFieldOf(complaint.issue.path), complaint.line]
  }
  expect(complained({ credential: '' })).toEqual(['credential', null])
  expect(complained({ urls: '' })).toEqual(['urls', null])
  expect(complained({ urls: 'https://a.example/\n\na.example' })).toEqual(['urls', 3])
  expect(complained({ page: 'login' })).toEqual(['page', null])
  expect(complained({ passwordField: '' })).toEqual(['passwordField', null])
})

test.each<{ typed: Partial<HarvestDraft>; field: keyof HarvestDraft; words: string }>([
  { typed: { seeds: ' \n ' }, field: 'seeds', words: 'At least one address is needed to begin with.' },
  { typed: { seeds, maxObjects: 0 }, field: 'maxObjects', words: 'Must be 1 or more.' },
  { typed: { seeds, maxHops: -1 }, field: 'maxHops', words: 'Must be 0 or more.' },
  { typed: { seeds, workers: 1_000 }, field: 'workers', words: 'Must be 100 or less.' },
  { typed: { seeds, maxHops: 1.5 }, field: 'maxHops', words: 'Must be a whole number.' },
  { typed: { seeds, maxHops: '-' }, field: 'maxHops', words: 'Must be a whole number.' },
  { typed: { seeds, hops: { ...emptyDraft.hops, redirect: -1 } }, field: 'hops', words: 'Must be 0 or more.' },
  { typed: { seeds, hops: { ...emptyDraft.hops, link: 'x' } }, field: 'hops', words: 'Must be a whole number.' },
  { typed: { seeds, exclude: 'fine\n\n((' }, field: 'exclude', words: 'Line 3: Not a regular expression.' },
  { typed: { seeds, name: 'x'.repeat(201) }, field: 'name', words: 'Must have 200 characters or fewer.' },
  { typed: { seeds, resolve: 'host-only' }, field: 'resolve', words: 'Something is missing here.' },
])('$field: $words', ({ typed, field, words }) => {
  const result = defined({ ...emptyDraft, ...typed })
  const complaint = 'complaints' in result ? result.complaints[field] : undefined
  expect(complaint && complaintWords((id, values) => intl.formatMessage({ id }, values), complaint)).toBe(words)
})

test('limits by type of link are asked for only where one was typed', () => {
  const of = (hops: Partial<HarvestDraft['hops']>) => {
    const result = defined({ ...emptyDraft, seeds, hops: { ...emptyDraft.hops, ...hops } })
    return 'definition' in result ? result.definition.hops : result
  }
  expect(of({})).toBeUndefined()
  expect(of({ redirect: 5, link: 0 })).toEqual({ mode: 'accurate', limits: { link: 0, redirect: 5 } })
  expect(of({ mode: 'noDelete' })).toEqual({ mode: 'noDelete', limits: {} })
})

test('looking again is asked for only where it was changed, and times become seconds; an empty one is never', () => {
  const of = (recheck: Partial<HarvestDraft['recheck']>) => {
    const result = defined({ ...emptyDraft, seeds, recheck: { ...emptyDraft.recheck, ...recheck } })
    return 'definition' in result ? result.definition.recheck : complained(result.complaints.recheck)
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
    'Must not be shorter than the time after which it looks again.',
  )
  expect(of({ type: 'continuous', reseedSeconds: { length: '-', unit: 'hours' } })).toBe('Must be a whole number.')
})

test('rules for hosts: bandwidth becomes bytes, and a complaint leads to its row and field', () => {
  const of = (...rules: Partial<HarvestDraft['throttle'][number]>[]) => {
    const throttle = rules.map((rule, id) => ({ ...emptyRule(id), ...rule }))
    const result = defined({ ...emptyDraft, seeds, throttle })
    if ('definition' in result) return result.definition.throttle?.rules
    const complaint = result.complaints.throttle
    return [complaint && throttlePlaceOf(complaint.issue.path), complained(complaint)]
  }
  expect(of()).toBeUndefined()
  expect(of({ match: ' a.example ', kilobytesPerSecond: 1.5 }, { match: 'b', fetchesPerMinute: 0 })).toEqual([
    { match: 'a.example', bytesPerSecond: 1_500 },
    { match: 'b', fetchesPerMinute: 0 },
  ])
  expect(of({ match: 'a', connections: 1 }, { match: '(', connections: 1 })).toEqual([
    { row: 1, field: 'match' },
    'Not a regular expression.',
  ])
  expect(of({ match: 'a', connections: 0 })).toEqual([{ row: 0, field: 'connections' }, 'Must be 1 or more.'])
  expect(of({ match: 'a' })).toEqual([
    { row: 0, field: 'fetchesPerMinute' },
    'Give at least one limit, or remove the rule.',
  ])
})

function complained(complaint: Complaint | undefined): string | undefined {
  return complaint && complaintWords((id, values) => intl.formatMessage({ id }, values), complaint)
}
