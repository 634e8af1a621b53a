import { expect, test } from 'vitest'
import { authorityConnectionInput } from '../../../src-main/contract/services/authorities.ts'
import { translate } from '../../words/language.ts'
import { authorityDraftOf, authorityInput, authorityProblems, newAuthority } from './authorityDraft.ts'

const file = {
  ...newAuthority('authority', 'Library'),
  name: ' Staff ',
  settings: { path: '/users.csv', url: 'left over' },
}
const shown = (problems: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null))

test('a draft becomes an input of the contract with the settings of its connector only', () => {
  const input = authorityInput('authority', file)
  expect(authorityConnectionInput.parse(input)).toEqual(input)
  expect(input).toMatchObject({ kind: 'authority', name: 'Staff', settings: { path: '/users.csv' }, group: 'Library' })
  expect('mapping' in input).toBe(false)
  expect(shown(authorityProblems(translate, 'authority', file))).toEqual({})
})

test('a connection is shown as it was saved', () => {
  const input = authorityInput('authority', { ...file, mapping: 'Lower', domain: 'staff' })
  expect(authorityInput('authority', authorityDraftOf(input))).toEqual(input)
  const mapping = { ...newAuthority('mapping', ''), name: 'Lower', settings: { match: '(.*)', replacement: '$(1l)' } }
  expect(authorityInput('mapping', authorityDraftOf(authorityInput('mapping', mapping)))).toEqual(
    authorityInput('mapping', mapping),
  )
})

test('an empty form names what it needs, and numbers outside of their bounds', () => {
  const draft = { ...newAuthority('authority', ''), connectionsMax: '', answerSecondsMax: 601 }
  expect(shown(authorityProblems(translate, 'authority', draft))).toEqual({
    name: 'Fill in this field.',
    path: 'Fill in this field.',
    group: 'Add a group first.',
    connectionsMax: 'Enter a whole number from 1 to 1,000.',
    answerSecondsMax: 'Enter a whole number from 1 to 600.',
  })
  expect(authorityProblems(translate, 'mapping', draft)).not.toHaveProperty('group')
})

test('settings of a module of the user are lines', () => {
  const draft = { ...file, connector: 'contracts', lines: 'url=https://a.test/?a=b\n\nregion = north' }
  expect(authorityInput('authority', draft).settings).toEqual({ url: 'https://a.test/?a=b', region: 'north' })
  const wrong = { ...draft, lines: 'url=x\nregion' }
  expect(shown(authorityProblems(translate, 'authority', wrong))).toEqual({
    settings: 'Line 2 has no "=": write name=value.',
  })
})
