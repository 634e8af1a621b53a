import { expect, test } from 'vitest'
import { message } from '../words/message.ts'
import { Fault, faultFromThread, userMessageOf } from './faults.ts'

test.each([
  ['a message', new Fault('notFound', message('job.absent', { job: 7 })), message('job.absent', { job: 7 })],
  ['a text alone', new Fault('refused', 'It was refused.'), message('text', { text: 'It was refused.' })],
])('the message of a fault with %s', (_, fault, said) => expect(userMessageOf(fault)).toEqual(said))

/** An error with the properties of the fault, as a thread hands it over: without its class. */
function outOfThread(fault: Fault): Error {
  return Object.assign(new Error(fault.message), structuredClone({ ...fault }))
}

test.each([
  ['a message', new Fault('notFound', message('job.absent', { job: 7 }))],
  ['a text alone', new Fault('refused', 'It was refused.')],
  ['fields', new Fault('badInput', message('job.absent', { job: 7 }), { fields: [['budgets', 0, 'domain']] })],
])('a fault with %s is restored after it left a thread', (_, fault) => {
  const restored = faultFromThread(outOfThread(fault))
  expect(restored).toBeInstanceOf(Fault)
  const { code, message, userMessage, fields } = fault
  expect(restored).toMatchObject({ code, message, fields })
  expect(restored).toHaveProperty('userMessage', userMessage)
})

test('any other error from a thread is returned unchanged', () => {
  const error = Object.assign(new Error('full'), { code: 'internal' })
  expect(faultFromThread(error)).toBe(error)
})
