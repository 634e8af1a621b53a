/** Which URLs belong to a login: a password must never be sent to another server with a similar name. */
import { expect, test } from 'vitest'
import { loginShape } from '../../../contract/services/login.ts'
import { areaFinder, hostsOf } from './areas.ts'

const login = loginShape.parse({
  areas: [
    {
      kind: 'basic',
      credential: 'a',
      urls: ['https://Example.org:443/members/', 'https://example.org/list?of=members'],
    },
    { kind: 'digest', credential: 'b', urls: ['https://example.org/members/inner/'] },
    {
      kind: 'form',
      credential: 'c',
      urls: ['http://shop.example'],
      page: 'https://login.example/in',
      submitsTo: 'https://accounts.example/',
      userField: 'u',
      passwordField: 'p',
    },
  ],
})

test.each<[url: string, area: number | undefined]>([
  ['https://example.org/members/', 0],
  ['https://example.org/members/a?b', 0],
  ['https://example.org/members/inner/a', 1],
  ['https://example.org/members/../secret', undefined],
  ['https://example.org/members', undefined],
  ['https://example.org/list?of=members&page=2', 0],
  ['https://example.org/list', undefined],
  ['http://example.org/members/', undefined],
  ['https://example.org:8443/members/', undefined],
  ['https://example.org.evil.example/members/', undefined],
  ['https://evil.example/https://example.org/members/', undefined],
  ['https://example.org@evil.example/members/', undefined],
  ['http://shop.example/anything', 2],
  ['http://shop.example.evil/', undefined],
])('%s', (url, area) => {
  expect(areaFinder(login)(url)).toBe(area)
})

test('cookies may be sent only to the hosts that the login names', () => {
  expect([...hostsOf(login)].sort()).toEqual(['accounts.example', 'example.org', 'login.example', 'shop.example'])
})

test.each([
  ['user information in a URL', { urls: ['https://user:secret@example.org/'] }],
  ['no scheme', { urls: ['example.org/'] }],
  ['no URL', { urls: [] }],
  ['a password next to the URLs', { urls: ['https://example.org/'], password: 'x' }],
])('rejects a login with %s', (_what, changes) => {
  expect(loginShape.safeParse({ areas: [{ kind: 'basic', credential: 'a', ...changes }] }).success).toBe(false)
})
