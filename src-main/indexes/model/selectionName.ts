/** Names of indexes. An index is determined by its selection and the files that it covers, and so is its name. Pure. */
import { createHash } from 'node:crypto'
import { selectionOf, type Selection } from '../../contract/shapes/selection.ts'

/** The name of a selection; equal selections have equal names. Names contain no dot. A set of jobs is named as NetarchiveSuite
 *  names its caches: `3-17`, and for more than four jobs the first four and the MD5 of the whole list. Selected files add the
 *  MD5 of their names. */
export function selectionName(selection: Selection): string {
  const { jobs, files, all } = selectionOf(selection)
  if (all) return 'all'
  const ofFiles = files.length === 0 ? [] : [`files-${md5(files.join('\n'))}`]
  return [...(jobs.length === 0 ? [] : [jobsName(jobs)]), ...ofFiles].join('-')
}

function jobsName(jobs: readonly number[]): string {
  const whole = jobs.join('-')
  return jobs.length <= 4 ? whole : `${jobs.slice(0, 4).join('-')}-${md5(whole)}`
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}

/** Changes when the tables of the database change, so that a new version of Loupe builds its own. */
export const databaseVersion = 'capture 10'

/** Distinguishes two states of a selection: an import or a repair may add files. */
export function filesName(files: readonly string[]): string {
  return createHash('sha256')
    .update([databaseVersion, ...files.toSorted()].join('\n'))
    .digest('hex')
    .slice(0, 12)
}
