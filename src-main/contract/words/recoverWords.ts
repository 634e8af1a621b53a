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
} as const
