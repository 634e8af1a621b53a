import { expect, test } from 'vitest'
import { Fault, type FaultCode } from '../../src-main/contract/calls/faults.ts'
import { confirmingLink } from './confirmingLink.ts'

/** Calls of a link whose engine refuses with these codes, in turn, and then answers; the user gives the password or not. */
async function called(codes: readonly FaultCode[], isGiven: boolean) {
  const [calls, left] = [[] as unknown[], [...codes]]
  let asked = 0
  const link = confirmingLink(
    {
      async call(name, input) {
        calls.push([name, input])
        const code = left.shift()
        if (code) throw new Fault(code, `refused: ${code}`)
        return 'done'
      },
      listen: () => () => undefined,
    },
    async () => {
      asked += 1
      return isGiven
    },
  )
  const answer = await link.call('archive.repair', { name: 'a.warc' }).catch((error: unknown) => {
    if (error instanceof Fault) return error.code
    throw error
  })
  return { answer, asked, calls }
}

const repair = ['archive.repair', { name: 'a.warc' }]

test('a call that needs the password is repeated once it was given', async () => {
  expect(await called(['passwordNeeded'], true)).toEqual({ answer: 'done', asked: 1, calls: [repair, repair] })
})

test('it stays refused where the user gives none, or the engine asks once more', async () => {
  expect(await called(['passwordNeeded'], false)).toEqual({ answer: 'passwordNeeded', asked: 1, calls: [repair] })
  expect(await called(['passwordNeeded', 'passwordNeeded'], true)).toMatchObject({ answer: 'passwordNeeded', asked: 1 })
})

test('nothing is asked for other refusals, or for none', async () => {
  expect(await called(['notAllowed'], true)).toEqual({ answer: 'notAllowed', asked: 0, calls: [repair] })
  expect(await called([], true)).toEqual({ answer: 'done', asked: 0, calls: [repair] })
})
