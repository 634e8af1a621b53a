import { expect, test } from 'vitest'
import type { Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { confirmedCalls } from '../../contract/confirmed.ts'
import { contract, type LoupeImplementation } from '../../contract/contract.ts'
import { message } from '../../contract/words/message.ts'
import { confirmedServices } from './confirmedServices.ts'

const officer: Caller = { account: 'Bea', roles: ['preservationOfficer'], shell: 'window', address: '192.0.2.1' }

test('calls that replace copies, and no others, need the password again', async () => {
  const answered: string[] = []
  const plain = Object.fromEntries(
    Object.entries(contract).map(([service, members]) => [
      service,
      Object.fromEntries(
        Object.keys(members).map((name) => [name, async () => answered.push(`${service}.${name}`)] as const),
      ),
    ]),
  ) as unknown as LoupeImplementation
  const refused = new Fault('passwordNeeded', message('confirm.needed'))
  let isConfirmed = false
  const need = () => {
    if (!isConfirmed) throw refused
  }
  const services: Record<string, Record<string, unknown>> = confirmedServices({ need }, plain)
  const callAll = async () => {
    const refusals: string[] = []
    for (const [service, members] of Object.entries(services))
      for (const [name, member] of Object.entries(members))
        await (member as (input: object, caller: Caller) => Promise<unknown>)({}, officer).catch((error: unknown) => {
          expect(error).toBe(refused)
          refusals.push(`${service}.${name}`)
        })
    return refusals
  }
  const listed = Object.entries(confirmedCalls).flatMap(([service, names]) => names.map((name) => `${service}.${name}`))
  expect(await callAll()).toEqual(listed)
  expect(answered.filter((name) => listed.includes(name))).toEqual([])
  isConfirmed = true
  expect(await callAll()).toEqual([])
  expect(answered).toEqual(expect.arrayContaining(listed))
})
