/** Rules of archived HTTP messages (RFC 9110, RFC 9112), stored as the servers sent them. They are not faults of the
 *  archive file, but explain why a page may look different in different browsers. */
import type { RuleTable } from './rule.ts'

export const httpRules = {
  httpReasonMissing: {
    severity: 'note',
    clause: 'RFC 9112, 4',
    means: 'The status line has no reason phrase and no space before it. Browsers accept this.',
  },
  httpVersionOdd: {
    severity: 'warning',
    clause: 'RFC 9112, 2.3',
    means: 'The response does not declare HTTP/1.0 or HTTP/1.1. Some old audio servers respond like this.',
  },
  httpVersionMissing: {
    severity: 'note',
    clause: 'RFC 9112, 3',
    means: 'The request line has no version. ArchiveWeb.page writes requests like this.',
  },
  httpHeadTorn: {
    severity: 'warning',
    clause: 'RFC 9112, 2.1',
    means: 'The HTTP header is incomplete: the connection was closed early, or the record was cut.',
  },
  httpLineFeedsBare: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means: 'Lines end with LF instead of CR LF. Browsers accept this.',
  },
  httpReturnsDoubled: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means: 'Lines end with CR CR LF, as programs that write in text mode produce them. They are read as CR LF.',
  },
  httpFieldFolded: {
    severity: 'warning',
    clause: 'RFC 9112, 5.2',
    means: 'A header field continues on the next line, which HTTP no longer allows. The lines are joined with a space.',
  },
  httpFieldWithoutColon: {
    severity: 'warning',
    clause: 'RFC 9112, 5',
    means: 'A header line is not a field. It is ignored.',
  },
  httpFieldNameBlank: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
    means: 'There is a space around a field name. Some browsers reject such a response, others ignore the space.',
  },
  httpFieldNameEmpty: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
    means: 'A header field has no name. It is ignored.',
  },
  httpEmptyLinesFirst: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means: 'There are empty lines before the status line. They are skipped.',
  },
  httpLengthAndTransferCoding: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
    means: 'The header has both Content-Length and Transfer-Encoding. Transfer-Encoding takes precedence.',
  },
  httpTransferCodingUnknown: {
    severity: 'warning',
    clause: 'RFC 9112, 6.1',
    means: 'The transfer coding is unknown. The body is read to the end of the record.',
  },
  httpLengthsDiffer: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
    means:
      'The header has several Content-Length values that differ. All are ignored and the body is read to the end of the record.',
  },
  httpLengthInvalid: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
    means: 'Content-Length is not a number. The body is read to the end of the record.',
  },
  httpLengthRepeated: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
    means: 'The header repeats Content-Length with the same value. No content is affected.',
  },
  httpBodyTruncated: {
    severity: 'error',
    clause: 'RFC 9112, 8',
    means: 'The connection was closed before the body was complete. Harvest the page again.',
  },
  httpBodyMissing: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
    means:
      'The header announces a body, but there is none: the request was HEAD, or the connection was closed early. Compare with the request.',
  },
  httpBodyTooLong: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
    means:
      'The body is longer than Content-Length. Tools that store the decoded body, such as ArchiveWeb.page, keep the length of the encoded one.',
  },
  chunksTorn: {
    severity: 'error',
    clause: 'RFC 9112, 8',
    means: 'The body ends before its last chunk: the connection was closed during the harvest. Harvest the page again.',
  },
  notChunked: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
    means:
      'The header declares a chunked body, but the body is not chunked: the writer removed the chunk framing and kept the header. The body is used as it is.',
  },
  chunkBroken: {
    severity: 'error',
    clause: 'RFC 9112, 7.1',
    means: 'The chunk framing is broken part of the way through the body. The rest is used as it is.',
  },
  bytesAfterChunks: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
    means: 'Bytes follow the last chunk. Browsers ignore them.',
  },
  codingsTooMany: {
    severity: 'error',
    clause: 'Loupe: a body has at most four content codings',
    means: 'The body declares more content codings than Loupe accepts, which only attacks do. It is not decoded.',
  },
  codingUnknown: {
    severity: 'error',
    clause: 'RFC 9110, 8.4.1',
    means: 'The content coding is unknown. The body is not decoded.',
  },
  contentTorn: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
    means: 'The compressed body is truncated. The part that could be decompressed is shown.',
  },
  contentTooLarge: {
    severity: 'note',
    clause: 'Loupe: settings bound what is unpacked in memory',
    means: 'The decoded body exceeds the limit for this view. It is cut.',
  },
  contentDamaged: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
    means: 'The compressed body is damaged. The part that could be decompressed is shown.',
  },
  notCoded: {
    severity: 'warning',
    clause: 'RFC 9110, 8.4',
    means:
      'The header declares a content coding, but the body is not encoded: the writer decoded it and kept the header. The body is used as it is.',
  },
} as const satisfies RuleTable
