/** What is said of a job's further runs, and of its deletion. */

export const recrawlWords = {
  'job.start': 'Start again',
  'job.start.why': 'Only a job that has ended can be started again. This one: {state}.',
  'job.startMinimal': 'Start minimal',
  'job.startMinimal.why': 'Only a job that has ended can be started again. This one: {state}.',
  'job.delete': 'Delete',
  'job.delete.why': 'Only a job that has ended can be deleted. This one: {state}.',
  'job.delete.title': 'Delete “{name}”?',
  'job.delete.text':
    'The job, its list of documents and its log leave Loupe. What was archived stays in every replica: its files keep their names, and nobody else gets the number {job}.',
  'job.delete.verb': 'Delete the job',
  'job.further': 'More for this job',
}
