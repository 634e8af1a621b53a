import { expect, test } from 'vitest'
import { message } from '../words/message.ts'
import { Fault, saidBy } from './faults.ts'

test.each([
  ['a message', new Fault('notFound', message('job.absent', { job: 7 })), message('job.absent', { job: 7 })],
  ['a text alone', new Fault('refused', 'It was refused.'), message('text', { text: 'It was refused.' })],
])('what a fault with %s says', (_, fault, said) => expect(saidBy(fault)).toEqual(said))
