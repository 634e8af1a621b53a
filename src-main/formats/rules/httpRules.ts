/** Rules of archived HTTP messages (RFC 9110, RFC 9112), stored as the servers sent them. They are not faults of the
 *  archive file, but explain why a page may look different in different browsers. */
import type { RuleTable } from './rule.ts'

export const httpRules = {
  httpReasonMissing: {
    severity: 'note',
    clause: 'RFC 9112, 4',
  },
  httpVersionOdd: {
    severity: 'warning',
    clause: 'RFC 9112, 2.3',
  },
  httpVersionMissing: {
    severity: 'note',
    clause: 'RFC 9112, 3',
  },
  httpHeadTorn: {
    severity: 'warning',
    clause: 'RFC 9112, 2.1',
  },
  httpLineFeedsBare: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
  },
  httpReturnsDoubled: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
  },
  httpFieldFolded: {
    severity: 'warning',
    clause: 'RFC 9112, 5.2',
  },
  httpFieldWithoutColon: {
    severity: 'warning',
    clause: 'RFC 9112, 5',
  },
  httpFieldNameBlank: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
  },
  httpFieldNameEmpty: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
  },
  httpEmptyLinesFirst: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
  },
  httpLengthAndTransferCoding: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
  },
  httpTransferCodingUnknown: {
    severity: 'warning',
    clause: 'RFC 9112, 6.1',
  },
  httpLengthsDiffer: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
  },
  httpLengthInvalid: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
  },
  httpLengthRepeated: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
  },
  httpBodyTruncated: {
    severity: 'error',
    clause: 'RFC 9112, 8',
  },
  httpBodyMissing: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
  },
  httpBodyTooLong: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
  },
  chunksTorn: {
    severity: 'error',
    clause: 'RFC 9112, 8',
  },
  notChunked: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
  },
  chunkBroken: {
    severity: 'error',
    clause: 'RFC 9112, 7.1',
  },
  bytesAfterChunks: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
  },
  codingsTooMany: {
    severity: 'error',
    clause: 'Loupe: a body has at most four content codings',
  },
  codingUnknown: {
    severity: 'error',
    clause: 'RFC 9110, 8.4.1',
  },
  contentTorn: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
  },
  contentTooLarge: {
    severity: 'note',
    clause: 'Loupe: settings bound what is unpacked in memory',
  },
  contentDamaged: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
  },
  notCoded: {
    severity: 'warning',
    clause: 'RFC 9110, 8.4',
  },
} as const satisfies RuleTable
