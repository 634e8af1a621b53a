/** Recovery of the catalogue from the files of the archive: why it cannot start or ended early, and what stays unchanged. */
export const recoverWords = {
  'recover.running': 'A recovery is already running. Wait for it to finish, or stop it.',
  'recover.notRunning': 'No recovery is running.',
  'recover.failed': 'The recovery failed. {reason}',
  'recover.notStored': 'Not stored in replica {replica}. {reason}',
  'recover.copies.noneReadable': 'No copy can be read.',
  'recover.copies.differ':
    'The copies differ, and nothing shows which is right ({copies}). Move the wrong one out of its replica, then recover again.',
  'recover.copies.holds': '{replica} holds {sha256}',
  'recover.copies.checksumOnly': 'The checksum is known, but neither a replica nor the quarantine has the bytes.',
  'recover.lines.lost':
    'Loupe could not read {lines, plural, one {# line} other {# lines}} of {list} of job {job}, the first at line {first}. Their content is not restored.',
  'recover.definition.lost':
    'The definition of job {job} ({list}) is missing or cannot be read. Loupe restored the job with its name as the only seed. Edit the definition before the next run.',
  'recover.documents.damaged':
    'The list of the URLs of job {job} in this file ({list}) is damaged: Loupe restored the URLs before the damage ({restored} of {total}). The archived captures are not affected, but the next run of the job downloads the other URLs as if they were new. If there is a backup of the database that was made after this run, restore it ("loupe backup restore") to have the complete list.',
} as const
