/** What is said where archived files are selected, and of a job that was deleted while its files stay. */
export const selectionWords = {
  'selection.which': 'Files of the archive',
  'selection.some': 'Selected jobs and files',
  'selection.all': 'Everything',
  'selection.all.meaning':
    'Every file in the archive when it is opened, including those of deleted jobs and uploaded files.',
  'selection.files': '{count, plural, one {# file} other {# files}}',
  'selection.both': '{jobs} and {files}',
  'selection.byName': 'Files',
  'selection.byName.hint': 'Any file in the archive, also an uploaded one. Type a part of its name.',
  'selection.byName.none': 'No file name contains this.',
  'selection.byName.clear': 'Select no file',

  'chooser.job.deleted': '{job} (deleted) · {name} · {count, plural, one {# file} other {# files}}',
  'deletedJob.title': 'Job {job} (deleted): {name}',
  'deletedJob.noName': 'name unknown',
  'deletedJob.text':
    'The job, its URL list and its log are gone. The files that it archived are kept, and can be viewed, exported, or imported into a new job.',
  'deletedJob.deleted': 'Deleted (UTC)',
  'deletedJob.deleted.unknown': 'Unknown',
  'deletedJob.files': 'Archived files',
  'deletedJob.toFiles': 'Show its files',
  'noJob.title': 'There is no job {job}',
  'noJob.text': 'The archive has no files with this job number either.',

  'fileList.choose': 'Choose {name}',
  'fileList.chosen': '{count, plural, =0 {No file chosen} one {# file chosen} other {# files chosen}}',
  'fileList.view.why': 'Choose files in the list first.',
  'fileList.clear': 'Clear the choice',
} as const
