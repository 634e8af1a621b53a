/** Rules of the compression of records: gzip members (RFC 1952; WARC 1.1, annex D) and zstd frames (RFC 8878). */
import type { RuleTable } from './rule.ts'

export const packingRules = {
  memberChecksum: {
    severity: 'error',
    clause: 'RFC 1952, 2.3.1',
  },
  memberDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
  },
  memberTorn: {
    severity: 'error',
    clause: 'RFC 1952, 2.2',
  },
  memberEmpty: {
    severity: 'note',
    clause: 'WARC 1.1, annex D.2',
  },
  memberBomb: {
    severity: 'error',
    clause: 'Loupe: a member unpacks to at most 500 times its size, or to 1 GiB if that is more',
  },
} as const satisfies RuleTable
