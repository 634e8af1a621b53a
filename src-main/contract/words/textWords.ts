/** Text that the command line, reports and logs share. None of these is a complete sentence. */
export const textWords = {
  /** What has no code: a text of another program, or of an earlier version. */
  text: '{text}',
  joined: '{one} {next}',
  'files.lost': '{count, plural, one {# file is} other {# files are}} lost: no replica has a good copy',
  'list.comma': '{first}, {second}',
  'list.and': '{first} and {last}',
  'list.or': '{first} or {second}',
  'list.more': '{names} and {count, plural, one {# more} other {# more}}',
  'list.jobs': '{count, plural, one {job {jobs}} other {jobs {jobs}}}',
  'selection.both': '{jobs} and {files}',
  'selection.all': 'everything in the archive',
  'selection.jobs': '{count, plural, one {job {names}} other {jobs {names}}}{more, plural, =0 {} other { and # more}}',
  'selection.files':
    '{count, plural, one {file {names}} other {files {names}}}{more, plural, =0 {} other { and # more}}',
} as const
