/** What a database of captures says of itself: of which selection it is, which files it was made of, and by which rules. */
import { selectionOf, type WholeSelection } from '../../contract/shapes/selection.ts'
import { canonicaliserVersion } from '../../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../../storage/storage.ts'
import type { Disk } from '../../world/world.ts'
import { captureSchema, captureStatements } from './captureIndex.sql.ts'
import type { IndexedFile, MissingFile } from '../lines/captureLines.ts'
import type { Manifest } from '../lines/completeness.ts'
import { databaseVersion, filesName, selectionName } from '../model/selectionName.ts'

export interface Kept {
  manifest: Manifest
  captures: number
}

/** A selection with the jobs that it means now. */
export interface Selecting {
  selection: WholeSelection
  jobs: readonly number[]
  jobsMissing: readonly number[]
}

export function manifestOf(
  { selection, jobs, jobsMissing }: Selecting,
  { files, filesMissing }: { files: readonly IndexedFile[]; filesMissing: readonly MissingFile[] },
): Manifest {
  return {
    isAll: selection.all,
    jobsAsked: [...jobs],
    filesAsked: [...selection.files],
    jobsFound: jobs.filter((job) => !jobsMissing.includes(job)),
    jobsMissing: [...jobsMissing],
    files: files.map(({ name, job }) => ({ name, job })).toSorted(byName),
    filesMissing: filesMissing.toSorted(byName),
  }
}

/** A file that another job has taken over is another one to an index, which says of each capture whose it is. */
export function fileKey({ name, job }: IndexedFile): string {
  return `${job ?? ''}/${name}`
}

/** As rows of the table. */
export function manifestRows({ manifest, captures }: Kept): { name: string; value: string }[] {
  const all = { ...manifest, captures, canonicaliser: canonicaliserVersion, database: databaseVersion }
  return Object.entries(all).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
}

/** What is missing is part of the name: a whole index is never confused with one that was built without some file. */
export function databaseName(manifest: Manifest): string {
  const { files, filesMissing } = manifest
  const state = filesName([...files.map(fileKey), ...filesMissing.map(({ name }) => `-${name}`)])
  return `${selectionName(askedIn(manifest))}.${state}.db`
}

function askedIn({ isAll, jobsAsked, filesAsked }: Manifest): WholeSelection {
  return selectionOf({ jobs: jobsAsked, files: filesAsked, all: isAll })
}

/** Why a file could not be had may be said otherwise each time. */
export function isSame(one: Manifest, other: Manifest): boolean {
  const compared = ({ isAll, jobsAsked, filesAsked, jobsFound, files, filesMissing }: Manifest) =>
    JSON.stringify([isAll, jobsAsked, filesAsked, jobsFound, files.map(fileKey), filesMissing.map(({ name }) => name)])
  return compared(one) === compared(other)
}

/** Undefined: it is not whole, or its tables or keys were made by other rules. */
export function keptIn(store: Store): Kept | undefined {
  const rows = captureStatements(store).manifest.all({})
  const read = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
  const { canonicaliser, database, captures, ...manifest } = read
  if (canonicaliser !== canonicaliserVersion || database !== databaseVersion) return undefined
  return { manifest: manifest as unknown as Manifest, captures: Number(captures) }
}

/** The same of a file. Undefined also when there is none, or it is damaged: then it is built again. */
export async function keptAt(path: string, disk: Disk): Promise<Kept | undefined> {
  if (!(await disk.stat(path))) return undefined
  try {
    const store = openDerived(path, captureSchema)
    try {
      return keptIn(store)
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return undefined
    throw error
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}
