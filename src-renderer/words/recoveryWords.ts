/** Text about files that the database does not know, and their recovery. */

export const recoveryWords = {
  'verdict.unknown':
    '{count, plural, one {# file in quarantine is} other {# files in quarantine are}} unknown to the database.',
  'verdict.waiting':
    '{count, plural, one {# file of a finished job is} other {# files of finished jobs are}} not in any replica; no other copy exists.',
  'verdict.next.recover': 'Recover files',
  'verdict.next.jobs': 'Open jobs',
  'recovery.title': 'File recovery',
  'recovery.running': 'Recovering files that the database does not know',
  'recovery.progress': '{done} of {total, plural, one {# file} other {# files}}, {bytes} in total',
  'recovery.stop': 'Stop',
  'recovery.stopped': 'Recovery was stopped. It continues from there when you run it again.',
  'recovery.ended':
    '{files, plural, =0 {No files were} one {# file was} other {# files were}} added to the catalogue, {jobs, plural, =0 {no jobs} one {# job} other {# jobs}} restored{problems, plural, =0 {.} one {; # problem remains.} other {; # problems remain.}}',
  'recovery.import': 'Job {job} imports the files that no metadata file describes.',
  'recovery.more': 'and {count, number} more; “loupe recover --json” lists them all',
} as const
