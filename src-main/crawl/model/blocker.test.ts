import { expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { blockerOf } from './blocker.ts'

test.each([
  ['a full disk', new DiskFault('full', '/jobs'), 'noSpace'],
  ['a disk without permission', new DiskFault('denied', '/jobs'), 'notAllowed'],
  ['a disk that fails', new DiskFault('failed', '/jobs'), 'damaged'],
  ['a full database', new StorageFault('full', message('database.full', { path: '/a.db' })), 'noSpace'],
  [
    'a database without permission',
    new StorageFault('denied', message('database.denied', { path: '/a.db' })),
    'notAllowed',
  ],
])('%s stops a job with the code that the same fault has elsewhere', (_, error, code) => {
  expect(blockerOf(error)?.code).toBe(code)
})

test('a bug is not a blocker', () => {
  expect(blockerOf(new TypeError('x is not a function'))).toBeUndefined()
})
