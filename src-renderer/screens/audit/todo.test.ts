import { message } from '../../../src-main/contract/words/message.ts'
import { expect, test } from 'vitest'
import type { AuditVerdict, AuditWitness } from '../../../src-main/contract/services/audit.ts'
import { todoOf } from './todo.ts'

const broken: AuditVerdict['broken'] = { number: 3, kind: 'changed', message: message('audit.changed', { number: 3 }) }
const always = ['audit.todo.compare', 'audit.todo.find', 'audit.todo.check']

test.each<[why: string, whole: boolean, broken: AuditVerdict['broken'], state: AuditWitness['state'], todo: string[]]>([
  ['whole', true, null, 'agrees', []],
  ['whole, without a witness for the end', true, null, 'absent', []],
  ['forged', false, broken, 'agrees', ['audit.todo.keep', ...always]],
  ['forged and cut', false, broken, 'contradicts', ['audit.todo.keep', ...always]],
  ['cut, or an older database', false, null, 'contradicts', ['audit.todo.keep', 'audit.todo.older', ...always]],
  ['an unreadable witness', false, null, 'unreadable', ['audit.todo.keep', 'audit.todo.unreadable', ...always]],
])('%s', (_, whole, link, state, todo) => {
  expect(todoOf({ whole, broken: link, witness: { state, number: null } })).toEqual(todo)
})
