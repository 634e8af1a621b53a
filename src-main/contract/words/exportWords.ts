/** Exports: what they write, why one is refused or failed, and remarks on the result. */
export const exportWords = {
  'export.subject': '{what} to {path}',
  'export.path.relative': '{path} is not an absolute path: give the folder of the new file, too.',
  'export.path.inReplica': '{path} is in the folder of replica {replica}: choose a folder outside of the replicas.',
  'export.path.exists': '{path} already exists, and Loupe overwrites no file: choose another name.',
  'export.part.exists':
    '{path} already exists: another export is writing it, or left it. Wait for that export, or delete the file.',
  'export.folder.absent': 'There is no folder {folder}.',
  'export.time.order': 'The end of the period, {to}, is before its beginning, {from}: exchange them.',
  'export.archive.empty': 'The archive has no files yet.',
  'export.noSpace':
    'The export takes about {bytes} bytes, but only {free} bytes are free in {folder}: free up disk space, or choose another folder.',
  'export.noGoodCopy':
    'No replica has a good copy of {name}{more, plural, =0 {} other { and # more}}, so nothing was written: "loupe preserve checksums" finds out what is wrong.',
  'export.interrupted.whole': 'Loupe was closed just after {path} was complete: the file is whole and can be used.',
  'export.key.damaged':
    '{path} is not a key that packages can be signed with: replace it with the right file, or move it away to have a new key created.',
} as const
