/** Import of archive files: the result of each file, why one was rejected, and remarks on what was done with one. */
export const importWords = {
  'import.name': 'Import of {name}',
  'import.name.several': 'Import of {count, plural, one {# file or folder} other {# files or folders}}',
  'import.task': '{name}, job {job}',
  'import.imported': '{name}: {captures, plural, one {# capture} other {# captures}} imported.',
  'import.archived': '{file}: {remark}',
  'import.rejected': '{file} was not imported. {reason}',

  'import.rejected.absent': 'There is no such file or folder.',
  'import.rejected.emptyFolder': 'This folder contains no archive files.',
  'import.rejected.damaged': 'The file is damaged. {damage}',
  'import.rejected.noRecord': 'No record could be read in the file.',
  'import.rejected.entry': 'Loupe could not extract the file from its package.',
  'import.rejected.packageLength':
    'Loupe could not open this package: the package that contains it does not record its length.',
  'import.rejected.emptyPackage': 'The package contains no archive files.',
  'import.rejected.harZstd': 'Loupe cannot read a HAR compressed with zstd. Decompress it and import the result.',
  'import.rejected.harEmpty': 'The HAR contains no server responses.',
  'import.rejected.uploading':
    'An upload is storing the same file as {name}. Import the file again when the upload has finished.',
  'import.rejected.space':
    'Not enough disk space: the file needs {needed}. The disk of the archive has {free} free, and {kept} must stay free.',
  'import.rejected.bug': 'An error in Loupe prevented the import: {problem}',

  'import.remark.recompressed':
    'Its records could not be opened one by one, so Loupe compressed each of them separately.',
  'import.remark.converted': 'Loupe converted it to WARC.',
  'import.remark.renamed': 'The archive has a different file named {wanted}, so this one is named {name}.',
  'import.remark.archived': 'The archive already has this file as {name}, in job {job}.',
  'import.remark.archived.here': 'The archive already has this file as {name}, in this import.',
  'import.remark.takenOver': 'The archive already had this file as {name}, without a job. It now belongs to this job.',
  'import.remark.takenOver.deleted':
    'The archive already had this file as {name}, from job {job}, which was deleted. It now belongs to this job.',
  'import.remark.badCopies': 'Its copy is {copies}. To restore it, upload the file under that name (loupe upload).',
  'import.copy.missing': 'missing in {replica}',
  'import.copy.damaged': 'damaged in {replica}',
} as const
