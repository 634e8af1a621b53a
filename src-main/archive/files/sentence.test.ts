import { expect, test } from 'vitest'
import { sentence } from './sentence.ts'

test.each([
  ['the drive is away', 'The drive is away.'],
  ['It ends already.', 'It ends already.'],
  ['is it there?', 'Is it there?'],
])('%s', (text, expected) => expect(sentence(text)).toBe(expected))
