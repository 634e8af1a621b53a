/** Rules of taking files into an archive: what became of a file that could not be kept byte for byte. */
import type { RuleTable } from './rule.ts'

export const importRules = {
  importRecompressed: {
    severity: 'warning',
    clause: 'WARC 1.1, annex D.2: one record, one gzip member',
    means:
      'Nothing can point at records that share a member, so the archive has the same records in members of their own. Headers and blocks are unchanged; the checksum of the file is another. Offsets of findings are those of the original.',
  },
  importLeftOut: {
    severity: 'error',
    clause: 'Loupe: what is damaged is not made to look whole',
    means:
      'A record that is damaged cannot be compressed anew, so the archive does not have it. Keep the original: loupe salvage takes out of it what can be read.',
  },
  importLeftInPackage: {
    severity: 'warning',
    clause: 'Loupe: what is not taken in is said',
    means:
      'The archive has the archive files of a package, its manifest, its lists of pages and its logs. This is none of these, or cannot be read, or is larger than anything that is kept of a package beside its archive files, or there are more such files than an import takes. Keep the package if you need it.',
  },
} as const satisfies RuleTable
