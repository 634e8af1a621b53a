/** What is said of files that the database does not know, and of their recovery. */

export const recoveryWords = {
  'verdict.unknown':
    '{count, plural, one {one file in the quarantine is} other {# files in the quarantine are}} not known to the database.',
  'verdict.waiting':
    '{count, plural, one {one file of an ended job waits} other {# files of ended jobs wait}} outside of the replicas, and there is no other copy.',
  'verdict.next.recover': 'Recover files',
  'verdict.next.jobs': 'Open the jobs',
  'recovery.title': 'Recovery of files',
  'recovery.running': 'Bringing back files that the database does not know',
  'recovery.progress': '{done} of {total, plural, one {one file} other {# files}}, {bytes} in all',
  'recovery.stop': 'Stop',
  'recovery.stopped': 'The recovery was stopped. Begun again, it goes on from there.',
  'recovery.ended':
    '{files, plural, =0 {No file was} one {One file was} other {# files were}} brought into the catalogue, {jobs, plural, =0 {no job} one {one job} other {# jobs}} restored{problems, plural, =0 {.} one {; one problem is left.} other {; # problems are left.}}',
  'recovery.import': 'Job {job} imports what no metadata file speaks of.',
  'recovery.more': 'and {count} more; “loupe recover --json” lists all of them',
} as const
