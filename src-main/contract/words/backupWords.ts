/** Backups of the database: why one cannot be made, verified or restored. */
export const backupWords = {
  'backup.absent': 'There is no backup {name} in {folder}: "loupe backup list" shows the existing ones.',
  'backup.file.absent': 'There is no backup {path}: "loupe backup list" shows the existing ones.',
  'backup.gone': 'The new backup {name} is no longer in {folder}: check that its drive is connected.',
  'backup.folder.unreadable': 'The backup folder {folder} cannot be read. {problem} Check that its drive is connected.',
  'backup.refused': 'No backup can be made: {problem}',
  'backup.folder.own': '{folder} is the folder of the archive itself: choose a separate folder for backups.',
  'backup.folder.inReplica':
    '{folder} is inside the folder of replica {replica}: choose a folder outside of it for backups.',
  'backup.folder.inOwn':
    '{folder} is inside a folder that Loupe works in ({name}): choose a folder outside of it for backups.',
  'backup.folder.empty':
    'The backup folder {folder} has none of the backups that were made there: connect its drive. If it was emptied on purpose, start again with "loupe backup make --emptied"; to use another folder, change the setting backup.folder.',
  'backup.noSpace':
    'Not enough space for a backup in {folder}: it needs {bytes} bytes, {kept} must stay free, and {free} are free. Free up space, or choose a folder on another drive with the setting backup.folder.',
  'backup.notWhole':
    'The backup that was written to {folder} was damaged ({problem}), so it was removed: check the health of that disk.',
  'backup.database.damaged':
    'The database {path} is damaged ({problem}), so no backup of it was made. Close Loupe and restore the last good backup: "loupe backup list" shows the backups, "loupe backup restore" restores one. The WARC files in the replicas are not affected.',
  'backup.closed': 'Loupe was closed before the backup was complete; the next one starts from the beginning.',
  'backup.note.invalid':
    '{path} does not say which database was restored: move it away, and check that loupe.db is the database that you want.',

  'backup.failed.write': 'The backup of the database could not be written. {problem}',
  'backup.failed.bug': 'The backup of the database failed: {problem}',
  'backup.manifest.unreadable': 'Its manifest {manifest} cannot be read, so it is unknown whether the backup is good.',
  'backup.file.missing': '{path} does not exist, although its manifest does.',
  'backup.file.length': '{path} has {found} bytes instead of {expected}.',
  'backup.file.checksum': '{path} no longer has the checksum that it was written with.',
  'backup.file.unreadable': 'It cannot be read. {problem}',
  'backup.file.noDatabase': 'It is not a database that can be restored: {problem}.',
  'backup.overdue.none':
    'There is no backup of the database. Loupe makes one while it runs; "loupe backup make" makes one now.',
  'backup.overdue.old':
    'Files were stored since the last backup of the database, which is from {date}. Loupe makes one while it runs; "loupe backup make" makes one now.',
  'backup.finding.damaged':
    'A backup is damaged: {problem} Check the health of its drive, then remove {name} and {manifest}; Loupe removes no damaged file.',
  'backup.finding.missing':
    'A backup is missing: {problem} Put it back, or remove {manifest} if it was removed on purpose.',
  'backup.finding.unreadable':
    'The state of a backup is unknown: {problem} Remove {name} and {manifest} if no other backup is needed.',

  'restore.noSpace':
    'Not enough space in {folder}: the backup has {bytes} bytes, and {free} are free. Free up space and try again; nothing was changed.',
  'restore.checksum':
    'The backup {path} is damaged: its checksum differs from the one in its manifest. Nothing was changed. Choose another backup: "loupe backup verify" finds the good ones.',
  'restore.newer':
    '{path} was made by a newer version of Loupe (schema {schema}; this version supports up to {supported}). Nothing was changed. Update Loupe, then restore it.',
  'restore.notWhole':
    '{path} cannot be restored: {problem}. Nothing was changed. Choose another backup: "loupe backup verify" finds the good ones.',
  'restore.noDatabase': 'it is damaged, or not a database',
  'restore.otherArchive':
    '{path} is a backup of another archive than {folder}. Nothing was changed. To use its database here, add --of-another-archive.',
} as const
