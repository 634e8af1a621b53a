/** Rules of importing files into an archive, for files that could not be stored byte for byte. */
import type { RuleTable } from './rule.ts'

export const importRules = {
  importRecompressed: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2: one record, one gzip member',
    means:
      'Records that share a gzip member cannot be addressed one by one, so the archive stores each in a member of its own. Headers and blocks are unchanged, but the checksum of the file differs. Offsets in findings refer to the original file.',
  },
  importLeftOut: {
    severity: 'error',
    clause: 'Loupe: what is damaged is not made to look whole',
    means:
      'A damaged record cannot be recompressed, so it was not imported. Keep the original file: loupe salvage extracts what can be read.',
  },
  importLeftInPackage: {
    severity: 'warning',
    clause: 'Loupe: what is not taken in is said',
    means:
      'Only the archive files, manifest, page lists and logs of a package are imported. This file is none of these, cannot be read, or exceeds a limit on size or number. Keep the package if you need it.',
  },
} as const satisfies RuleTable
