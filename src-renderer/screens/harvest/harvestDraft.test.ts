import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { en } from '../../words/en.ts'
import { complaintWords } from './complaintWords.ts'
import { defined, emptyDraft, type HarvestDraft } from './harvestDraft.ts'
import { emptyLogin, loginFieldOf } from './loginDraft.ts'

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
