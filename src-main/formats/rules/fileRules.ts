/** Rules of whole files, independent of their format: what they are, and what could not be examined. */
import type { RuleTable } from './rule.ts'

export const fileRules = {
  notAnArchive: {
    severity: 'error',
    clause: 'Loupe: reads WARC, ARC, WACZ and HAR, plain, gzip or zstd',
    means:
      'Loupe cannot read this file format. If the file is compressed in another way, decompress it first; otherwise it is not an archive file.',
  },
  fileEmpty: {
    severity: 'error',
    clause: 'WARC 1.1, 4',
    means:
      'The file is empty, but an archive file has at least one record. The writer was interrupted, or a copy failed.',
  },
  harOnlyImported: {
    severity: 'note',
    clause: 'Loupe: HAR is converted, not kept',
    means: 'A HAR file is a browser log, not an archive file. Convert it to WARC to keep its content.',
  },
  fileUnreadable: {
    severity: 'error',
    clause: 'Loupe: every byte of a file is read',
    means:
      'The operating system or the disk refused to read the file, so its content is unknown. Check its permissions and the disk.',
  },
  idsNotCompared: {
    severity: 'note',
    clause: 'Loupe: the record ids that are remembered are bounded',
    means:
      'The file has more records than Loupe tracks at once. Repeated record IDs among the later records are not detected.',
  },
} as const satisfies RuleTable
