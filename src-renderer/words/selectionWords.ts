/** Text about selections of archived files, and about deleted jobs whose files remain. */
export const selectionWords = {
  'selection.which': 'Files',
  'selection.some': 'Selected jobs and files',
  'selection.all': 'Everything',
  'selection.all.meaning':
    'All files in the archive at the time of opening, including uploaded files and those of deleted jobs.',
  'selection.files': '{count, plural, one {# file} other {# files}}',
  'selection.both': '{jobs} and {files}',
  'selection.byName': 'Files',
  'selection.byName.hint': 'Any file in the archive, including uploaded ones. Type part of its name.',
  'selection.byName.none': 'No file name contains this text.',
  'selection.byName.clear': 'Clear file selection',

  'chooser.job.deleted': '{job} (deleted) · {name} · {count, plural, one {# file} other {# files}}',
  'deletedJob.title': 'Job {job} (deleted): {name}',
  'deletedJob.noName': 'name unknown',
  'deletedJob.text':
    'The job, its URL list and its log were deleted. Its archived files are kept: you can view, export or re-import them.',
  'deletedJob.deleted': 'Deleted (UTC)',
  'deletedJob.deleted.unknown': 'Unknown',
  'deletedJob.files': 'Archived files',
  'deletedJob.toFiles': 'Show files',
  'noJob.title': 'Job {job} does not exist',
  'noJob.text': 'The archive has no files with this job number.',

  'fileList.choose': 'Select {name}',
  'fileList.chosen': '{count, plural, =0 {No files selected} one {# file selected} other {# files selected}}',
  'fileList.view.why': 'Select files in the list first.',
  'fileList.clear': 'Clear selection',
} as const
