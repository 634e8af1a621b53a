import { expect, test } from 'vitest'
import { ruleWords } from './ruleWords.ts'

test.each([
  ['recordTorn', 'Record truncated'],
  ['warcVersionUnknown', 'WARC version unknown'],
  ['gzipMemberTorn', 'Gzip member truncated'],
  ['targetUriMissing', 'Target URI missing'],
  ['sha1Wrong', 'Sha1 wrong'],
  ['x', 'X'],
])('%s is read as %s', (rule, words) => expect(ruleWords(rule)).toBe(words))
