import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('fields with commas, quotes and line ends are quoted; null is empty (RFC 4180, section 2)', () => {
  expect(
    csvOf(
      ['url', 'bytes'],
      [
        ['http://a.example/?x=1,2', 5],
        ['say "hi"\nthere', null],
      ],
    ),
  ).toBe('url,bytes\r\n"http://a.example/?x=1,2",5\r\n"say ""hi""\nthere",\r\n')
})
