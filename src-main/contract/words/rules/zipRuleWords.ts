/** What the rules about ZIP files mean for the owner of a file, and what to do. */
export const zipRuleWords = {
  'rule.zipDirectoryMissing':
    'The central directory at the end of the file is missing: the file was cut, or its writer was interrupted. The entries before it were recovered one by one; compare the size with the original.',
  'rule.zipDirectoryWrong':
    'The central directory at the end of the file is damaged or belongs to another file. The entries that could be found without it were read.',
  'rule.zipNothingInside': 'The file contains no readable entry.',
  'rule.zipPrefixed': 'There are bytes before the package, as in self-extracting archives. They are ignored.',
  'rule.zipBytesBehind':
    'There are bytes after the package. They are ignored; some programs refuse to open such a file.',
  'rule.zipSpanned': 'The file is one part of a split ZIP archive. Join the parts first.',
  'rule.zipEntriesTooMany': 'The remaining entries are not read.',
  'rule.zipEntryCountDiffers':
    'The number of entries stated at the end of the package is wrong. The listed entries are read.',
  'rule.zipNameClimbs':
    'The name contains .., an absolute path, a drive or backslashes: an old program wrote it, or someone wants files written elsewhere. Loupe never uses it as a path.',
  'rule.zipNameNotUtf8':
    'The name is decoded as CP437, the code page of old PCs, so non-ASCII characters may look wrong.',
  'rule.zipNameTwice': 'Two entries have the same name. The last one is used, as in archives that were updated.',
  'rule.zipEntryEncrypted': 'The entry is encrypted and cannot be read.',
  'rule.zipMethodUnknown': 'The entry uses a compression method that WACZ does not allow. It is not read.',
  'rule.zipEntryMissing':
    'The directory lists an entry, but there is something else at its offset. It is lost in this copy.',
  'rule.zipHeadersDiffer':
    'The header of the entry contradicts the central directory. Loupe uses the directory; other programs may not.',
  'rule.zipEntryTorn': 'The file ends inside this entry. The part that exists is read; the rest is lost in this copy.',
  'rule.zipEntriesOverlap':
    'Two entries occupy the same bytes, which only attacks and damage produce. The later one is not read.',
  'rule.zipEntryDamaged': 'The compressed data is damaged. The content before the damage was read.',
  'rule.zipEntryLength': 'The entry is longer or shorter than stated. It is read only up to the stated length.',
  'rule.zipEntryChecksum': 'Bytes changed after the package was written. Restore it from another replica.',
  'rule.zipEntryReadBack':
    'The entry is compressed but should be stored, and reading it required going back too often. It is treated as ended here. Write the package again.',
} as const
