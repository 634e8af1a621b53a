/** What the rules about WARC files mean for the owner of a file, and what to do. */
export const warcRuleWords = {
  'rule.noRecord':
    'The file contains bytes that belong to no record. They are skipped; the records around them are intact. loupe salvage writes a file without them.',
  'rule.headerTorn':
    'The writer was interrupted, or a copy is incomplete. Compare the size of the file with the original.',
  'rule.headerTooLarge':
    'No writer produces headers this large: the file is damaged here or malicious. The record is skipped.',
  'rule.lineEnds': 'A record is followed by exactly two line breaks. Extra ones do no harm.',
  'rule.recordInside':
    'The previous record states a length that is too large, and the next record begins inside it. Both are read.',
  'rule.headerLineEndOdd':
    'Header lines should end with CR LF. These end with LF, as in drafts of WARC, or with CR CR LF, as programs that write in text mode produce them. Other software may lose the record.',
  'rule.headerNotUtf8':
    'Header values should be UTF-8. In URLs, the bytes are percent-encoded, as browsers request them; in other fields, non-ASCII characters may look wrong.',
  'rule.versionUnknown': 'The record declares an unknown version of WARC. It is read as WARC 1.1.',
  'rule.fieldOdd': 'A header line is neither a field nor the continuation of one. It is ignored.',
  'rule.targetBracketed':
    'The grammar of WARC 1.0 has < and > around the URI, but its examples do not. wget up to 1.20 writes them.',
  'rule.recordTorn':
    'The record is shorter than its Content-Length. The part that exists can be viewed; the rest is lost in this copy. Compare with another copy, or use loupe salvage to write a valid file with what remains.',
  'rule.recordEndOdd':
    'The block of a WARC record should be followed by CR LF CR LF, that of an ARC record by LF. No content is affected.',
  'rule.recordSpansMembers':
    'Each record should be a gzip member of its own. The record is read; loupe recompress writes it correctly.',
  'rule.recordsShareMember':
    'Records that share a gzip member cannot be read one by one. Use loupe recompress to separate them.',
  'rule.bytesAfterRecord':
    'Bytes after the record belong to no record: its length is too small, or something was inserted. They are skipped.',
  'rule.lengthInvalid':
    'The length is missing or invalid, so the end of the record is unknown. Its block is treated as empty.',
  'rule.dateInvalid': 'The date cannot be parsed, so the record cannot be found by date and is not indexed.',
  'rule.blockDigestWrong':
    'The block does not match its digest. Compare with another replica; some old writers stored incorrect digests.',
  'rule.digestUnknown': 'The digest uses an unknown format or algorithm, so it cannot be verified.',
  'rule.payloadDigestWithChunks':
    'The digest includes the transfer coding, as wget and warcio compute it. It still verifies the bytes.',
  'rule.payloadDigestOfBlock':
    'The digest covers the whole block, including the HTTP header. It verifies the bytes but does not identify duplicates.',
  'rule.payloadDigestWrong':
    'The payload does not match its digest in any known way of computing it. Compare with another replica.',
} as const
