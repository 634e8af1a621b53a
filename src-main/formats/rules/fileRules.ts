/** Rules of files as wholes, whatever their format: what they are, and what could not be looked at. */
import type { RuleTable } from './rule.ts'

export const fileRules = {
  notAnArchive: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
    means:
      'The file is none that can be read here. Unpack it first if it is packed otherwise; else it does not belong among archive files.',
  },
  fileEmpty: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means:
      'The file has no bytes, and an archive file has at least one record. A writer was stopped, or a copy failed.',
  },
  harOnlyImported: {
    severity: 'note',
    clause: 'Loupe: HAR is converted, not kept',
    means: 'A HAR file is a log of a browser, not an archive file. Convert it to WARC to keep what it holds.',
  },
  fileUnreadable: {
    severity: 'error',
    clause: 'Loupe: every byte of a file is read',
    means:
      'The system or the disk refuses the file, so nothing is known of what it holds. Look at its permissions, and at the disk.',
  },
  idsNotCompared: {
    severity: 'note',
    clause: 'Loupe: the record ids that are remembered are bounded',
    means: 'The file has more records than are remembered at once. Ids that repeat among the later ones are not seen.',
  },
} as const satisfies RuleTable
