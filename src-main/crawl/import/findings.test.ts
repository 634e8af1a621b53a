import { expect, test } from 'vitest'
import { message, messageFrom } from '../../contract/words/message.ts'
import { storedFinding } from './findings.ts'

test('a finding is stored as its message, and an overlong one as its English text, cut', () => {
  const short = message('finding.arcUrlBlank', { url: 'http://a b/' })
  expect(messageFrom(storedFinding(short))).toEqual(short)
  const long = messageFrom(storedFinding(message('finding.arcUrlBlank', { url: 'x'.repeat(2000) })))
  expect(long.code).toBe('text')
  expect(long.values?.['text']).toMatch(/^The URL contains spaces: x{475}$/)
})
