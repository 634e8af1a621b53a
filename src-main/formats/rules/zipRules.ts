/** Rules of zip files (PKWARE's APPNOTE 6.3.10), which a WACZ is. */
import type { RuleTable } from './rule.ts'

export const zipRules = {
  zipDirectoryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6 and 4.3.16',
    means:
      'The list of contents at the end of the file is not there: the file was cut, or its writer was stopped. What lies before was found piece by piece; compare the size with the original.',
  },
  zipDirectoryWrong: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.12',
    means:
      'The list of contents at the end of the file is damaged or of another file. What could be found without it was read.',
  },
  zipNothingInside: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
    means: 'Nothing that can be read was found in the file.',
  },
  zipPrefixed: {
    severity: 'note',
    clause: 'APPNOTE 6.3.10, 4.1.9',
    means: 'Bytes stand before the package, as in a program that unpacks itself. They are not read.',
  },
  zipBytesBehind: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.16',
    means: 'Bytes follow the end of the package. They are not read; some programs will not open such a file.',
  },
  zipSpanned: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 8.1',
    means: 'The file is one of several that make a package. Put them together first.',
  },
  zipEntriesTooMany: {
    severity: 'error',
    clause: 'Loupe: a package has at most a million entries',
    means: 'The rest of the entries is not read.',
  },
  zipEntryCountDiffers: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.22',
    means: 'The end of the package counts its entries wrong. Those that are listed are read.',
  },
  zipNameClimbs: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.17.1',
    means:
      'A name leads upwards, to a root or a drive, or has backslashes: an old program wrote it, or someone who wants files put elsewhere. It is never used as a path.',
  },
  zipNameNotUtf8: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, annex D',
    means: 'The name is read in the code page of old PCs (CP437), so letters outside ASCII may look wrong.',
  },
  zipNameTwice: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.3.2',
    means: 'Two entries have one name. The last of them counts, as with an archive that was added to.',
  },
  zipEntryEncrypted: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.4',
    means: 'The entry is encrypted and cannot be read.',
  },
  zipMethodUnknown: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.5; WACZ 1.1.1, Zip Compression',
    means: 'The entry is packed in a way that packages of web archives do not use. It is not read.',
  },
  zipEntryMissing: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.7',
    means: 'An entry is listed, but where it should begin there is something else. It is lost in this copy.',
  },
  zipHeadersDiffer: {
    severity: 'warning',
    clause: 'APPNOTE 6.3.10, 4.4.1.1',
    means:
      'The entry says one thing of itself, the list of contents another. The list is believed; other programs may not.',
  },
  zipEntryTorn: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.8',
    means: 'The file ends within this entry. What is there is read; the rest is lost in this copy.',
  },
  zipEntriesOverlap: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.3.6',
    means: 'Two entries claim the same bytes, which only attacks and damage do. The later one is not read.',
  },
  zipEntryDamaged: {
    severity: 'error',
    clause: 'RFC 1951, 3.2',
    means: 'The packed bytes make no sense from some place on; what came before it was read.',
  },
  zipEntryLength: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.9',
    means: 'The entry has more or fewer bytes than is said. It is read no further than is said.',
  },
  zipEntryChecksum: {
    severity: 'error',
    clause: 'APPNOTE 6.3.10, 4.4.7',
    means: 'Bytes changed after the package was written. Take it from another replica.',
  },
  zipEntryReadBack: {
    severity: 'error',
    clause: 'Loupe: a packed entry is unpacked from its beginning a bounded number of times',
    means:
      'The entry is packed where it should be stored, and was to be read back and forth. It counts as ended here. Write the package anew.',
  },
} as const satisfies RuleTable
