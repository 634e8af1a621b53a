import { afterAll, describe, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { domainConfiguration } from '../../contract/services/domains.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openTemplates } from '../templates/templates.ts'
import { domainsIn } from './domainNames.ts'
import { openDomains } from './domains.ts'
import { openExtendedFields, openTrapLists } from './institution.ts'

const world = seededWorld({ seed: 1, startMs: Date.UTC(2026, 10, 26) })
const store = openStore(':memory:')
afterAll(() => store.close())
const templates = openTemplates(store, world)
/** Sleeping lets other work of the thread go on; here there is none. */
const clock = { now: () => world.clock.now(), sleep: async () => undefined }
const domains = openDomains({ store, clock, templates, aliasDays: () => 365 })

function refusal(act: () => unknown): { code: string; text: string; fields: readonly unknown[] } {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, text: error.message, fields: error.fields }
    throw error
  }
  throw new Error('it was not refused')
}

describe('lists of domains', () => {
  test('are read line by line: names, hosts and URLs, each domain once', () => {
    const list =
      '# ours\n\nwww.example.org\r\nhttps://example.org/a?b\n  Example.ORG  \nmünchen.example\nfoo bar\n192.0.2.1\n:\n'
    const { domains: names, repeated, refused } = domainsIn(list)
    expect(names).toEqual(['example.org', 'xn--mnchen-3ya.example', '192.0.2.1'])
    expect(repeated).toBe(2)
    expect(refused.map(({ line, problem }) => [line, textOf(problem)])).toEqual([
      [7, '"foo bar" is not a domain name or URL.'],
      [9, '":" is not a domain name or URL.'],
    ])
  })

  test('a new domain gets a configuration with a byte limit, and a seed list with its home page', async () => {
    expect(await domains.addList('a.example\nb.example\nA.example\n!\n')).toMatchObject({ added: 2, known: 1 })
    expect(domains.show('www.a.example')).toMatchObject({
      ...{ domain: 'a.example', defaultConfiguration: 'default', alias: null, harvests: [], aliases: [], traps: [] },
      configurations: [
        { name: 'default', template: 'default', objectsMax: null, bytesMax: 1_000_000_000, seedLists: ['default'] },
      ],
      seedLists: [{ name: 'default', seeds: 'http://www.a.example\n' }],
    })
    expect(await domains.addList('a.example\n')).toMatchObject({ added: 0, known: 1, refused: [] })
  })

  test('a hundred thousand domains are added, found and listed in pages', async () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `many${at}.example`)
    expect(await domains.addList(names.join('\n'))).toMatchObject({ added: 100_000 })
    const page = domains.list({ text: 'MANY9999', offset: 5, limit: 3 })
    expect(page.total).toBe(11)
    expect(page.rows.map(({ domain }) => domain)).toEqual([
      'many99994.example',
      'many99995.example',
      'many99996.example',
    ])
  })
})

