import { expect, test } from 'vitest'
import { Fault, type FaultCode } from '../../contract/calls/faults.ts'
import type { Loupe } from '../../contract/contract.ts'
import { userAclsOf } from './userAcls.ts'

const failing = (code?: FaultCode) => ({
  authorities: {
    ask: () => {
      if (code) throw new Fault(code, `it is ${code}`)
      return Promise.resolve({ tokens: ['g:a'], answers: [] })
    },
  } as unknown as Loupe['authorities'],
})

const rows: [string, FaultCode | undefined, number, RegExp][] = [
  ['username=anna', undefined, 200, /^TOKEN:g:a\n$/],
  ['domain=x', undefined, 400, /^The request names no user/],
  ['username=anna', 'badInput', 400, /^it is badInput\n$/],
  ['username=anna', 'notAllowed', 403, /^it is notAllowed\n$/],
  ['username=anna', 'unreachable', 500, /^it is unreachable\n$/],
]
test.each(rows)('%s with the fault %s is answered with %i', async (query, code, status, text) => {
  const answer = await userAclsOf(failing(code))(new URLSearchParams(query))
  expect(answer.status).toBe(status)
  expect(answer.text).toMatch(text)
})
