/** Rules of WARC files (ISO 28500: WARC 1.0 of 2009, WARC 1.1 of 2017; the drafts 0.17 and 0.18 for files that
 *  follow them). */
import type { RuleTable } from './rule.ts'

export const warcRules = {
  noRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
  },
  headerTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
  },
  headerTooLarge: {
    severity: 'error',
    clause: 'Loupe: a header has at most 1 MiB',
  },
  lineEnds: {
    severity: 'note',
    clause: 'WARC 1.1, 4',
  },
  recordInside: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
  },
  headerLineEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
  },
  headerNotUtf8: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
  },
  versionUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
  },
  fieldOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4',
  },
  targetBracketed: {
    severity: 'note',
    clause: 'WARC 1.0, 4; WARC 1.1, 5.14',
  },
  recordTorn: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
  },
  recordEndOdd: {
    severity: 'warning',
    clause: 'WARC 1.1, 4; ARC: one line end',
  },
  recordSpansMembers: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
  },
  recordsShareMember: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2',
  },
  bytesAfterRecord: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
  },
  lengthInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.3',
  },
  dateInvalid: {
    severity: 'error',
    clause: 'WARC 1.1, 5.4',
  },
  blockDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.8',
  },
  digestUnknown: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.8',
  },
  payloadDigestWithChunks: {
    severity: 'note',
    clause: 'WARC 1.1, 6.3.2 and 5.9',
  },
  payloadDigestOfBlock: {
    severity: 'warning',
    clause: 'WARC 1.1, 5.9',
  },
  payloadDigestWrong: {
    severity: 'error',
    clause: 'WARC 1.1, 5.9',
  },
} as const satisfies RuleTable
