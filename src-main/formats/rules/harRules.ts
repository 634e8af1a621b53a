/** Rules of HAR files (HTTP Archive 1.2, softwareishard.com/blog/har-12-spec): what browsers' tools export. A HAR holds what a
 *  tool understood of the traffic, not the bytes that crossed the wire, so much of this says what can no longer be known. */
import type { RuleTable } from './rule.ts'

export const harRules = {
  harNoEntries: {
    severity: 'error',
    clause: 'HAR 1.2, log',
    means:
      'The file has no list of entries (log.entries), so there is nothing to take from it. It may not be a HAR file.',
  },
  harTorn: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means: 'The file ends too early: the export was stopped, or a copy is incomplete. The entries before are good.',
  },
  harDamaged: {
    severity: 'error',
    clause: 'RFC 8259, 2',
    means: 'The list of entries is no JSON from some place on. The entries before are good; export the file again.',
  },
  harEntryDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means: 'An entry cannot be understood, because it is no JSON or lacks its address. It is left out.',
  },
  harEntryTooLarge: {
    severity: 'error',
    clause: 'Loupe: an entry of a HAR file has at most 64 MiB and a million values',
    means: 'An entry is larger than anything that browsers export of one page. It is left out.',
  },
  harVersionOdd: {
    severity: 'note',
    clause: 'HAR 1.2, log',
    means: 'The file is of another version than HAR 1.2, or does not say its version. It is read as HAR 1.2.',
  },
  harByteOrderMark: {
    severity: 'note',
    clause: 'HAR 1.2, 1 and RFC 8259, 8.1',
    means: 'The file begins with a byte order mark, as some tools on Windows write it. It does no harm.',
  },
  harDateInvalid: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means: 'An entry does not say when it was fetched, so it could not be found by time. It is left out.',
  },
  harFailed: {
    severity: 'note',
    clause: 'HAR 1.2, response',
    means: 'The request had no answer: it was blocked, stopped, or the server was not reached. It is left out.',
  },
  harNotWeb: {
    severity: 'note',
    clause: 'Loupe: only http and https are taken from HAR files',
    means: 'The address is one of the browser itself (data:, blob:, an extension) or a WebSocket. It is left out.',
  },
  harNoBody: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
    means: 'The answer had a body, but the file was exported without it. Export it "with content" to keep it.',
  },
  harBodyDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, content',
    means: 'The tool read a picture or another binary body as text, so bytes are lost for good. Fetch it again.',
  },
  harBodyAsLetters: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
    means:
      'The tool wrote a binary body as text, one letter a byte, instead of base64. The bytes are taken from the letters.',
  },
  harCharsetChanged: {
    severity: 'note',
    clause: 'HAR 1.2, content',
    means:
      'The text of a HAR file is Unicode, whatever the server sent. It is written as UTF-8, and Content-Type says so; what the server said is kept beside it.',
  },
  harFieldOdd: {
    severity: 'warning',
    clause: 'RFC 9110, 5.1 and 5.5',
    means: 'A header field has a name or a value that cannot stand in an HTTP message. It is left out or cleaned.',
  },
} as const satisfies RuleTable
