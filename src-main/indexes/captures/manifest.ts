/** The manifest of a capture database: its selection, the files that it was made of, and the rules of its keys. */
import { selectionOf, type WholeSelection } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import { canonicaliserVersion } from '../../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../../storage/storage.ts'
import type { Disk } from '../../world/world.ts'
import { captureSchema, captureStatements } from './captureIndex.sql.ts'
import type { IndexedFile, MissingFile } from '../lines/captureLines.ts'
import type { Manifest } from '../lines/completeness.ts'
import { databaseVersion, filesName, selectionName } from '../model/selectionName.ts'

/** A database with its manifest and number of captures. */
export interface Kept {
  manifest: Manifest
  captures: number
}

/** A selection and the jobs that it currently contains. */
export interface Selecting {
  selection: WholeSelection
  jobs: readonly number[]
  jobsMissing: readonly number[]
}

/** Returns the manifest of a selection and the files that are in its index. */
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

/** Identifies a file in an index. A file that moved to another job is another file, because the index states the job of each
 *  capture. */
export function fileKey({ name, job }: IndexedFile): string {
  return `${job ?? ''}/${name}`
}

/** The manifest as table rows. */
export function manifestRows({ manifest, captures }: Kept): { name: string; value: string }[] {
  const all = { ...manifest, captures, canonicaliser: canonicaliserVersion, database: databaseVersion }
  return Object.entries(all).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
}

/** The file name of a database. Missing files are part of it, so a complete index is never confused with an incomplete one. */
export function databaseName(manifest: Manifest): string {
  const { files, filesMissing } = manifest
  const state = filesName([...files.map(fileKey), ...filesMissing.map(({ name }) => `-${name}`)])
  return `${selectionName(askedIn(manifest))}.${state}.db`
}

function askedIn({ isAll, jobsAsked, filesAsked }: Manifest): WholeSelection {
  return selectionOf({ jobs: jobsAsked, files: filesAsked, all: isAll })
}

/** Compares two manifests, ignoring the reasons why files are missing. */
export function isSame(one: Manifest, other: Manifest): boolean {
  const compared = ({ isAll, jobsAsked, filesAsked, jobsFound, files, filesMissing }: Manifest) =>
    JSON.stringify([isAll, jobsAsked, filesAsked, jobsFound, files.map(fileKey), filesMissing.map(({ name }) => name)])
  return compared(one) === compared(other)
}

/** The manifest in a database. Undefined: it is incomplete, or its tables or keys were made by other rules. */
export function keptIn(store: Store): Kept | undefined {
  const rows = captureStatements(store).manifest.all({})
  const read = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
  const { canonicaliser, database, captures, ...manifest } = read
  if (canonicaliser !== canonicaliserVersion || database !== databaseVersion) return undefined
  return { manifest: manifest as unknown as Manifest, captures: Number(captures) }
}

/** Opens a complete database. Throws `StorageFault` damaged if it was removed in the meantime: opening it then creates an empty one. */
export function openComplete(path: string): Store {
  const store = openDerived(path, captureSchema)
  if (keptIn(store) !== undefined) return store
  store.close()
  throw new StorageFault('damaged', message('index.incomplete', { path }))
}

/** The manifest in a file. Undefined also if the file does not exist or is damaged: then the index is rebuilt. */
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
