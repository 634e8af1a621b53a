/** An index is a function of a selection and of the files that it has, and so is its name. Pure. */
import { createHash } from 'node:crypto'
import { selectionOf, type Selection } from '../../contract/shapes/selection.ts'

/** Equal selections have equal names however they were written. None has a dot. A set of jobs is named as the caches of
 *  NetarchiveSuite name it: `3-17`; more than four: the first four and the MD5 of the whole list. Selected files add the MD5
 *  of their names, so that no selection with files has the name of a set of jobs. */
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

/** Changes with the tables of the database, so that a later Loupe builds its own. */
export const databaseVersion = 'capture 8'

/** Tells two states of one selection apart: an import or a repair may give it files that it did not have. */
export function filesName(files: readonly string[]): string {
  return createHash('sha256')
    .update([databaseVersion, ...files.toSorted()].join('\n'))
    .digest('hex')
    .slice(0, 12)
}
