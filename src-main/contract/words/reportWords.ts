/** The preservation report: the verification of the audit log. */
export const reportWords = {
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
