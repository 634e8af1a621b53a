import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOf, bytesIn, milliseconds } from './amounts.ts'

describe('parses sizes', () => {
  const rows: [text: string, bytes: number | undefined][] = [
    ['0', 0],
    ['500', 500],
    ['500B', 500],
    ['2GB', 2_000_000_000],
    ['2 gb', 2_000_000_000],
    ['1.5MB', 1_500_000],
    ['50kB', 50_000],
    ['3TB', 3_000_000_000_000],
    ['1KiB', 1024],
    ['2GiB', 2_147_483_648],
    ['', undefined],
    ['GB', undefined],
    ['-1GB', undefined],
    ['2GBs', undefined],
    ['2h', undefined],
    ['2G', undefined],
    ['1,5GB', undefined],
    ['999999999999TB', undefined],
  ]
  test.each(rows)('%j', (text, bytes) => expect(bytesIn(text)).toBe(bytes))
})

describe('parses amounts in the default unit', () => {
  const rows: [text: string, unit: string | undefined, amount: number | undefined][] = [
    ['1GB', 'bytes', 1_000_000_000],
    ['2MiB/s', 'bytes/s', 2_097_152],
    ['2MB', 'bytes/s', 2_000_000],
    ['2s', 'ms', 2_000],
    ['250', 'ms', 250],
    ['7d', 'days', 7],
    ['48h', 'days', 2],
    ['30m', 'hours', 0.5],
    ['12', 'files', 12],
    ['12MB', 'files', undefined],
    ['3', undefined, 3],
    ['3s', undefined, undefined],
    ['many', 'days', undefined],
  ]
  test.each(rows)('%j in %s', (text, unit, amount) => expect(amountOf(text, unit)).toBe(amount))
})

describe('parses durations', () => {
  const rows: [text: string, plainMs: number | undefined, ms: number | undefined][] = [
    ['90', 1000, 90_000],
    ['90', 60_000, 5_400_000],
    ['90', undefined, undefined],
    ['250ms', 1000, 250],
    ['90s', 1, 90_000],
    ['30m', 1000, 1_800_000],
    ['30min', 1000, 1_800_000],
    ['2h', 1000, 7_200_000],
    ['1.5h', 1000, 5_400_000],
    ['7d', 1000, 604_800_000],
    ['2GB', 1000, undefined],
    ['never', 1000, undefined],
    ['', 1000, undefined],
  ]
  test.each(rows)('%j, plain numbers of %s ms', (text, plainMs, ms) => expect(milliseconds(text, plainMs)).toBe(ms))
})

test('every whole number of every unit has its exact value', () => {
  const factors = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }
  fc.assert(
    fc.property(fc.nat(9_000), fc.constantFrom(...Object.entries(factors)), (count, [unit, factor]) => {
      expect(bytesIn(`${count}${unit}`)).toBe(count * factor)
    }),
  )
})

test('rejects any other text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bytes = bytesIn(text)
      if (bytes !== undefined) expect(text).toMatch(/^\d/)
    }),
  )
})
