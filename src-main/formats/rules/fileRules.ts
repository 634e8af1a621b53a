/** Rules of whole files, independent of their format: what they are, and what could not be examined. */
import type { RuleTable } from './rule.ts'

export const fileRules = {
  notAnArchive: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
  },
  fileEmpty: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
  },
  harOnlyImported: {
    severity: 'note',
    clause: 'Loupe: HAR is converted, not kept',
  },
  fileUnreadable: {
    severity: 'error',
    clause: 'Loupe: every byte of a file is read',
  },
  idsNotCompared: {
    severity: 'note',
    clause: 'Loupe: the record ids that are remembered are bounded',
  },
} as const satisfies RuleTable
