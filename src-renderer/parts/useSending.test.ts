import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeSending } from './useSending.ts'

const fault = new Fault('refused', 'no')

test('an accepted form stays disabled, since its dialog closes', async () => {
  const sending = makeSending()
  const answer = Promise.withResolvers<void>()
  const sent = sending.getState().send(() => answer.promise)
  expect(sending.getState()).toMatchObject({ isSending: true, refusal: null })
  answer.resolve()
  expect(await sent).toBeUndefined()
  expect(sending.getState()).toMatchObject({ isSending: true, refusal: null })
})

test('a refused form can be sent again, and shows the refusal until it is changed or sent', async () => {
  const sending = makeSending()
  expect(await sending.getState().send(() => Promise.reject(fault))).toBe(fault)
  expect(sending.getState()).toMatchObject({ isSending: false, refusal: fault })
  sending.getState().forget()
  expect(sending.getState()).toMatchObject({ isSending: false, refusal: null })
  await sending.getState().send(() => Promise.reject(fault))
  void sending.getState().send(() => new Promise(() => undefined))
  expect(sending.getState()).toMatchObject({ isSending: true, refusal: null })
})
