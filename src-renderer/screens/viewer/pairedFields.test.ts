import { expect, test } from 'vitest'
import { pairedFields } from './pairedFields.ts'

const archived = [
  ['Content-Type', 'text/html'],
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['Transfer-Encoding', 'chunked'],
] as const
const sent = [
  ['content-type', 'text/html'],
  ['Set-Cookie', 'a=1; Secure'],
  ['Set-Cookie', 'b=2'],
  ['Memento-Datetime', 'x'],
] as const

test.each<[string, Parameters<typeof pairedFields>, (string | null)[][]]>([
  [
    'both',
    [archived, sent],
    [
      ['Content-Type', 'text/html', 'text/html'],
      ['Set-Cookie', 'a=1', 'a=1; Secure'],
      ['Set-Cookie', 'b=2', 'b=2'],
      ['Transfer-Encoding', 'chunked', null],
      ['Memento-Datetime', null, 'x'],
    ],
  ],
  ['nothing archived', [[], [['A', '1']]], [['A', null, '1']]],
  ['nothing sent', [[['A', '1']], []], [['A', '1', null]]],
])('%s', (_, [one, other], pairs) => {
  expect(pairedFields(one, other).map(({ name, archived: left, sent: right }) => [name, left, right])).toEqual(pairs)
})
