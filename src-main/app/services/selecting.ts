/** Relation of a selection to jobs: whether it is available now, and whose files it has. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { selectionOf, type Selection } from '../../contract/shapes/selection.ts'
import { statusLabel } from '../../contract/states/jobStatuses.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Source } from '../../indexes/indexes.ts'
import { message } from '../../contract/words/message.ts'

interface Parts {
  jobs: Pick<Jobs, 'known' | 'exists'>
  archive: Pick<Archive, 'hasFilesOf' | 'file' | 'jobsWithFiles' | 'namesWithoutJob'>
}

/**
 * Checks a selection. Throws `Fault`: refused for a job that has not ended, notFound for a job or a file that the archive does not have.
 * `action` names what cannot be done with a running job ("viewed"); absent: the files that the job has archived so far are enough.
 */
export function checkSelection({ jobs, archive }: Parts, selection: Selection, action?: string): void {
  const { jobs: numbers, files } = selectionOf(selection)
  const inJobs = { fields: [['jobs']] }
  for (const job of numbers) {
    const known = jobs.known(job)
    if (action !== undefined && known?.ended === null)
      throw new Fault('refused', message('job.running', { job, action, status: statusLabel(known.status) }), inJobs)
    if (archive.hasFilesOf(job)) continue
    throw new Fault('notFound', message(known ? 'job.noFiles' : 'job.absent.noFiles', { job }), inJobs)
  }
  const absent = files.find((name) => archive.file(name) === undefined)
  if (absent !== undefined)
    throw new Fault('notFound', message('file.absent', { name: absent }), { fields: [['files']] })
}

/** Returns deleted jobs whose files are still in the archive, newest first. */
export function deletedJobs({
  jobs,
  archive,
}: {
  jobs: Pick<Jobs, 'exists'>
  archive: Pick<Archive, 'jobsWithFiles'>
}): number[] {
  return archive
    .jobsWithFiles()
    .filter((job) => !jobs.exists(job))
    .toReversed()
}

/** Returns the owners of the selected files: jobs ascending, then files without a job. */
export function sourcesOf({ archive }: Pick<Parts, 'archive'>, selection: Selection): Source[] {
  const { jobs, files, all } = selectionOf(selection)
  if (all) return [...archive.jobsWithFiles(), ...(archive.namesWithoutJob().length > 0 ? [null] : [])]
  const ofFiles = files.map((name) => archive.file(name)?.job ?? null)
  const numbers = new Set([...jobs, ...ofFiles.filter((job) => job !== null)])
  return [...[...numbers].toSorted((a, b) => a - b), ...(ofFiles.includes(null) ? [null] : [])]
}
