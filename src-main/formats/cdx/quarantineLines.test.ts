import { expect, test } from 'vitest'
import { isCdxjHeader } from './canonicaliser.ts'
import { parseCdxjLine } from './cdxj.ts'
import { parseQuarantineLine, quarantineLine } from './quarantineLines.ts'

test.each([
  { offset: 12, reason: 'The record has 5 bytes less than its length says.', count: 1 },
  { offset: undefined, reason: 'a "reason"\nof two lines', count: 40 },
])('a line is read back unchanged: %j', (quarantined) => {
  const line = quarantineLine(quarantined)
  expect(line).not.toContain('\n')
  expect(isCdxjHeader(line)).toBe(true)
  expect(parseCdxjLine(line)).toBeUndefined()
  expect(parseQuarantineLine(line)).toEqual(quarantined)
})

test.each(['!meta 0 {}', '!quarantine 0 {', '!quarantine 0 {"reason":5,"count":1}', '!quarantine 0 {"reason":"x"}'])(
  '%s is not a quarantine line',
  (line) => expect(parseQuarantineLine(line)).toBeUndefined(),
)
