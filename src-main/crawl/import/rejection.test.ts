import { expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { DiskFault } from '../../world/world.ts'
import { rejectionBy } from './rejection.ts'

test('a fault keeps its code and message, and anything else is reported as an error in Loupe', () => {
  const reason = message('import.rejected.noRecord')
  expect(rejectionBy(new Fault('notFound', reason))).toEqual({ kind: 'rejected', code: 'notFound', reason })
  expect(rejectionBy(new DiskFault('full', '/a'))).toEqual({
    ...{ kind: 'rejected', code: 'noSpace' },
    reason: message('disk.full', { path: '/a' }),
  })
  expect(rejectionBy(new TypeError('x is undefined'))).toEqual({
    ...{ kind: 'rejected', code: 'internal' },
    reason: message('import.rejected.bug', { problem: 'x is undefined' }),
  })
})
