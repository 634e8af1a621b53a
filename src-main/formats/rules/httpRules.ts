/** Rules of archived HTTP messages (RFC 9110, RFC 9112): what servers sent, kept as it was. They say nothing against the
 *  archive file, but why a page may look different in different browsers. */
import type { RuleTable } from './rule.ts'

export const httpRules = {
  httpReasonMissing: {
    severity: 'note',
    clause: 'RFC 9112, 4',
    means: 'The status line has no reason phrase, nor the blank before it. Browsers do not mind.',
  },
  httpVersionOdd: {
    severity: 'warning',
    clause: 'RFC 9112, 2.3',
    means: 'The answer does not call itself HTTP/1.0 or HTTP/1.1, as those of old audio servers do.',
  },
  httpVersionMissing: {
    severity: 'note',
    clause: 'RFC 9112, 3',
    means: 'The request line has no version. ArchiveWeb.page writes requests so.',
  },
  httpHeadTorn: {
    severity: 'warning',
    clause: 'RFC 9112, 2.1',
    means: 'The head has no end: the connection broke off, or the record was cut.',
  },
  httpLineFeedsBare: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means: 'Lines end with LF alone. Browsers take that for a line end.',
  },
  httpReturnsDoubled: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means:
      'Lines end with CR CR LF, as a program makes them that writes in text mode. They are read as if they ended with CR LF.',
  },
  httpFieldFolded: {
    severity: 'warning',
    clause: 'RFC 9112, 5.2',
    means: 'A field goes on in the next line, a form that is no longer allowed. It is joined by a blank.',
  },
  httpFieldWithoutColon: {
    severity: 'warning',
    clause: 'RFC 9112, 5',
    means: 'A line of the head is no field. It is left out.',
  },
  httpFieldNameBlank: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
    means: 'There is a blank around a field name. Some browsers refuse such an answer, others ignore the blank.',
  },
  httpFieldNameEmpty: {
    severity: 'warning',
    clause: 'RFC 9112, 5.1',
    means: 'A field has no name. It is left out.',
  },
  httpEmptyLinesFirst: {
    severity: 'warning',
    clause: 'RFC 9112, 2.2',
    means: 'Empty lines stand before the status line. They are skipped.',
  },
  httpLengthAndTransferCoding: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
    means: 'The head has a length beside a transfer coding. The transfer coding wins.',
  },
  httpTransferCodingUnknown: {
    severity: 'warning',
    clause: 'RFC 9112, 6.1',
    means: 'The transfer coding is not known, so the body goes to the end.',
  },
  httpLengthsDiffer: {
    severity: 'warning',
    clause: 'RFC 9112, 6.3',
    means: 'The head has several lengths that differ, so none is believed and the body goes to the end.',
  },
  httpLengthInvalid: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
    means: 'The length is no number, so the body goes to the end.',
  },
  httpLengthRepeated: {
    severity: 'warning',
    clause: 'RFC 9110, 8.6',
    means: 'The head says its length several times, and the same each time.',
  },
  httpBodyTruncated: {
    severity: 'error',
    clause: 'RFC 9112, 8',
    means: 'The connection ended before the body was complete. Harvest the page again.',
  },
  httpBodyMissing: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
    means:
      'The head promises a body and none is there: it was asked with HEAD, or the connection broke off. Compare with the request.',
  },
  httpBodyTooLong: {
    severity: 'note',
    clause: 'RFC 9112, 6.3',
    means:
      'The body is longer than its head says. Writers that keep what a browser unpacked, as ArchiveWeb.page does, leave the length of the packed body there.',
  },
  chunksTorn: {
    severity: 'error',
    clause: 'RFC 9112, 8',
    means:
      'The body ends before its last chunk: the connection broke off while it was harvested. Harvest the page again.',
  },
  notChunked: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
    means:
      'The head says chunked, but the body is not: the writer removed the chunks and left the head. It is taken as it is.',
  },
  chunkBroken: {
    severity: 'error',
    clause: 'RFC 9112, 7.1',
    means: 'The chunks lose their framing half-way. The rest is taken as it is.',
  },
  bytesAfterChunks: {
    severity: 'warning',
    clause: 'RFC 9112, 7.1',
    means: 'Bytes follow the last chunk. Browsers never see them.',
  },
  codingsTooMany: {
    severity: 'error',
    clause: 'Loupe: a body has at most four content codings',
    means: 'The body claims to be packed many times over, which only attacks are. It is not unpacked.',
  },
  codingUnknown: {
    severity: 'error',
    clause: 'RFC 9110, 8.4.1',
    means: 'The content coding is not known, so the body stays packed.',
  },
  contentTorn: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
    means: 'The packed body ends too early. What could be unpacked is shown.',
  },
  contentTooLarge: {
    severity: 'note',
    clause: 'Loupe: settings bound what is unpacked in memory',
    means: 'The unpacked body is larger than wanted here. It is cut.',
  },
  contentDamaged: {
    severity: 'error',
    clause: 'RFC 9110, 8.4',
    means: 'The packed body is damaged. What could be unpacked is shown.',
  },
  notCoded: {
    severity: 'warning',
    clause: 'RFC 9110, 8.4',
    means:
      'The head names a content coding that the body does not have: the writer unpacked it and left the head. It is taken as it is.',
  },
} as const satisfies RuleTable
