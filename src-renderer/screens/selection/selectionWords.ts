/** Text for a selection of archived files. */
import { selectionOf, type Selection } from '../../../src-main/contract/shapes/selection.ts'
import type { Translate } from '../../words/words.tsx'

/** More numbers would be hard to read. */
const jobsNamedMax = 3

/** "Job 3", "Jobs 1, 2, 3… and 2 files", "Everything". */
export function selectionWords(t: Translate, selection: Selection): string {
  const { jobs, files, all } = selectionOf(selection)
  if (all) return t('selection.all')
  const ofJobs = t('viewer.jobs', { count: jobs.length, jobs: jobs.slice(0, jobsNamedMax).join(', ') })
  const ofFiles = t('selection.files', { count: files.length })
  if (files.length === 0) return ofJobs
  return jobs.length === 0 ? ofFiles : t('selection.both', { jobs: ofJobs, files: ofFiles })
}

/** The same, with the name of a single file, for places with enough room. */
export function selectionNamed(t: Translate, selection: Selection): string {
  const { jobs, files, all } = selectionOf(selection)
  const [only] = files
  return only !== undefined && files.length === 1 && jobs.length === 0 && !all ? only : selectionWords(t, selection)
}
