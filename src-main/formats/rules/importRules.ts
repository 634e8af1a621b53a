/** Rules of importing files into an archive, for files that could not be stored byte for byte. */
import type { RuleTable } from './rule.ts'

export const importRules = {
  importRecompressed: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2: one record, one gzip member',
  },
  importLeftOut: {
    severity: 'error',
    clause: 'Loupe: what is damaged is not made to look whole',
  },
  importLeftInPackage: {
    severity: 'warning',
    clause: 'Loupe: every file that is not imported is reported',
  },
} as const satisfies RuleTable
