/** Messages about checks of the copies, spot checks and the verification of the audit log. */
export const checkWords = {
  'check.absent': 'There is no check {check}.',
  'check.noFile': 'The archive has no file whose name matches {pattern}. Nothing was checked.',
  'check.busy': 'Check {check} is reading the same replica: wait until it has ended, or stop it.',
  'check.subject': '{replicas}',
  'check.subject.pattern': '{what}, files matching {pattern}',
  'check.subject.sample': '{what}, {sample, plural, one {# file} other {# files}} chosen at random',

  'spot.subject': '{files, plural, one {# file} other {# files}} chosen at random',
  'spot.stopped': 'Spot check {number} was stopped before it was complete. The answers so far are kept.',
  'spot.neverStored': 'The replica never received the file.',
  'spot.onlyChecksums': 'The replica stores only checksums, so it cannot answer.',
  'spot.fileMissing': 'The file is missing.',

  'audit.removed': 'Entry {number} is missing: entry {next} follows entry {previous}.',
  'audit.changed': 'Entry {number} was changed: its hash does not match its content.',
  'audit.unlinked': 'Entry {number} was not written after the entry that now precedes it.',
} as const