describe('a domain', () => {
  test('has seed lists of URLs and comments; a line that is neither is named', () => {
    domains.setSeedList('a.example', {
      name: 'news',
      seeds: '# news\nhttp://a.example/news\nb.a.example:8080/x\n',
      comments: '',
    })
    const wrong = { name: 'news', seeds: 'http://a.example/\n\nnot a url\n', comments: '' }
    const refused = refusal(() => domains.setSeedList('a.example', wrong))
    expect(refused).toMatchObject({ code: 'badInput', text: 'Line 3 is not a URL: not a url' })
    expect(domains.show('a.example').seedLists.map(({ name }) => name)).toEqual(['default', 'news'])
  })

  test('has configurations that are added, changed, made the default and removed', () => {
    const weekly = domainConfiguration.parse({ name: 'weekly', objectsMax: 10, seedLists: ['news', 'default'] })
    domains.setConfiguration('a.example', weekly)
    domains.setConfiguration('a.example', { ...weekly, objectsMax: 20 })
    expect(domains.show('a.example').configurations[1]).toMatchObject({
      objectsMax: 20,
      seedLists: ['default', 'news'],
    })
    expect(refusal(() => domains.removeSeedList('a.example', 'news')).text).toContain(
      'these configurations use it: weekly',
    )
    domains.edit({ domain: 'a.example', defaultConfiguration: 'weekly' })
    expect(refusal(() => domains.removeConfiguration('a.example', 'weekly')).text).toContain('is the default')
    domains.removeConfiguration('a.example', 'default')
    expect(domains.show('a.example').configurations.map(({ name }) => name)).toEqual(['weekly'])
  })

  test.each<[given: object, code: string, fields: unknown[], text: RegExp]>([
    [{ name: 'x', template: 'none' }, 'notFound', ['name'], /no template "none"/],
    [{ name: 'x', seedLists: ['default', 'none'] }, 'badInput', ['seedLists', 1], /no seed list named none/],
    [{ name: 'x', fields: { colour: 'red' } }, 'badInput', ['fields', 'colour'], /no extended field named colour/],
  ])('refuses the configuration %j', (given, code, field, text) => {
    const before = domains.show('a.example')
    const refused = refusal(() => domains.setConfiguration('a.example', domainConfiguration.parse(given)))
    expect(refused).toMatchObject({ code, fields: [field] })
    expect(refused.text).toMatch(text)
    expect(domains.show('a.example')).toEqual(before)
  })

  test('has crawler traps, which must be valid patterns', () => {
    expect(domains.edit({ domain: 'a.example', traps: ['/calendar/'] }).traps).toEqual(['/calendar/'])
    const refused = refusal(() => domains.edit({ domain: 'a.example', traps: ['ok', '(a'] }))
    expect(refused).toMatchObject({ code: 'badInput', fields: [['traps', 1]] })
  })

  test('is an alias until it expires; renewing it starts the time again', () => {
    const renewed = domains.edit({ domain: 'b.example', aliasOf: 'www.a.example' })
    expect(renewed.alias).toEqual({ of: 'a.example', expires: '2027-11-26T00:00:00.000Z' })
    expect(domains.show('a.example').aliases).toEqual(['b.example'])
    expect(domains.list({ aliases: true, offset: 0, limit: 9 }).rows.map(({ domain }) => domain)).toEqual(['b.example'])
    expect(domains.edit({ domain: 'b.example', aliasOf: null }).alias).toBeNull()
  })

  test.each([
    ['a.example', 'a.example', /cannot be an alias of itself/],
    ['many1.example', 'b.example', /is an alias itself, of a.example/],
    ['a.example', 'many1.example', /1 domain is an alias of it/],
  ])('%s does not become an alias of %s', (domain, aliasOf, text) => {
    domains.edit({ domain: 'b.example', aliasOf: 'a.example' })
    expect(refusal(() => domains.edit({ domain, aliasOf })).text).toMatch(text)
  })

  test('is removed unless something uses it', () => {
    expect(refusal(() => domains.remove('a.example')).text).toContain('aliases of it: b.example')
    domains.remove('b.example')
    domains.remove('a.example')
    expect(refusal(() => domains.show('a.example')).text).toContain('There is no domain a.example.')
  })
})

test('lists of crawler traps are kept by name, with valid patterns only', () => {
  const lists = openTrapLists(store)
  lists.set({ name: 'Calendars', comments: '', isActive: true, patterns: ['/calendar/', 'sid='] })
  lists.set({ name: 'calendars', comments: 'off', isActive: false, patterns: ['/calendar/'] })
  expect(lists.list()).toEqual([{ name: 'calendars', comments: 'off', isActive: false, patterns: ['/calendar/'] }])
  const wrong = { name: 'x', comments: '', isActive: true, patterns: ['(?<=a)b'] }
  expect(refusal(() => lists.set(wrong)).fields).toEqual([['patterns', 0]])
  lists.remove('Calendars')
  expect(refusal(() => lists.remove('Calendars')).code).toBe('notFound')
})

test('extended fields have a kind, choices and usual values, and may be required', () => {
  const fields = openExtendedFields(store)
  const add = (given: object) =>
    fields.set({ subject: 'harvest', name: 'x', kind: 'text', choices: [], usual: null, isRequired: false, ...given })
  add({ name: 'Department', kind: 'choice', choices: ['Maps', 'News'], usual: 'News' })
  add({ name: 'Contact', isRequired: true })
  add({ name: 'Since', kind: 'date' })
  expect(fields.checked('harvest', { Contact: 'ann' })).toEqual({ Department: 'News', Contact: 'ann' })
  const wrong: [values: Record<string, string | number>, text: RegExp][] = [
    [{}, /Contact is required/],
    [{ Contact: 3 }, /Contact must be a text/],
    [{ Contact: 'ann', Department: 'Toys' }, /must be one of: Maps, News/],
    [{ Contact: 'ann', Since: '2026-02-30x' }, /must be a date/],
    [{ Contact: 'ann', Colour: 'red' }, /no extended field named Colour/],
  ]
  for (const [values, text] of wrong) expect(refusal(() => fields.checked('harvest', values)).text).toMatch(text)
  expect(refusal(() => add({ name: 'Empty', kind: 'choice' })).fields).toEqual([['choices']])
  expect(refusal(() => add({ name: 'Wrong', kind: 'number', usual: 'many' })).fields).toEqual([['usual']])
  fields.remove('harvest', 'Contact')
  expect(fields.list().map(({ name }) => name)).toEqual(['Department', 'Since'])
})
