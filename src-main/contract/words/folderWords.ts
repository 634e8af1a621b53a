/** Messages about the folders of an archive: why one cannot be opened, created or restored, and how its permissions were changed. */
export const folderWords = {
  'folder.foreign':
    '{folder} contains other files, but no archive: name a new or an empty folder for the archive with --archive.',
  'folder.notArchive':
    '{folder} is not an archive: check the path, or create an archive in a new or an empty folder with "{command}".',
  'folder.absent': 'There is no archive in {folder}: check the path, or create one with "{command}".',
  'folder.unusable': 'No archive can be created in {folder}: {problem}.',
  'folder.unusable.partIsFile': 'a part of this path is a file; choose another folder',
  'folder.unusable.isFile': 'it is a file; choose another folder',
  'folder.unusable.denied': 'this account may not write there; choose another folder',
  'folder.unusable.full': 'the disk is full; make room, or choose another folder',
  'folder.unusable.tooLong': 'its path is too long; choose another folder',
  'folder.unusable.failed': 'the disk refuses it; choose another folder',
  'folder.inUse':
    'Another Loupe has the archive {folder} open (a window, "loupe serve" or another command): wait until it has ended, or end it.',
  'folder.inUse.restore':
    'Another Loupe has the archive {folder} open (a window, "loupe serve" or another command): end it, then restore the backup.',
  'folder.permissions.denied':
    'The permissions of {folder} are {before} and should be {wanted}, but it belongs to another account: ask its owner to run "chmod {wanted} {folder}".',
  'folder.permissions.ignored':
    'The file system of {folder} does not store permissions: other accounts of this machine may be able to read its files.',
  'folder.permissions.group':
    'The accounts in the group of {folder} can now open it (permissions {wanted}, before {before}), as the setting archive.sharedWith says.',
  'folder.permissions.closed':
    'Other accounts of this machine could read {folder} (permissions {before}). Loupe has closed it ({wanted}). To share it with a group, set archive.sharedWith to "group".',

  'database.missing':
    'The database {path} is missing: {waysBack}; if nothing was ever archived here, "loupe init" creates a new one.',
  'database.empty': 'The database {path} is empty, although {replica} holds files: {waysBack}.',
  'database.waysBack':
    'restore a backup ("loupe backup list", then "loupe backup restore"); the WARC files in the replicas are untouched, and without a backup "loupe recover" rebuilds the database from them',

  'restore.noFolder':
    'There is no folder {folder}: name the archive with --archive. To restore an archive elsewhere, create an empty folder for it first.',
  'restore.foreign': '{folder} is not an archive and contains other files: name the archive with --archive.',
  'restore.unreadable': 'The backup folder {folder} cannot be read. {problem} Check whether its drive is connected.',
  'restore.noManifest':
    '{path} has no manifest next to it, so it cannot be verified. "loupe backup restore" checks such a file before it changes anything.',

  'incoming.position': 'Loupe has {name} up to byte {position}, but the next part begins at byte {from}.',
  'incoming.importing': 'An import is taking in a file called {name}: wait until it has ended.',
  'incoming.arriving': 'A file called {name} is being sent already.',
  'incoming.tooLong': 'More than the announced {bytesTotal} bytes of {name} arrived.',
  'incoming.name': 'A file cannot be sent under this name: {problem}.',
  'incoming.name.long': 'it is longer than {bytesMax} bytes',
  'incoming.name.dot': 'it begins with a dot',
  'incoming.name.character': 'it has a character that some file systems do not allow',
  'incoming.noSpace':
    '{name} has {size}, but the disk of the archive has only {free} free: make room, or import the file by its path, which needs the space only once.',
} as const
