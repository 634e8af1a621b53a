/** Help and output of the verbs about deduplication and indexes. */
export const indexHelpWords = {
  'help.dedup': 'show what deduplication saved and what refers to what, and check that everything resolves',
  'help.dedup.report': 'show what was not stored again',
  'help.dedup.by': 'what to add up by (default: "job")',
  'help.dedup.jobs': 'only captures of these jobs',
  'help.dedup.references': 'show which files have the content of captures in which jobs',
  'help.dedup.file': 'only content in this file: what would be lost with it',
  'help.dedup.contentOf': 'only content in files of this job',
  'help.dedup.verify': 'check that the content of every capture is in the archive; ends with 1 if some is not',
  'help.indexes':
    'list, build and drop the indexes, which are built when they are needed and may be dropped at any time',
  'help.indexes.list': 'list the indexes on the disk',
  'help.indexes.kind': 'only this kind',
  'help.indexes.build': 'build an index now, unless there is one for the current files',
  'help.indexes.build.kind': 'what to build (default: "captures")',
  'help.indexes.drop': 'drop indexes that are not in use',
  'help.indexes.drop.jobs': 'only indexes that cover one of these jobs',
  'cli.dedup.report':
    '{count, plural, =0 {Every capture has its own content.} one {# capture refers to content that was stored before; {bytes} were saved.} other {# captures refer to content that was stored before; {bytes} were saved.}}',
  'cli.dedup.noJob': 'none',
  'cli.dedup.references.none': 'No capture refers to content in another record.',
  'cli.dedup.unresolved': '{url} ({captured}, in {file}): {why}',
  'cli.dedup.unresolved.more': '… and {count, plural, one {# more} other {# more}}.',
  'cli.dedup.verified':
    '{resolved, plural, one {# capture resolves} other {# captures resolve}}; {unresolved, plural, one {# does not} other {# do not}}.',
  'cli.dedup.fileMissing': '{name} is not included: {reason}',
  'cli.preserve.referred': 'Captures of these jobs have their content in this file:',
  'cli.preserve.referred.unknown':
    'Which captures of other jobs have their content in this file is not known yet: the index of the archive is being built.',
  'cli.indexes.none': 'There is no index yet. Indexes are built when they are needed.',
  'cli.indexes.damaged': 'unreadable, will be built again',
  'cli.indexes.built':
    'The index is complete: {files, plural, one {# file} other {# files}}{missing, plural, =0 {} other {, without # that cannot be read}}.',
  'cli.indexes.jobsMissing': 'The archive has no files of jobs {jobs}.',
  'cli.indexes.dropped':
    'Dropped {count, plural, one {# index} other {# indexes}}, {bytes}{inUse, plural, =0 {} one {; # is in use and was kept} other {; # are in use and were kept}}.',
} as const
