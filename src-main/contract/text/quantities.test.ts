import { expect, test } from 'vitest'
import { textOf } from '../words/render.ts'
import { bytesMessage, durationMessage, numberMessage, percentMessage, perMinute, perSecond } from './quantities.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_234, '1.23 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [48_200_111, '48.2 MB'],
  [1e15, '1 PB'],
  [5e18, '5,000 PB'],
])('%d bytes read as %s', (bytes, text) => expect(textOf(bytesMessage(bytes))).toBe(text))

test.each([
  [0, '0 s'],
  [0.0004, '0.4 ms'],
  [0.0124, '12 ms'],
  [0.0994, '99 ms'],
  [0.0996, '0.1 s'],
  [3.24, '3.2 s'],
  [9.96, '10 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [3_661, '1 h 1 min'],
  [86_400, '1 d'],
  [86_405, '1 d'],
  [90_061, '1 d 1 h'],
  [30 * 86_400, '30 d'],
])('%d seconds read as %s', (seconds, text) => expect(textOf(durationMessage(seconds))).toBe(text))

test.each([
  [perSecond(bytesMessage(2_000_000)), '2 MB/s'],
  [perMinute(numberMessage(1234.5)), '1,230/min'],
  [numberMessage(0.125), '0.125'],
  [percentMessage(0.454), '45%'],
])('%j reads as %s', (message, text) => expect(textOf(message)).toBe(text))
