/** Messages about replicas: why one cannot be used, why it refused a file, and what the disk reported. Each is one or more sentences. */
export const replicaWords = {
  'disk.absent': '{path} does not exist.',
  'disk.exists': '{path} exists already.',
  'disk.denied': 'This account has no permission for {path}.',
  'disk.full': 'The disk of {path} is full.',
  'disk.tooLarge': '{path} is larger than allowed here.',
  'disk.failed': 'The disk failed at {path}.',

  'replica.absent': 'There is no replica {replica}.',
  'replica.left': 'Replica {replica} is no longer in the settings.',
  'replica.failed': 'Replica {replica} cannot be used. {reason}',
  'replica.folderMissing': 'The folder {folder} of replica {replica} is missing: connect its drive.',
  'replica.folderIsFile': 'Replica {replica} cannot be used: its folder {folder} is a file.',
  'replica.otherMark': '{folder} is marked as replica {found}, not {replica}: check the settings.',
  'replica.unmarked':
    '{folder} has no files of replica {replica}: connect its drive, or put a file {mark} with the text {replica} into the folder.',
  'replica.unlisted': 'The files of replica {replica} cannot be listed. {reason}',
  'replica.full': 'Replica {replica} accepts no more files: {free} bytes are free, and {needed} must be.',
  'replica.noSpace':
    'Replica {replica} does not have enough space: {free} bytes are free, {bytes} are needed, and {reserve} must stay free.',
  'replica.noFiles': 'Replica {replica} stores only checksums: take {name} from another replica.',
  'replica.noSalt': 'Replica {replica} stores only checksums, so it cannot answer a spot check.',

  'replica.link': '{path} is a link to {target} and not a copy: remove the link.',
  'replica.deadLink': '{path} is a link to a missing file and not a copy: remove the link.',
  'replica.folder': '{path} is a folder and not a copy: remove or rename the folder.',
  'replica.occupied': '{path} exists already and was not changed.',
  'replica.otherChecksum': '{path} already has another checksum for {name}; it was not changed.',
  'replica.changedMeanwhile': '{name} changed while it was being copied: store it again.',
  'replica.readable':
    'The copy of {name} in replica {replica} can be read and has the checksum {found}. Nothing was changed.',
  'replica.notThat':
    'The copy of {name} in replica {replica} has the checksum {found}, not {expected}. Nothing was changed.',
  'replica.gone': 'Replica {replica} has no copy of {name}. Nothing was changed.',
  'replica.differsAfterWrite': 'The bytes read back from {name} differ from those that were written.',
  'replica.list.tooLong': '{path} has more than {max} entries.',
  'replica.list.contradicts': '{path} has two different checksums for {name}: remove the wrong line.',

  'replicas.noFiles': 'an archive needs at least one replica that stores files in a folder: name one in the settings',
  'replicas.sameName': 'two replicas have the same name, {name} ({folder} and {other}): give one of them another name',
  'replicas.sameFolder':
    'replicas {name} and {other} have the same folder ({folder}), so one failed disk would lose both: give one of them another folder',
  'replicas.nested':
    'replica {inner} is inside the folder of replica {outer} ({innerFolder} in {outerFolder}), so the loss of one would be the loss of both: give one of them another folder',
  'replicas.clash': 'The archive cannot be opened: {problem}.',

  'fileName.refused': '"{name}" is not a valid file name in the archive: {problem}.',
  'fileName.empty': 'it is empty',
  'fileName.long': 'it is longer than {max} characters',
  'fileName.characters':
    'only letters, digits and . _ - + = @ ~ , are allowed, and the first must be a letter or a digit',
  'fileName.dot': 'it ends with a dot, which Windows removes',
  'fileName.attic': 'it is the name of the attic folder',
  'fileName.device': 'it is the name of a device on Windows',
  'filePattern.refused': '{pattern} is not a valid pattern for file names. {problem}',
} as const
