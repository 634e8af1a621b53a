/** Messages about the database file. */
export const storageWords = {
  'database.newer':
    '{path} was made by a newer version of Loupe (schema {version}; this version supports up to {newest}). Update Loupe.',
  'database.damaged':
    'The database {path} is damaged. List the backups with "loupe backup list" and restore one with "loupe backup restore". The WARC files in the replicas are not affected; if there is no backup, "loupe recover" rebuilds the database from them.',
  'database.replaced':
    'Another Loupe works on this archive now, so this one harvests nothing any more. Close this one, or close the other and start this one again.',
  'database.denied': 'The database {path} cannot be opened or written. Check its owner and permissions.',
  'database.full': 'There is no space left for the database {path}. Free some space and start Loupe again.',
  /** The problem of a file, as a part of a sentence. */
  'database.other': 'it is not a database of Loupe',
  'database.failed': 'The database {path} could not be read or written. Check the disk.',
} as const
