/** What the rules about archived HTTP messages mean for the owner of a file, and what to do. */
export const httpRuleWords = {
  'rule.httpReasonMissing': 'The status line has no reason phrase and no space before it. Browsers accept this.',
  'rule.httpVersionOdd':
    'The response does not declare HTTP/1.0 or HTTP/1.1. Some old audio servers respond like this.',
  'rule.httpVersionMissing': 'The request line has no version. ArchiveWeb.page writes requests like this.',
  'rule.httpHeadTorn': 'The HTTP header is incomplete: the connection was closed early, or the record was cut.',
  'rule.httpLineFeedsBare': 'Lines end with LF instead of CR LF. Browsers accept this.',
  'rule.httpReturnsDoubled':
    'Lines end with CR CR LF, as programs that write in text mode produce them. They are read as CR LF.',
  'rule.httpFieldFolded':
    'A header field continues on the next line, which HTTP no longer allows. The lines are joined with a space.',
  'rule.httpFieldWithoutColon': 'A header line is not a field. It is ignored.',
  'rule.httpFieldNameBlank':
    'There is a space around a field name. Some browsers reject such a response, others ignore the space.',
  'rule.httpFieldNameEmpty': 'A header field has no name. It is ignored.',
  'rule.httpEmptyLinesFirst': 'There are empty lines before the status line. They are skipped.',
  'rule.httpLengthAndTransferCoding':
    'The header has both Content-Length and Transfer-Encoding. Transfer-Encoding takes precedence.',
  'rule.httpTransferCodingUnknown': 'The transfer coding is unknown. The body is read to the end of the record.',
  'rule.httpLengthsDiffer':
    'The header has several Content-Length values that differ. All are ignored and the body is read to the end of the record.',
  'rule.httpLengthInvalid': 'Content-Length is not a number. The body is read to the end of the record.',
  'rule.httpLengthRepeated': 'The header repeats Content-Length with the same value. No content is affected.',
  'rule.httpBodyTruncated': 'The connection was closed before the body was complete. Harvest the page again.',
  'rule.httpBodyMissing':
    'The header announces a body, but there is none: the request was HEAD, or the connection was closed early. Compare with the request.',
  'rule.httpBodyTooLong':
    'The body is longer than Content-Length. Tools that store the decoded body, such as ArchiveWeb.page, keep the length of the encoded one.',
  'rule.chunksTorn':
    'The body ends before its last chunk: the connection was closed during the harvest. Harvest the page again.',
  'rule.notChunked':
    'The header declares a chunked body, but the body is not chunked: the writer removed the chunk framing and kept the header. The body is used as it is.',
  'rule.chunkBroken': 'The chunk framing is broken part of the way through the body. The rest is used as it is.',
  'rule.bytesAfterChunks': 'Bytes follow the last chunk. Browsers ignore them.',
  'rule.codingsTooMany':
    'The body declares more content codings than Loupe accepts, which only attacks do. It is not decoded.',
  'rule.codingUnknown': 'The content coding is unknown. The body is not decoded.',
  'rule.contentTorn': 'The compressed body is truncated. The part that could be decompressed is shown.',
  'rule.contentTooLarge': 'The decoded body exceeds the limit for this view. It is cut.',
  'rule.contentDamaged': 'The compressed body is damaged. The part that could be decompressed is shown.',
  'rule.notCoded':
    'The header declares a content coding, but the body is not encoded: the writer decoded it and kept the header. The body is used as it is.',
} as const
