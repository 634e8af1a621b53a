/** Rules of WARC files (ISO 28500: WARC 1.0 of 2009, WARC 1.1 of 2017; the drafts 0.17 and 0.18 where files follow them). */
import type { RuleTable } from './rule.ts'

export const warcRules = {
  noRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means:
      'There are bytes in the file that belong to no record. They are skipped; the records around them are good. loupe salvage makes a file without them.',
  },
  headerTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means: 'A writer was stopped, or a copy is incomplete. Compare the size of the file with the original.',
  },
  headerTooLarge: {
    severity: 'error',
    clause: 'Loupe: a header has at most 1 MiB',
    means: 'No writer makes such headers; the file is damaged here, or made to do harm. The record is skipped.',
  },
  lineEnds: {
    severity: 'note',
    clause: 'WARC 1.1, 4',
    means: 'Exactly two line ends stand behind a record. More of them do no harm.',
  },
  recordInside: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means: 'The record before claims more bytes than it has, and the next one begins inside it. Both are read.',
  },
  headerLineEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means:
      'The lines of a header end with CR LF. These end with LF alone, as in the drafts of WARC, or with CR CR LF, as a program makes them that writes in text mode. Other readers may lose the record.',
  },
  headerNotUtf8: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means:
      'Header values are UTF-8. The bytes of a URL are read as their percent-encoding, which is what browsers ask for; in other fields letters outside ASCII may look wrong.',
  },
  versionUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'The record names a version of WARC that is not known; it is read as WARC 1.1.',
  },
  fieldOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
    means: 'A line of the header is neither a field nor the continuation of one. It is left out.',
  },
  targetBracketed: {
    severity: 'note',
    clause: 'WARC 1.0, 4; WARC 1.1, 5.14',
    means: 'The grammar of WARC 1.0 has < and > around the URI, its examples have not. wget up to 1.20 writes them.',
  },
  recordTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means:
      'The record has fewer bytes than it claims. What is there can be shown; the rest is lost in this copy. Compare with another one; loupe salvage makes a good file of what is there.',
  },
  recordEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4; ARC: one line end',
    means:
      'Two line ends (CR LF CR LF) stand behind every block of a WARC, one (LF) behind that of an ARC. The record is good.',
  },
  recordSpansMembers: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
    means:
      'A record has one gzip member for itself. This one is read all the same; loupe recompress writes it as it should be.',
  },
  recordsShareMember: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
    means: 'Records that share a gzip member cannot be opened one by one. Compress the file anew: loupe recompress.',
  },
  bytesAfterRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means:
      'Behind the record stand bytes that belong to none: its length is too small, or something was written between. They are left out.',
  },
  lengthInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
    means: 'Without a length nobody knows where the record ends. Its block counts as empty.',
  },
  dateInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
    means: 'The date cannot be read, so the record cannot be found by time and is not indexed.',
  },
  blockDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.8',
    means: 'The block is not what was written. Compare with another replica; some old writers noted wrong digests.',
  },
  digestUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.8',
    means: 'The digest is in a form or of an algorithm that is not known, so nothing is proven by it.',
  },
  payloadDigestWithChunks: {
    severity: 'note',
    clause: 'WARC 1.1, 6.3.2 and 5.9',
    means: 'The digest counts the transfer coding as well, as wget and warcio do. The bytes are proven all the same.',
  },
  payloadDigestOfBlock: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.9',
    means:
      'The digest is that of the block with its HTTP header. The bytes are proven; duplicates are not found by it.',
  },
  payloadDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.9',
    means: 'The payload is not what was written, however it is read. Compare with another replica.',
  },
} as const satisfies RuleTable
