import { expect, test } from 'vitest'
import { operatorCaller, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { openConfirmations } from './confirmations.ts'

const officer: Caller = {
  ...{ account: 'Bea', roles: ['preservationOfficer'], shell: 'window', address: '192.0.2.1', session: 1 },
}

/** Confirmations of accounts whose password is "right", for five minutes on a clock of the test. */
function opened() {
  const clock = { nowMs: 0 }
  const verified: unknown[] = []
  const confirmations = openConfirmations({
    logIns: {
      async verify(given) {
        verified.push(given)
        if (given.password === 'often') throw new Fault('refused', message('logIn.wait', { seconds: 1 }))
        if (given.password !== 'right') throw new Fault('notAllowed', message('logIn.wrong'))
        return given.name
      },
    },
    clock: { elapsed: () => clock.nowMs },
    validMs: () => 300_000,
  })
  const isNeeded = (caller: Caller) => {
    try {
      confirmations.need(caller)
      return false
    } catch (error) {
      if (error instanceof Fault && error.code === 'passwordNeeded') return true
      throw error
    }
  }
  return { clock, verified, confirmations, isNeeded }
}

test('a right password counts for its time, in the session in which it was given', async () => {
  const { clock, verified, confirmations, isNeeded } = opened()
  expect(isNeeded(officer)).toBe(true)
  await confirmations.confirm(officer, 'right')
  expect(verified).toEqual([{ name: 'Bea', password: 'right', address: '192.0.2.1' }])
  expect(isNeeded(officer)).toBe(false)
  expect(isNeeded({ ...officer, session: 2 })).toBe(true)
  expect(isNeeded({ ...officer, account: 'Cleo' })).toBe(true)
  clock.nowMs = 299_999
  expect(isNeeded(officer)).toBe(false)
  clock.nowMs = 300_000
  expect(isNeeded(officer)).toBe(true)
})

test('without a session, where a server in front logs in, it belongs to the account and its address', async () => {
  const { confirmations, isNeeded } = opened()
  const { session: _, ...inFront } = officer
  await confirmations.confirm(inFront, 'right')
  expect(isNeeded(inFront)).toBe(false)
  expect(isNeeded({ ...inFront, address: '192.0.2.2' })).toBe(true)
  expect(isNeeded(officer)).toBe(true)
})

test('a wrong password confirms nothing and is told at its field; a limit is told as it is', async () => {
  const { confirmations, isNeeded } = opened()
  const refusal = await confirmations.confirm(officer, 'wrong').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'notAllowed', message: 'The password is wrong.', fields: [['password']] })
  await expect(confirmations.confirm(officer, 'often')).rejects.toMatchObject({ code: 'refused', fields: [] })
  expect(isNeeded(officer)).toBe(true)
})

test('nothing is asked on the machine of the engine', async () => {
  const { verified, confirmations, isNeeded } = opened()
  const operator = operatorCaller('root', 'window')
  expect(isNeeded(operator)).toBe(false)
  await confirmations.confirm(operator, 'any')
  expect(verified).toEqual([])
})
