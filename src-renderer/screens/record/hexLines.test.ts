import { expect, test } from 'vitest'
import { hexLines } from './hexLines.ts'

test.each<[string, string, string[]]>([
  ['nothing', '', []],
  ['a line', '474946383961', [`00000000  47 49 46 38 39 61${' '.repeat(33)}GIF89a`]],
  [
    'a full line and one byte',
    `${'00'.repeat(15)}417f`,
    ['00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 41  ...............A', `00000010  7f${' '.repeat(48)}.`],
  ],
])('%s', (_what, hex, lines) => expect(hexLines(hex)).toEqual(lines))
