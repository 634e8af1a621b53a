import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { openAccounts } from './accounts.ts'
import { isPassword, storedPassword } from './passwords.ts'
import { openSessions, sessionsPerAccountMax } from './sessions.ts'

/** A cost at which a test can afford many passwords. */
const cheap = { N: 2, r: 1, p: 1 }
const limits = { idleMs: 60 * 60_000, totalMs: 12 * 3_600_000 }

/** Accounts and sessions on a clock that only the test moves. */
function opened() {
  const store = openStore(':memory:')
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs }
  const world = { clock: clock as unknown as World['clock'] }
  const actions: string[] = []
  const onAction = (action: string, name: string) => void actions.push(`${action} ${name}`)
  const accounts = openAccounts({ store, world, onAction })
  return { store, clock, accounts, actions, sessions: openSessions({ store, world, limits: () => limits }) }
}

/** Adds an account without the time that a real password takes. */
function put(store: Store, name: string): void {
  const sql = `INSERT INTO account (name, roles, password, added_ms, password_set_ms) VALUES (@name, '["curator"]', '', 0, 0)`
  store.statement<{ name: string }>(sql).run({ name })
}

const from = { address: '192.0.2.7', client: 'a browser' }

test('a password is itself and no other; its stored form differs each time', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(text, text, async (password, other) => {
      const stored = await storedPassword(password, cheap)
      expect(await isPassword(password.normalize('NFD'), stored)).toBe(true)
      expect(await isPassword(other, stored)).toBe(other.normalize('NFC') === password.normalize('NFC'))
      expect(await storedPassword(password, cheap)).not.toBe(stored)
    }),
  )
})

test('an account is added, checked, changed and removed', async () => {
  const { accounts, actions } = opened()
  const password = 'correct horse battery'
  await accounts.add({ name: 'Bea', roles: ['curator', 'viewer', 'curator'], password })
  expect(accounts.list()).toMatchObject([{ name: 'Bea', roles: ['viewer', 'curator'], sessions: 0 }])
  await expect(accounts.add({ name: 'bea', roles: ['viewer'], password })).rejects.toMatchObject({ code: 'badInput' })
  expect(await accounts.verified('bea', password)).toMatchObject({ name: 'Bea' })
  expect(await accounts.verified('Bea', 'wrong horse battery')).toBeUndefined()
  expect(await accounts.verified('absent', password)).toBeUndefined()
  await accounts.setPassword('Bea', 'another horse battery')
  expect(await accounts.verified('Bea', password)).toBeUndefined()
  expect(accounts.setRoles('Bea', ['administrator']).roles).toEqual(['administrator'])
  accounts.remove('Bea')
  expect(() => accounts.remove('Bea')).toThrow('There is no account Bea')
  expect(accounts.list()).toEqual([])
  expect(actions).toEqual(['accountAdded Bea', 'passwordSet Bea', 'rolesSet Bea', 'accountRemoved Bea'])
})

test('the database has no token and no password', async () => {
  const { store, accounts, sessions } = opened()
  await accounts.add({ name: 'Bea', roles: ['viewer'], password: 'correct horse battery' })
  const token = sessions.begin({ account: 'Bea', ...from })
  const rows = ['account', 'account_session'].flatMap((table) =>
    store.statement<object, Record<string, unknown>>(`SELECT * FROM ${table}`).all({}),
  )
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain('correct horse')
})

test.each<[string, (made: ReturnType<typeof opened>, session: number) => unknown]>([
  ['its account is removed', ({ accounts }) => accounts.remove('Bea')],
  ['its account gets another password', ({ accounts }) => accounts.setPassword('Bea', 'another horse battery')],
  ['it is revoked', ({ sessions }, session) => sessions.revoke(session)],
  ['it was idle too long', ({ clock }) => (clock.nowMs += limits.idleMs)],
  ['the clock was set back before it began', ({ clock }) => (clock.nowMs -= 1)],
])('a session ends when %s', async (_, end) => {
  const made = opened()
  put(made.store, 'Bea')
  const token = made.sessions.begin({ account: 'Bea', ...from })
  const found = made.sessions.of(token)
  expect(found).toMatchObject({ account: 'Bea', roles: ['curator'] })
  await end(made, found?.id ?? 0)
  expect(made.sessions.of(token)).toBeUndefined()
  expect(made.sessions.list()).toEqual([])
})

test('the session of the caller is marked', () => {
  const { store, sessions } = opened()
  put(store, 'Bea')
  const tokens = [1, 2].map(() => sessions.begin({ account: 'Bea', ...from }))
  const own = sessions.of(tokens[1] ?? '')?.id
  expect(sessions.list(own).map(({ session, isOwn }) => [session === own, isOwn])).toEqual([
    [false, false],
    [true, true],
  ])
  expect(sessions.list().some(({ isOwn }) => isOwn)).toBe(false)
})

test('an account has a bounded number of sessions: the oldest ends', () => {
  const { store, sessions } = opened()
  put(store, 'Bea')
  const tokens = Array.from({ length: sessionsPerAccountMax + 1 }, () => sessions.begin({ account: 'Bea', ...from }))
  expect(tokens.map((token) => sessions.of(token) !== undefined)).toEqual([false, ...tokens.slice(1).map(() => true)])
  expect(() => sessions.begin({ account: 'absent', ...from })).toThrow('There is no account absent')
})

test('whatever the times of the requests, no session is open beyond its limits, and a used one is open within them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: limits.idleMs * 1.2 }), { maxLength: 40 }), (pausesMs) => {
      const { store, clock, sessions } = opened()
      put(store, 'Bea')
      const token = sessions.begin({ account: 'Bea', ...from })
      const begunMs = clock.nowMs
      let isOver = false
      for (const pauseMs of pausesMs) {
        clock.nowMs += pauseMs
        const isOpen = sessions.of(token) !== undefined
        if (isOver || pauseMs >= limits.idleMs || clock.nowMs - begunMs >= limits.totalMs) expect(isOpen).toBe(false)
        // The time of the last request is at most a minute old.
        else if (pauseMs < limits.idleMs - 60_000) expect(isOpen).toBe(true)
        isOver ||= !isOpen
      }
    }),
  )
})
