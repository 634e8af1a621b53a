import { expect, test } from 'vitest'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'
import { figures, paceValues, rate, remaining } from './figures.ts'

test('figures are listed with commas, without those that are undefined', () => {
  const parts = [message('figure.failed', { count: 0 }), undefined, rate(2_000_000)]
  expect(figures(parts)).toBe('0 failed, 2 MB/s')
})

test.each([
  [1_000, 100, '10 s to go'],
  [-5, 100, '0 s to go'],
  [1_000, 0, undefined],
])('%d bytes at %d per second', (left, perSecond, text) => {
  const estimate = remaining(left, perSecond)
  expect(estimate && textOf(estimate)).toBe(text)
})

test('a pace over no time is finite', () => {
  expect(textOf(message('figure.pace', paceValues(1_000, 0)))).toBe('1 kB in 0 s (1 MB/s)')
})
