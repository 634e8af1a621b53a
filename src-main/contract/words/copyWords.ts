/** Messages about copies of files: storing and reading them, what is known about them, and uploads. */
export const copyWords = {
  'store.unreadable': '{path} cannot be stored. {reason}',
  'store.otherFile': 'The archive already has a different file named {name} (SHA-256 {sha256}). Choose another name.',
  'store.alike':
    'The archive already has a file named {other}, which many disks treat as the same name as {name}. Choose a name that differs in more than case.',
  'store.unknownFile':
    'Replica {replica} has a different file named {name} (SHA-256 {sha256}) that is not in the database. Nothing was stored. If the database is older than the replicas, restore a newer backup; otherwise choose another name.',
  'store.unknownUnreadable':
    'Replica {replica} has a file named {name} that is not in the database and cannot be read. Nothing was stored. Inspect the file and try again, or choose another name. {reason}',
  'store.notTried': 'The file was not copied yet.',
  'store.interrupted': 'Copying was interrupted: store the file again.',
  'store.vanished': 'The copy disappeared after it was written.',
  'store.nameTaken': 'Another file has this name there (SHA-256 {found} instead of {expected}). It was not changed.',
  'store.fromSource': '{name} could not be read from its source. {reason}',
  'store.inReplica': '{name} could not be written to or read from replica {replica}. {reason}',
  'store.notRegistered': 'The new copy does not have the registered checksum.',
  'store.notCounted': 'The new copy does not count as stored.',
  'store.lost.missing': 'A check found that the copy is missing. {advice}',
  'store.lost.damaged': 'A check found that the copy is damaged. {advice}',
  'store.lost.repair': 'Repair it: another replica has a good copy.',
  'store.lost.keepFile': 'No replica has a good copy: keep this file and upload it under the same name.',
  'store.lost.keepBoth':
    'No replica has a good copy: keep this file. Damaged copies are never overwritten: move the damaged copy out of the replica, run a check for missing files, and upload this file again.',
  'store.lost.notRestored': 'It could not be restored. {reason}',

  'copy.notStored': '{name} is not stored in replica {replica}.',
  'copy.missing': 'The copy of {name} in replica {replica} was missing at its last check.',
  'copy.damaged':
    'The copy of {name} in replica {replica} was damaged at its last check: take it from another replica.',
  'copy.wrongLength': 'The copy of {name} in replica {replica} has {found} bytes instead of {bytes}: run a check.',
  'copy.bytes': '{count, plural, one {# byte} other {# bytes}}',
  'copy.checksum': '{sha256}',
  'copy.finding.missing': 'missing',
  'copy.finding.wrongLength': 'wrong length',
  'copy.finding.wrongChecksum': 'wrong checksum',
  'copy.finding.unreadable': 'cannot be read',
  'copy.finding.surplus': 'not in the catalogue',
  'copy.finding.notStored': 'never stored',
  'copy.unreadable': 'The copy of {name} in replica {replica} cannot be read. {reason}',
  'copy.unreadable.in': 'The copy in replica {replica} cannot be read. {reason}',

  'vote.none': 'No checksum has a majority: {votes} of the {needed} votes needed.',
  'vote.none.unread':
    'No checksum has a majority: {votes} of the {needed} votes needed. Run a checksum check of every replica.',
  'vote.other':
    '{replicas} agree on a checksum that is not the registered one. Find out which one is right before you repair anything.',
  'vote.right': 'Good in {replicas}.',
  'vote.noneRight': 'The registered checksum is right, but no replica has it.',
  'vote.corrupt': 'Damaged in {replicas}.',
  'vote.missing': 'Missing in {replicas}.',
  'vote.unknown': 'Not verified since it was stored in {replicas}.',
  'vote.lost': 'Lost: no replica has a good copy. {details}',
  'vote.lost.nothing': 'No bytes are left.',
  'vote.lost.upload':
    'If you have another copy of this file, upload it under the same name to restore it where it is missing.',
  'vote.lost.keep':
    'Keep the damaged copies. If you have another copy of this file: move one damaged copy out of its replica, run a check for missing files, and upload the file under the same name.',

  'upload.subject':
    '{files, plural, one {# file} other {# files}} from {path}{more, plural, =0 {} other { and # more}}',
  'upload.ofJob': 'Job {job} has a file named {name}: choose another name.',
} as const
