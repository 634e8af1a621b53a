import { expect, test } from 'vitest'
import { lackedRole, makeCallerRoles, roleFor } from './callerRoles.ts'
import { refuse } from './testing/storeFixtures.ts'

const about = {
  ...{ account: 'ben', roles: ['viewer' as const], version: '0', shell: 'server' as const, archive: '/a', proxy: '' },
  ...{ commandHost: '', commandUser: '', commandToken: '', certificate: { path: '', spkiSha256: '' }, runtime: '' },
}

test('the roles are those of the account, and stay when the engine gives no answer', async () => {
  let isThere = true
  const system = { about: () => (isThere ? Promise.resolve(about) : refuse()) }
  const store = makeCallerRoles({ system })
  expect(store.getState().roles).toBeNull()
  await store.getState().load()
  isThere = false
  await store.getState().load()
  expect(store.getState().roles).toEqual(['viewer'])
})

test('a call names the role that is lacked', () => {
  expect(roleFor('accounts.add')).toBe('administrator')
  expect(lackedRole(['viewer'], 'jobs.start')).toBe('curator')
  expect(lackedRole(['viewer'], 'jobs.list')).toBeNull()
  expect(lackedRole(['preservationOfficer'], 'jobs.start')).toBeNull()
})

test('nothing is refused before the roles are known', () => {
  expect(lackedRole(null, 'accounts.add')).toBeNull()
})
