import { expect, test } from 'vitest'
import { Holders } from './holders.ts'

test('only the last holder that leaves ends it, with its reason', () => {
  const holders = new Holders()
  const stopper = new AbortController()
  const leave = holders.hold(undefined)
  holders.hold(stopper.signal)
  leave()
  leave()
  expect(holders.left.aborted).toBe(false)
  stopper.abort(new Error('closed the window'))
  expect(holders.left.reason).toEqual(new Error('closed the window'))
})

test('a holder without a signal leaves with a fault', () => {
  const holders = new Holders()
  holders.hold(undefined)()
  expect(holders.left.reason).toMatchObject({ code: 'stopped' })
})

test('a holder that has left is not removed again by its signal', () => {
  const holders = new Holders()
  const stopper = new AbortController()
  const leave = holders.hold(stopper.signal)
  holders.hold(undefined)
  leave()
  stopper.abort()
  expect(holders.left.aborted).toBe(false)
})

test('a holder whose signal is aborted already does not hold the build', () => {
  const holders = new Holders()
  holders.hold(AbortSignal.abort('stopped'))
  expect(holders.left.reason).toBe('stopped')
})
