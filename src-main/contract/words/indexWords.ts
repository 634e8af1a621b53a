/** Messages of the indexes: why a file, a line or a crawl log is not in an index, and why an index could not be built. */
export const indexWords = {
  'index.line.tooLong': 'Line {number} of its index is too long.',
  'index.line.invalid': 'Line {number} of its index is not a valid CDXJ line: {line}',
  'index.line.otherFile': 'Line {number} of its index belongs to another file, {file}.',
  'index.line.wrongKey': 'Line {number} of its index has the wrong key for its URL, {url}.',
  'index.log.invalid': 'Line {number} of its crawl log mentions a duplicate but is not a valid crawl log line: {line}',
  'index.log.noOriginal':
    'Line {number} of its crawl log mentions a duplicate without the file and offset of the original: {line}',
  'index.log.noDate': 'Line {number} of its crawl log mentions a duplicate without a date: {line}',
  'index.log.more': '{count, plural, one {# more line} other {# more lines}} of its crawl logs could not be used.',
  'index.log.unreadable': 'Its crawl log could not be read: {problem}',
  'index.log.damaged': 'Its crawl log is damaged, so some duplicates may be missing.',
  'index.file.unavailable': 'No replica could provide the file. Try again.',
  'index.failed': 'The index could not be built: {problem}',
  'index.subject.captures': 'captures of {what}',
  'index.subject.crawlLog': 'crawl log of job {job}',
  'index.stopped': 'Building the index was stopped.',
  'index.unneeded': 'The index is no longer needed.',
  'index.closed': 'Loupe was closed before the index was complete.',
  'index.query.filter': 'The filter {filter} cannot be used. {problem}',
  'index.query.closest': 'Only captures of a single URL (matchType exact) can be sorted by closest.',
  'index.query.resumeKey': 'The resume key does not belong to this query.',
} as const
