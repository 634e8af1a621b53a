/** Rules of zip files (PKWARE's APPNOTE 6.3.10), the container of WACZ. */
import type { RuleTable } from './rule.ts'

export const zipRules = {
  zipDirectoryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6 and 4.3.16',
  },
  zipDirectoryWrong: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.12',
  },
  zipNothingInside: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
  },
  zipPrefixed: {
    severity: 'note',
    clause: 'APPNOTE 6.3.10, 4.1.9',
  },
  zipBytesBehind: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.16',
  },
  zipSpanned: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 8.1',
  },
  zipEntriesTooMany: {
    severity: 'error',
    clause: 'Loupe: a package has at most a million entries',
  },
  zipEntryCountDiffers: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.22',
  },
  zipNameClimbs: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.17.1',
  },
  zipNameNotUtf8: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, annex D',
  },
  zipNameTwice: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.2',
  },
  zipEntryEncrypted: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.4',
  },
  zipMethodUnknown: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.5; WACZ 1.1.1, Zip Compression',
  },
  zipEntryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.7',
  },
  zipHeadersDiffer: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.1.1',
  },
  zipEntryTorn: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.8',
  },
  zipEntriesOverlap: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
  },
  zipEntryDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
  },
  zipEntryLength: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.9',
  },
  zipEntryChecksum: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.7',
  },
  zipEntryReadBack: {
    severity: 'error',
    clause: 'Loupe: a packed entry is unpacked from its beginning a bounded number of times',
  },
} as const satisfies RuleTable
