/** An index is a function of a set of jobs, and so is its name. Pure. */
import { createHash } from 'node:crypto'

/** Ascending, each once. */
export function jobSet(jobs: readonly number[]): number[] {
  return [...new Set(jobs)].toSorted((a, b) => a - b)
}

/** As the caches of NetarchiveSuite name them: `3-17`; more than four: the first four and the MD5 of the whole list. Equal
 *  sets have equal names however they were written. */
export function setName(jobs: readonly number[]): string {
  const sorted = jobSet(jobs)
  const whole = sorted.join('-')
  if (sorted.length <= 4) return whole
  return `${sorted.slice(0, 4).join('-')}-${createHash('md5').update(whole).digest('hex')}`
}

/** Changes with the tables of the database, so that a later Loupe builds its own. */
export const databaseVersion = 'capture 6'

/** Tells two states of one set apart: an import or a repair may give a job files that it did not have. */
export function filesName(files: readonly string[]): string {
  return createHash('sha256')
    .update([databaseVersion, ...files.toSorted()].join('\n'))
    .digest('hex')
    .slice(0, 12)
}
