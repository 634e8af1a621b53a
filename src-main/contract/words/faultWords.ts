/** Reasons why a call was refused: one sentence each, with what failed, why, and what to do. */
export const faultWords = {
  'job.absent': 'There is no job {job}.',
  'files.absent': 'There is no file or folder {path}.',
  'path.relative': '{path} is not an absolute path: add the folder.',
  'files.gone': '{path} no longer exists.',
  'files.noArchiveFile': 'There is no archive file (WARC, ARC or WACZ) in {paths}.',
  'files.tooMany': 'There are more than {filesMax} archive files. Name fewer folders at a time.',
  'files.name': 'Its name is not UTF-8, so it cannot be opened: rename it.',
  'files.deep': 'It is more than {foldersDeepMax} folders deep.',
  'record.absent': 'No record begins at offset {offset} in {file}.',
  'file.absent': 'The archive has no file named {name}.',
  'archive.empty': 'The archive has no files yet.',
  'archive.noFilesOf': 'The archive has no files of {selection}.',
} as const
