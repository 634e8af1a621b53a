/** Rules of the compression of records: gzip members (RFC 1952; WARC 1.1, annex D) and zstd frames (RFC 8878). */
import type { RuleTable } from './rule.ts'

export const packingRules = {
  memberChecksum: {
    severity: 'error',
    clause: 'RFC 1952, 2.3.1',
    means:
      'Bytes changed after the file was written. Restore the record from another replica, or capture the page again.',
  },
  memberDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
    means:
      'The compressed data is damaged. The content before the damage was read. Restore the file from another replica.',
  },
  memberTorn: {
    severity: 'error',
    clause: 'RFC 1952, 2.2',
    means:
      'The file is truncated: the writer was interrupted, or a copy is incomplete. Compare its size with the original; loupe salvage writes a valid file with what remains.',
  },
  memberEmpty: {
    severity: 'note',
    clause: 'WARC 1.1, annex D.2',
    means: 'The file has a compressed member without a record. No content is affected.',
  },
  memberBomb: {
    severity: 'error',
    clause: 'Loupe: 500 times its size, and a gigabyte at least, is what a member may unpack to',
    means:
      'The compressed data is designed to fill memory or disk. The rest of it is skipped, and reading continues with the next record.',
  },
} as const satisfies RuleTable
