/** Text about editing the definition of a job. */
export const editWords = {
  'job.edit': 'Edit',
  'job.edit.why.ending':
    'The run is ending and its metadata is being written. The job can be edited afterwards. Current state: {state}.',
  'job.edit.why.deleting': 'The job is being deleted.',
  'form.edit.title': 'Edit job {job}: {name}',
  'form.edit.form': 'Job definition',
  'form.edit.atRest': 'Changes apply from the next run. Earlier runs keep the definition that they ran with.',
  'form.edit.inRun':
    'Changes apply to the current run. Source, output, login, robots.txt and continuous mode can only be changed between runs.',
  'form.edit.fixed': 'This cannot be changed during a run: {why}. Stop the job first, or wait until it has ended.',
  'form.edit.save': 'Save changes',
  'form.edit.saving': 'Saving changes…',
  'job.definition.changed':
    'The definition was changed after the last run and applies from the next run. The metadata file of the last run contains the definition that it used.',
} as const
