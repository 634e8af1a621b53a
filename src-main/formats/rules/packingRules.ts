/** Rules of what records are packed in: gzip members (RFC 1952; WARC 1.1, annex D) and zstd frames (RFC 8878). */
import type { RuleTable } from './rule.ts'

export const packingRules = {
  memberChecksum: {
    severity: 'error',
    clause: 'RFC 1952, 2.3.1',
    means: 'Bytes changed after the file was written. Take the record from another replica, or fetch the page again.',
  },
  memberDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
    means:
      'The compressed bytes make no sense from some place on; what came before it was read. Take the file from another replica.',
  },
  memberTorn: {
    severity: 'error',
    clause: 'RFC 1952, 2.2',
    means:
      'The file ends too early: a writer was stopped, or a copy is incomplete. Compare the size with the original; loupe salvage makes a good file of what is there.',
  },
  memberEmpty: {
    severity: 'note',
    clause: 'WARC 1.1, annex D.2',
    means: 'A packed member without a record stands in the file. Nothing is lost: the records around it are read.',
  },
  memberBomb: {
    severity: 'error',
    clause: 'Loupe: 500 times its size, and a gigabyte at least, is what a member may unpack to',
    means: 'The packed bytes are made to fill memory or disk. They are left unread, and the next record is read.',
  },
} as const satisfies RuleTable
