/** Rules of zip files (PKWARE's APPNOTE 6.3.10), the container of WACZ. */
import type { RuleTable } from './rule.ts'

export const zipRules = {
  zipDirectoryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6 and 4.3.16',
    means:
      'The central directory at the end of the file is missing: the file was cut, or its writer was interrupted. The entries before it were recovered one by one; compare the size with the original.',
  },
  zipDirectoryWrong: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.12',
    means:
      'The central directory at the end of the file is damaged or belongs to another file. The entries that could be found without it were read.',
  },
  zipNothingInside: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
    means: 'The file contains no readable entry.',
  },
  zipPrefixed: {
    severity: 'note',
    clause: 'APPNOTE 6.3.10, 4.1.9',
    means: 'There are bytes before the package, as in self-extracting archives. They are ignored.',
  },
  zipBytesBehind: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.16',
    means: 'There are bytes after the package. They are ignored; some programs refuse to open such a file.',
  },
  zipSpanned: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 8.1',
    means: 'The file is one part of a split ZIP archive. Join the parts first.',
  },
  zipEntriesTooMany: {
    severity: 'error',
    clause: 'Loupe: a package has at most a million entries',
    means: 'The remaining entries are not read.',
  },
  zipEntryCountDiffers: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.22',
    means: 'The number of entries stated at the end of the package is wrong. The listed entries are read.',
  },
  zipNameClimbs: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.17.1',
    means:
      'The name contains .., an absolute path, a drive or backslashes: an old program wrote it, or someone wants files written elsewhere. Loupe never uses it as a path.',
  },
  zipNameNotUtf8: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, annex D',
    means: 'The name is decoded as CP437, the code page of old PCs, so non-ASCII characters may look wrong.',
  },
  zipNameTwice: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.2',
    means: 'Two entries have the same name. The last one is used, as in archives that were updated.',
  },
  zipEntryEncrypted: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.4',
    means: 'The entry is encrypted and cannot be read.',
  },
  zipMethodUnknown: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.5; WACZ 1.1.1, Zip Compression',
    means: 'The entry uses a compression method that WACZ does not allow. It is not read.',
  },
  zipEntryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.7',
    means: 'The directory lists an entry, but there is something else at its offset. It is lost in this copy.',
  },
  zipHeadersDiffer: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.1.1',
    means:
      'The header of the entry contradicts the central directory. Loupe uses the directory; other programs may not.',
  },
  zipEntryTorn: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.8',
    means: 'The file ends inside this entry. The part that exists is read; the rest is lost in this copy.',
  },
  zipEntriesOverlap: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
    means: 'Two entries occupy the same bytes, which only attacks and damage produce. The later one is not read.',
  },
  zipEntryDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
    means: 'The compressed data is damaged. The content before the damage was read.',
  },
  zipEntryLength: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.9',
    means: 'The entry is longer or shorter than stated. It is read only up to the stated length.',
  },
  zipEntryChecksum: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.7',
    means: 'Bytes changed after the package was written. Restore it from another replica.',
  },
  zipEntryReadBack: {
    severity: 'error',
    clause: 'Loupe: a packed entry is unpacked from its beginning a bounded number of times',
    means:
      'The entry is compressed but should be stored, and reading it required going back too often. It is treated as ended here. Write the package again.',
  },
} as const satisfies RuleTable
