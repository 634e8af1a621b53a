/** Rules of HAR files (HTTP Archive 1.2, softwareishard.com/blog/har-12-spec), which browsers export. A HAR contains
 *  a tool's interpretation of the traffic rather than the transferred bytes, so many rules are about lost
 *  information. */
import type { RuleTable } from './rule.ts'

export const harRules = {
  harNoEntries: {
    severity: 'error',
    clause: 'HAR 1.2, log',
  },
  harTorn: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
  },
  harDamaged: {
    severity: 'error',
    clause: 'RFC 8259, 2',
  },
  harEntryDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
  },
  harEntryTooLarge: {
    severity: 'error',
    clause: 'Loupe: an entry of a HAR file has at most 64 MiB and a million values',
  },
  harVersionOdd: {
    severity: 'note',
    clause: 'HAR 1.2, log',
  },
  harByteOrderMark: {
    severity: 'note',
    clause: 'HAR 1.2, 1 and RFC 8259, 8.1',
  },
  harDateInvalid: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
  },
  harFailed: {
    severity: 'note',
    clause: 'HAR 1.2, response',
  },
  harNotWeb: {
    severity: 'note',
    clause: 'Loupe: only http and https are taken from HAR files',
  },
  harNoBody: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
  },
  harBodyDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, content',
  },
  harBodyAsLetters: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
  },
  harCharsetChanged: {
    severity: 'note',
    clause: 'HAR 1.2, content',
  },
  harFieldOdd: {
    severity: 'warning',
    clause: 'RFC 9110, 5.1 and 5.5',
  },
} as const satisfies RuleTable
