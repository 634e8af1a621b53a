/** Rules of WARC files (ISO 28500: WARC 1.0 of 2009, WARC 1.1 of 2017; the drafts 0.17 and 0.18 for files that
 *  follow them). */
import type { RuleTable } from './rule.ts'

export const warcRules = {
  noRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means:
      'The file contains bytes that belong to no record. They are skipped; the records around them are intact. loupe salvage writes a file without them.',
  },
  headerTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means: 'The writer was interrupted, or a copy is incomplete. Compare the size of the file with the original.',
  },
  headerTooLarge: {
    severity: 'error',
    clause: 'Loupe: a header has at most 1 MiB',
    means: 'No writer produces headers this large: the file is damaged here or malicious. The record is skipped.',
  },
  lineEnds: {
    severity: 'note',
    clause: 'WARC 1.1, 4',
    means: 'A record is followed by exactly two line breaks. Extra ones do no harm.',
  },
  recordInside: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means:
      'The previous record states a length that is too large, and the next record begins inside it. Both are read.',
  },
  headerLineEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means:
      'Header lines should end with CR LF. These end with LF, as in drafts of WARC, or with CR CR LF, as programs that write in text mode produce them. Other software may lose the record.',
  },
  headerNotUtf8: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means:
      'Header values should be UTF-8. In URLs, the bytes are percent-encoded, as browsers request them; in other fields, non-ASCII characters may look wrong.',
  },
  versionUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'The record declares an unknown version of WARC. It is read as WARC 1.1.',
  },
  fieldOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'A header line is neither a field nor the continuation of one. It is ignored.',
  },
  targetBracketed: {
    severity: 'note',
    clause: 'WARC 1.0, 4; WARC 1.1, 5.14',
    means: 'The grammar of WARC 1.0 has < and > around the URI, but its examples do not. wget up to 1.20 writes them.',
  },
  recordTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means:
      'The record is shorter than its Content-Length. The part that exists can be viewed; the rest is lost in this copy. Compare with another copy, or use loupe salvage to write a valid file with what remains.',
  },
  recordEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4; ARC: one line end',
    means:
      'The block of a WARC record should be followed by CR LF CR LF, that of an ARC record by LF. No content is affected.',
  },
  recordSpansMembers: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
    means: 'Each record should be a gzip member of its own. The record is read; loupe recompress writes it correctly.',
  },
  recordsShareMember: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
    means: 'Records that share a gzip member cannot be read one by one. Use loupe recompress to separate them.',
  },
  bytesAfterRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means:
      'Bytes after the record belong to no record: its length is too small, or something was inserted. They are skipped.',
  },
  lengthInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means: 'The length is missing or invalid, so the end of the record is unknown. Its block is treated as empty.',
  },
  dateInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
    means: 'The date cannot be parsed, so the record cannot be found by date and is not indexed.',
  },
  blockDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.8',
    means:
      'The block does not match its digest. Compare with another replica; some old writers stored incorrect digests.',
  },
  digestUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.8',
    means: 'The digest uses an unknown format or algorithm, so it cannot be verified.',
  },
  payloadDigestWithChunks: {
    severity: 'note',
    clause: 'WARC 1.1, 6.3.2 and 5.9',
    means: 'The digest includes the transfer coding, as wget and warcio compute it. It still verifies the bytes.',
  },
  payloadDigestOfBlock: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.9',
    means:
      'The digest covers the whole block, including the HTTP header. It verifies the bytes but does not identify duplicates.',
  },
  payloadDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.9',
    means: 'The payload does not match its digest in any known way of computing it. Compare with another replica.',
  },
} as const satisfies RuleTable
