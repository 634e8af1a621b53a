/** The preservation report: its sentences, and the verification of the audit log. */
export const reportWords = {
  'report.created': 'Created {at} by {software}.',
  'report.fine': 'No action needed.',
  'report.notFine': 'Action needed.',
  'report.size':
    '{files, plural, one {# file} other {# files}}, {bytes, plural, one {# byte} other {# bytes}}. A copy is overdue when its checksum has not been verified for {overdueDays, plural, one {# day} other {# days}}.',
  'report.backups':
    '{kept, plural, one {# good backup} other {# good backups}} with {bytes, plural, one {# byte} other {# bytes}} in {folder}, {apart, select, true {on another file system than the archive and its replicas} false {on the same file system as the archive or one of its replicas} other {which cannot be read now}}.',
  'report.backups.latest': 'Latest: {made}, confirmed {confirmed}.',
  'report.ndsa.next': 'For level {level}:',
  'report.more': 'And {count} more.',
  'report.moreAtLeast': 'And at least {count} more; not all were counted.',

  'audit.verdict.broken': 'The audit log was changed. {change}',
  'audit.verdict.linked':
    '{entries, plural, one {# entry} other {# entries}}, each linked to the one before. {witness}',
  'audit.witness.agrees': 'The file next to the database names the last one.',
  'audit.witness.behind': 'The file next to the database names entry {number}, which agrees.',
  'audit.witness.absent':
    'The file next to the database is missing, so it is unknown whether entries at the end were removed.',
  'audit.witness.unreadable':
    'The file next to the database cannot be read or is not valid: inspect it, then move it away.',
  'audit.witness.contradicts':
    'But the file next to the database names a different entry {number}: entries at the end were removed, or the database is older. Find out which, then move the file away.',
} as const
