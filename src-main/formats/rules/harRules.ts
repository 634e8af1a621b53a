/** Rules of HAR files (HTTP Archive 1.2, softwareishard.com/blog/har-12-spec), which browsers export. A HAR contains
 *  a tool's interpretation of the traffic rather than the transferred bytes, so many rules are about lost
 *  information. */
import type { RuleTable } from './rule.ts'

export const harRules = {
  harNoEntries: {
    severity: 'error',
    clause: 'HAR 1.2, log',
    means: 'The file has no list of entries (log.entries), so there is nothing to convert. It may not be a HAR file.',
  },
  harTorn: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means:
      'The file is truncated: the export was interrupted, or a copy is incomplete. The entries before this point are intact.',
  },
  harDamaged: {
    severity: 'error',
    clause: 'RFC 8259, 2',
    means:
      'The list of entries stops being valid JSON at this point. The entries before it are intact; export the file again.',
  },
  harEntryDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means: 'The entry is not valid JSON or has no URL. It is skipped.',
  },
  harEntryTooLarge: {
    severity: 'error',
    clause: 'Loupe: an entry of a HAR file has at most 64 MiB and a million values',
    means: 'The entry is larger than anything browsers export for one request. It is skipped.',
  },
  harVersionOdd: {
    severity: 'note',
    clause: 'HAR 1.2, log',
    means: 'The file is not HAR 1.2 or does not state its version. It is read as HAR 1.2.',
  },
  harByteOrderMark: {
    severity: 'note',
    clause: 'HAR 1.2, 1 and RFC 8259, 8.1',
    means: 'The file begins with a byte order mark, as some Windows tools write it. No content is affected.',
  },
  harDateInvalid: {
    severity: 'error',
    clause: 'HAR 1.2, entries',
    means: 'The entry has no valid start time, so it could not be found by date. It is skipped.',
  },
  harFailed: {
    severity: 'note',
    clause: 'HAR 1.2, response',
    means: 'The request has no response: it was blocked or cancelled, or the server was not reached. It is skipped.',
  },
  harNotWeb: {
    severity: 'note',
    clause: 'Loupe: only http and https are taken from HAR files',
    means: 'The URL is internal to the browser (data:, blob:, an extension) or a WebSocket. It is skipped.',
  },
  harNoBody: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
    means:
      'The response had a body, but the file was exported without content. Export it "with content" to keep the body.',
  },
  harBodyDamaged: {
    severity: 'error',
    clause: 'HAR 1.2, content',
    means:
      'The exporting tool decoded an image or another binary body as text, so bytes are permanently lost. Capture it again.',
  },
  harBodyAsLetters: {
    severity: 'warning',
    clause: 'HAR 1.2, content',
    means:
      'The exporting tool wrote a binary body as text, one character per byte, instead of base64. The bytes are restored from the characters.',
  },
  harCharsetChanged: {
    severity: 'note',
    clause: 'HAR 1.2, content',
    means:
      'Text in a HAR file is Unicode, whatever the server sent. It is written as UTF-8 with a matching Content-Type; the original Content-Type is kept in another header field.',
  },
  harFieldOdd: {
    severity: 'warning',
    clause: 'RFC 9110, 5.1 and 5.5',
    means: 'A header field has a name or a value that is not allowed in HTTP. It is skipped or cleaned.',
  },
} as const satisfies RuleTable
