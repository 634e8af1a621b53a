/** Changing what a job is told to do. */
export const editWords = {
  'job.edit': 'Edit',
  'job.edit.why.ending':
    'Its run is ending, and is written down by what it ran with: it can be changed when that is done. Now: {state}.',
  'job.edit.why.deleting': 'The job is being deleted.',
  'form.edit.title': 'Change job {job}: {name}',
  'form.edit.form': 'What the job is told to do',
  'form.edit.atRest':
    'What you change holds from the next run on. What is said of earlier runs stays what they ran with.',
  'form.edit.inRun':
    'A run is under way and goes on with what you change. Its source and output, logins, the rules of robots.txt and whether it goes on for ever are changed between runs.',
  'form.edit.fixed':
    'This cannot be changed while a run is under way: {why}. Stop the job first, or wait until it has ended.',
  'form.edit.save': 'Save the changes',
  'form.edit.saving': 'The changes are being saved.',
  'job.definition.changed':
    'This was changed since the last run and holds from the next one on. What the last run ran with is in its metadata file.',
} as const
