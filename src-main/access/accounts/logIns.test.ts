import { expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import type { AccountRow } from '../../contract/services/accounts.ts'
import { openLogIns } from './logIns.ts'

const bea: AccountRow = { name: 'Bea', roles: ['curator'], added: '', passwordSet: '', sessions: 0 }

/** Log-ins to one account, Bea, whose password is "right", on a clock of the test. */
function opened() {
  const clock = { nowMs: 0 }
  const begun = new Map<string, { account: string; address: string }>()
  const checked: string[] = []
  let hold: Promise<unknown> = Promise.resolve()
  const logIns = openLogIns({
    accounts: {
      verified: async (name, password) => {
        checked.push(name)
        await hold
        const isRight = name.toLowerCase() === 'bea' && password === 'right'
        return isRight ? bea : undefined
      },
      find: (name) => (name.toLowerCase() === 'bea' ? bea : undefined),
    },
    sessions: {
      begin: ({ account, address }) => {
        const token = `token ${begun.size + 1}`
        begun.set(token, { account, address })
        return token
      },
      of: (token) => {
        const session = begun.get(token)
        return session && { id: Number(token.slice(6)), account: session.account, roles: ['curator'] }
      },
      isOpen: (token) => begun.has(token),
      revoke: (id) => void begun.delete(`token ${id}`),
    },
    clock: { elapsed: () => clock.nowMs },
  })
  const logIn = (name: string, password: string, address = '192.0.2.1') =>
    logIns.logIn({ name, password, address, client: '' }).catch((error: unknown) => {
      if (error instanceof Fault) return error.code
      throw error
    })
  const holdWhile = async (work: () => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    await work()
    resolve()
  }
  return { clock, logIns, logIn, checked, holdWhile }
}

test('a right password begins a new session each time, whatever token the client had, and log-out ends one', async () => {
  const { logIns, logIn } = opened()
  const [first, second] = [await logIn(' bea ', 'right'), await logIn('Bea', 'right')]
  expect(new Set([first, second]).size).toBe(2)
  expect(logIns.callerOf(first, '192.0.2.9')).toEqual({
    ...{
      account: 'Bea',
      roles: ['curator'],
      shell: 'window',
      address: '192.0.2.9',
      session: expect.any(Number) as number,
    },
  })
  logIns.logOut(first)
  logIns.logOut('unknown')
  expect([logIns.callerOf(first, ''), logIns.callerOf('made up', '')]).toEqual([undefined, undefined])
  expect(logIns.callerOf(second, '')).toBeDefined()
})

test('guessing on one account, from wherever, soon has to wait, and the right password too', async () => {
  const { clock, logIn, checked } = opened()
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await logIn('bea', `guess ${attempt}`, `192.0.2.${attempt}`)).toBe('notAllowed')
  expect(await logIn('BEA', 'right', '198.51.100.1')).toBe('refused')
  expect(checked).toHaveLength(5)
  clock.nowMs += 1_000
  expect(await logIn('bea', 'right', '198.51.100.1')).toBe('token 1')
  expect(await logIn('bea', 'wrong')).toBe('notAllowed')
})

test('one password on many accounts is stopped by the address, of IPv6 by its network', async () => {
  const { logIn, checked } = opened()
  for (let attempt = 0; attempt < 30; attempt += 1) await logIn(`user${attempt}`, 'spray', `2001:db8::${attempt + 1}`)
  expect(checked).toHaveLength(20)
  expect(await logIn('other', 'spray', '2001:db8:0:0:9::1')).toBe('refused')
  expect(await logIn('other', 'spray', '2001:db8:0:1::1')).toBe('notAllowed')
  expect(await logIn('other', 'spray', '::ffff:192.0.2.7')).toBe('notAllowed')
})

test('logging in to one account does not reset the limit of failures of the address', async () => {
  const { logIn } = opened()
  const results: string[] = []
  for (let attempt = 0; attempt < 25; attempt += 1) {
    results.push(await logIn(`user${attempt}`, 'spray'))
    await logIn('bea', 'right')
  }
  expect(results.filter((result) => result === 'notAllowed')).toHaveLength(20)
})

test('attempts at the same time are limited before the first has an answer, and few passwords wait', async () => {
  const { logIn, checked, holdWhile } = opened()
  const attempts: Promise<string>[] = []
  await holdWhile(async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) attempts.push(logIn('bea', 'guess', `192.0.2.${attempt}`))
    for (let attempt = 0; attempt < 8; attempt += 1)
      attempts.push(logIn(`user${attempt}`, 'x', `198.51.100.${attempt}`))
    expect(checked).toHaveLength(10)
  })
  expect(await Promise.all(attempts)).toEqual([
    ...Array.from({ length: 5 }, () => 'notAllowed'),
    ...Array.from({ length: 3 }, () => 'refused'),
    ...Array.from({ length: 5 }, () => 'notAllowed'),
    ...Array.from({ length: 3 }, () => 'inUse'),
  ])
})
