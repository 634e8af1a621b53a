/** What is said of a job's further runs, and of its deletion. */

export const recrawlWords = {
  'job.start': 'Start again',
  'job.start.why': 'Only a job that has ended can be started again. This one: {state}.',
  'job.startMinimal': 'Start minimal',
  'job.startMinimal.why': 'Only a job that has ended can be started again. This one: {state}.',
  'job.restart': 'Restart',
  'job.restart.why': 'Only a job that works or is paused can be restarted. This one: {state}.',
  'job.restart.title': 'End this run of “{name}” and begin the next?',
  'job.restart.text':
    'What was fetched is kept and stored first. The next run then begins by itself; it asks again for every page, and only what has changed is fetched whole.',
  'job.restart.verb': 'Restart the job',
  'job.restartMinimal': 'Restart minimal',
  'job.restartMinimal.why': 'Only a job that works or is paused can be restarted. This one: {state}.',
  'job.restartMinimal.text':
    'What was fetched is kept and stored first. The next run then begins by itself; it looks only for what is new or changed, where the site can tell.',
  'job.delete': 'Delete',
  'job.delete.why': 'Only a job that has ended can be deleted. This one: {state}.',
  'job.delete.title': 'Delete “{name}”?',
  'job.delete.text':
    'The job, its list of documents and its log leave Loupe. What was archived stays in every replica: its files keep their names, and nobody else gets the number {job}.',
  'job.delete.verb': 'Delete the job',
  'job.further': 'More for this job',
}
