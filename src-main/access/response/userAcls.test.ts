import { expect, test } from 'vitest'
import type { UserAccess } from '../../contract/services/authorities.ts'
import { aclsRequestIn, aclsText } from './userAcls.ts'

const queries: [string, object | undefined][] = [
  ['username=anna', { users: [{ user: 'anna', domain: '' }] }],
  ['username=anna%40here+b&domain=web', { users: [{ user: 'anna@here b', domain: 'web' }] }],
  [
    'username=a&username_0=b&domain_0=x&username_1=c&domain_1=y&username_3=e',
    { users: [{ user: 'a', domain: '' }, { user: 'b', domain: 'x' }, { user: 'c', domain: 'y' }] }, // prettier-ignore
  ],
  ['username_0=b', { users: [{ user: 'b', domain: '' }] }],
  ['', undefined],
  ['user=anna', undefined],
  ['username=', undefined],
  [`username=${'a'.repeat(1_001)}`, undefined],
  [Array.from({ length: 21 }, (_, at) => `username_${at}=a`).join('&'), undefined],
]
test.each(queries)('%s', (query, request) => {
  expect(aclsRequestIn(new URLSearchParams(query))?.request).toEqual(request)
})

const common = { group: 'g', domain: '', user: 'u', tokens: [], milliseconds: 0, problem: null }
const access: UserAccess = {
  tokens: ['g:DEAD_AUTHORITY', 'g:the+team'],
  answers: [
    { ...common, authority: 'a', description: 'Staff: all', status: 'OK' },
    { ...common, authority: 'b', description: '', status: 'UNREACHABLE' },
    { ...common, authority: 'c', description: '', status: 'USERNOTFOUND' },
    { ...common, authority: 'é', description: '', status: 'USERUNAUTHORIZED' },
  ],
}
const acls = [
  ...['AUTHORIZED:Staff%3A+all', 'UNREACHABLEAUTHORITY:b', 'USERNOTFOUND:c', 'UNAUTHORIZED:%C3%A9'],
  ...['TOKEN:g:DEAD_AUTHORITY', 'TOKEN:g:the+team'],
]
const texts: [string, string[]][] = [
  ['username=anna+b', acls],
  ['username=anna+b&idneeded=TRUE', [...acls, 'ID:anna+b']],
  ['username=anna+b&idneeded=true&aclneeded=false', ['ID:anna+b']],
]
test.each(texts)('%s is answered in lines', (query, lines) => {
  const request = aclsRequestIn(new URLSearchParams(query))
  expect(request && aclsText(access, request)).toBe(`${lines.join('\n')}\n`)
})
