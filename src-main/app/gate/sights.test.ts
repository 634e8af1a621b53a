import { expect, test } from 'vitest'
import { sightOfEverything, type Access, type Sight } from '../../access/access.ts'
import { operatorCaller, type Caller, type Role } from '../../contract/calls/caller.ts'
import { shownCaptures } from '../../formats/cdx/captureRules.ts'
import { onlyJob } from '../../indexes/testing/onlyJob.ts'
import { refuseBelowBy, rolesNow } from './callersNow.ts'
import { sightsOf } from './sights.ts'

const rules = onlyJob(2)
const part: Sight = { everything: false, rules, ...shownCaptures(rules) }
const asked: string[] = []
const security = {
  sightOf: async ({ users }: { users: { user: string }[] }) => {
    asked.push(...users.map(({ user }) => user))
    return part
  },
} as unknown as Access['security']
const accounts = new Map<string, Role[]>([
  ['anna', ['curator']],
  ['root', ['administrator']],
])
const now = rolesNow((account) => accounts.get(account))
const sightFor = sightsOf({ security }, now)
const caller = (account: string, roles: Role[]): Caller => ({ account, roles, shell: 'window', address: '192.0.2.7' })

test('the account of the machine and administrators see everything, others what the rules show to their name', async () => {
  expect(await sightFor(operatorCaller('ada', 'commandLine'))).toBe(sightOfEverything)
  expect(await sightFor(caller('root', ['administrator']))).toBe(sightOfEverything)
  expect(await sightFor(caller('anna', ['curator']))).toBe(part)
  expect(asked).toEqual(['anna'])
})

test('the roles that an account has now count, and a removed account sees nothing, whatever a viewing began with', async () => {
  expect(await sightFor(caller('anna', ['administrator']))).toBe(part)
  await expect(sightFor(caller('eve', ['administrator']))).rejects.toThrow('There is no account eve')
})

test('an action needs the role at the moment of the action', () => {
  const refuseBelow = refuseBelowBy(now)
  expect(() => refuseBelow(caller('anna', ['administrator']), 'administrator', 'jobs.delete')).toThrow('jobs.delete')
  expect(() => refuseBelow(caller('eve', ['administrator']), 'viewer', 'jobs.list')).toThrow('jobs.list')
  refuseBelow(caller('anna', []), 'curator', 'misses.add')
  refuseBelow(operatorCaller('ada', 'window'), 'administrator', 'jobs.delete')
})
