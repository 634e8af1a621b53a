import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { leastRoles } from './roles.ts'

test('every call and event has a role, and every role belongs to one', () => {
  const namesOf = (services: Record<string, object>) =>
    Object.entries(services).flatMap(([service, members]) => Object.keys(members).map((name) => `${service}.${name}`))
  expect(namesOf(leastRoles).toSorted()).toEqual(namesOf(contract).toSorted())
})

const rows: [string, string][] = [
  ['what runs code of the user', leastRoles.connectors.install],
  ['what writes settings', leastRoles.settings.set],
  ['what writes a file anywhere', leastRoles.exports.start],
  ['what starts a program', leastRoles.viewer.openBrowser],
  ['what tells the access tokens of others', leastRoles.authorities.ask],
]
test.each(rows)('%s is for administrators', (_, role) => expect(role).toBe('administrator'))
